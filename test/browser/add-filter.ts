import { expect, type Locator, type Page } from '@playwright/test';

/** Opens the panel that adds a filter, and selects its field by label. */
export async function openFilterPanel(page: Page, field: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Add filter' }).click();
  const panel = page.getByRole('dialog', { name: 'Add filter' });
  await panel.getByLabel('Field').selectOption({ label: field });
  return panel;
}

/** Adds a filter on the visits or realtime page. */
export async function addFilter(page: Page, field: string, value: string): Promise<void> {
  const panel = await openFilterPanel(page, field);
  await panel.getByLabel('Value').fill(value);
  await panel.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(panel).toBeHidden();
}

import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, expectLooks, test as base } from './fixture.js';
import { getDay, selectDay } from './select-day.js';

const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });

const NOTE = 'New robots.txt on the shop';
const CHANGED = 'New robots.txt, and a campaign';

const notes = (page: Page): Locator => page.getByRole('region', { name: 'Notes', exact: true });
const marks = (page: Page): Locator => page.locator('[data-note-mark]');

async function open(page: Page, projectId: string, path: string): Promise<void> {
  await page.goto(`/projects/${projectId}/${path}`);
  await expect(notes(page)).toBeVisible();
}

test.beforeEach(({ page, demo }) => page.context().addCookies([demo.session]));

test('adds, shows, changes, and deletes a note with the keyboard', async ({ page, demo }) => {
  await open(page, demo.projectId, 'overview?range=30d');
  await expect(marks(page)).toHaveCount(0);
  await notes(page).getByRole('button', { name: 'Add note' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add note' });
  await expect(dialog.getByLabel('Note', { exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Enter a note.')).toBeVisible();
  await dialog.getByLabel('Note', { exact: true }).fill(NOTE);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(notes(page).getByRole('button', { name: 'Add note' })).toBeFocused();
  await expect(notes(page).getByRole('listitem')).toContainText(NOTE);

  // The mark is above the last day. That day's tooltip also contains the note.
  await expect(marks(page)).toHaveCount(1);
  const [grid, mark] = [await page.locator('[data-chart="grid"]').boundingBox(), await marks(page).boundingBox()];
  expect(mark!.y + mark!.height).toBeLessThanOrEqual(grid!.y + 1);
  expect(grid!.x + grid!.width - (mark!.x + mark!.width / 2)).toBeLessThan(grid!.width / 31);
  await marks(page).hover();
  await expect(page.getByRole('tooltip')).toHaveText(NOTE);
  await page.locator('[data-chart="grid"]').scrollIntoViewIfNeeded();
  const plot = (await page.locator('[data-chart="grid"]').boundingBox())!;
  await page.mouse.move(plot.x + plot.width - 3, plot.y + plot.height / 2);
  await expect(page.locator('[data-chart="tooltip"]')).toContainText(NOTE);
  await expectAccessible(page);

  for (const path of ['verification?range=30d', 'overview?range=24h']) {
    await open(page, demo.projectId, path);
    await expect(marks(page)).toHaveCount(1);
    await expect(notes(page)).toContainText(NOTE);
  }
  await open(page, demo.projectId, 'overview?range=30d&table=true');
  await expect(page.getByRole('row', { name: NOTE })).toHaveCount(1);

  await notes(page)
    .getByRole('button', { name: `Edit ${NOTE}` })
    .press('Enter');
  const changing = page.getByRole('dialog', { name: 'Edit note' });
  const day = changing.getByRole('button', { name: 'Day:' });
  const before = new Date(Date.parse(await getDay(day)) - 86_400_000).toISOString().slice(0, 10);
  await selectDay(day, before);
  await changing.getByLabel('Note', { exact: true }).fill(CHANGED);
  await page.keyboard.press('Enter');
  await expect(notes(page).locator('time')).toHaveAttribute('datetime', before);
  await expect(page.getByRole('row', { name: CHANGED })).toHaveCount(1);

  await notes(page)
    .getByRole('button', { name: `Delete ${CHANGED}` })
    .press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete note' }).click();
  await expect(notes(page).getByRole('listitem')).toHaveCount(0);
  await expect(notes(page)).toBeFocused();
});

test('shows notes above the chart, in the list, and in the table', async ({ page, demo }) => {
  const under = `/projects/${demo.projectId}`;
  const rules = { agent_types: ['Scraper'], format: 'text' };
  await demo.client.api(`${under}/rules-versions`, { method: 'POST', body: rules });
  const day = new Date().toISOString().slice(0, 10);
  const added = await Promise.all(
    [NOTE, 'x'.repeat(200)].map((text) =>
      demo.client.api<{ id: string }>(`${under}/chart-notes`, { method: 'POST', body: { day, text } }),
    ),
  );
  await open(page, demo.projectId, 'overview?range=7d');
  await expect(notes(page).getByText('Rules saved').first()).toBeVisible();
  await expect(marks(page).first()).toBeVisible();
  await expectLooks(page, 'chart-notes');
  await page.getByRole('button', { name: 'Show as table' }).click();
  await expect(page.getByRole('columnheader', { name: 'Notes' })).toBeVisible();
  await expectLooks(page, 'chart-notes-table');
  for (const { id } of added) await demo.client.api(`${under}/chart-notes/${id}`, { method: 'DELETE' });
});

import { ADMIN } from './admin.js';
import { expect, expectLooks, test } from './fixture.js';

test('shows who changed what, and stores all filters in the URL', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Watched' } });
  await served.client.api(`/projects/${id}/tokens`, { method: 'POST', body: { name: 'Edge' } });
  await page.goto(`/projects/${id}/settings`);
  const general = page.locator('section', { hasText: 'General' });
  await general.getByLabel('Name').fill('Watched shop');
  await general.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();

  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Audit log' }).click();
  const rows = page.getByRole('row');
  await expect(rows.filter({ hasText: 'Created access token Edge' })).toBeVisible();
  await page.getByLabel('What').selectOption('Project');
  await expect(page).toHaveURL(/subject=project/);
  await expect(rows.filter({ hasText: 'access token' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Show details: Changed project “Watched shop”' }).click();
  const entry = page.getByRole('dialog', { name: 'Changed project “Watched shop”' });
  await expect(entry).toContainText(ADMIN.email);
  await expect(entry.getByRole('row', { name: 'name Watched Watched shop' })).toBeVisible();
  await expectLooks(page, 'audit-entry');
  await page.keyboard.press('Escape');
  await expect(entry).toBeHidden();

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Audit log' }).click();
  // The project's audit log has the same fields, so wait for the new page.
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible();
  await page.getByLabel('Who').fill('nobody at all');
  await expect(page.getByText('No entries match')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Who').fill(ADMIN.email);
  await expect(page).toHaveURL(/actor=/);
  await page.reload();
  await expect(page.getByLabel('Who')).toHaveValue(ADMIN.email);
  await expect(rows.filter({ hasText: 'Changed project Watched shop' }).first()).toBeVisible();
  const days = page.getByRole('button', { name: 'When (Europe/Berlin)' });
  await days.click();
  await page.getByRole('dialog', { name: 'Days' }).getByRole('button', { name: 'Last year' }).click();
  await expect(page).toHaveURL(/from=\d{4}-01-01&to=\d{4}-12-31/);
  await expect(days).toContainText('Jan 1 – Dec 31');
  await page.goBack();
  await expect(page).not.toHaveURL(/from=/);
  await expect(page).toHaveURL(/actor=/);
  await expect(days).toContainText('Any time');
  await page.goForward();
  await page.goto(`/audit?entry=${id}`);
  // Other tests add entries, so there can be more than are loaded.
  const notice = page.getByRole('status').filter({ hasText: /This entry isn’t (loaded yet|in the log)/ });
  await expect(notice).toBeVisible();
  const href = await page.getByRole('link', { name: 'Export', exact: true }).getAttribute('href');
  const file = await page.request.get(href!, { headers: { 'sec-fetch-site': 'same-origin' } });
  expect(await file.text()).toMatch(/^id,occurred_at,.*\r\n.*Watched shop/s);
});

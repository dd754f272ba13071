import { join } from 'node:path';
import { expect, expectAccessible, expectNoSidewaysScroll, SCREENSHOTS, test as base } from './fixture.js';

const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });
const SYNC = 'pricewatch-sync/* (build *)';

test.beforeEach(async ({ page, demo }) => {
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/unlisted?range=7d`);
  await expect(page.getByRole('rowheader', { name: SYNC })).toBeVisible();
});

test('links a user agent to its visits and explains why they are probably automated', async ({ page }) => {
  const link = page.getByRole('link', { name: `visits of ${SYNC}` });
  const count = (await link.textContent())!.match(/^[\d,]+/)![0];
  expect(Number(count)).toBeGreaterThan(10);
  await link.click();
  await expect(page).toHaveURL(/user_agent_group=pricewatch-sync/);
  await expect(page.getByText(`${count} visits`, { exact: false }).first()).toBeVisible();
  const drawer = page.getByRole('dialog');
  await page.getByRole('table', { name: 'Visits, newest first' }).getByRole('link').first().click();
  await expect(drawer.getByText('Likely a program.')).toBeVisible();
  await expect(drawer.getByText('It sent headers, but no Accept-Language.', { exact: false })).toBeVisible();
  await page.screenshot({ path: join(SCREENSHOTS, 'unlisted-drawer.png') });
  await expectAccessible(page);
});

test('dismisses a user agent until it is restored', async ({ page }) => {
  await page.getByRole('button', { name: `Dismiss ${SYNC}` }).press('Enter');
  await expect(page.getByRole('rowheader', { name: SYNC })).toHaveCount(0);
  await expect(page.getByText('visits of dismissed user agents are hidden')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: `Restore ${SYNC}` }).press('Enter');
  await expect(page.getByRole('rowheader', { name: SYNC })).toBeVisible();
  await expect(page.getByText('No user agents were dismissed.')).toBeVisible();
});

test('prefills the catalog form and tests the pattern', async ({ page }) => {
  await page.getByRole('link', { name: 'Add to catalog Mozilla/* (compatible; ShelfScout/*', exact: false }).click();
  const form = page.getByRole('dialog');
  await expect(form.getByLabel('Name')).toHaveValue('ShelfScout');
  await expect(form.getByLabel('Documentation')).toHaveValue('https://shelfscout.example/about');
  await expect(form.getByLabel('User-Agent patterns')).toHaveValue('ShelfScout');
  await expect(form.getByLabel('Sample User-Agents')).toHaveValue(/ShelfScout\/2\.3/);
  await expect(
    form.getByText(/Would match [\d,]+ visits of the last 7 days, 0 of them of people’s browsers\./),
  ).toBeVisible();
  await page.screenshot({ path: join(SCREENSHOTS, 'unlisted-add.png') });
  await expectAccessible(page);
  await form.getByLabel('User-Agent patterns').fill('Chrome');
  await expect(form.getByText(/Matches [\d,]+ of [\d,]+ common browsers/)).toBeVisible();
});

test.describe('at 320 px', () => {
  test.use({ viewport: { width: 320, height: 720 } });

  test('fits a narrow screen', async ({ page }) => {
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.screenshot({ path: join(SCREENSHOTS, 'unlisted-320.png'), fullPage: true });
  });
});

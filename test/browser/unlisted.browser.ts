import { join } from 'node:path';
import { expect, expectAccessible, expectNoHorizontalScroll, SCREENSHOTS, test as base } from './fixture.js';

const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });
const SYNC = 'pricewatch-sync/* (build *)';

test.beforeEach(async ({ page, demo }) => {
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/unlisted?range=7d`);
  await expect(page.getByRole('rowheader', { name: 'pricewatch-sync' })).toBeVisible();
});

test("links a user agent to its visits and explains why they're probably automated", async ({ page }) => {
  const link = page.getByRole('link', { name: `visits by ${SYNC}` });
  const count = (await link.textContent())!.match(/^[\d,]+/)![0];
  expect(Number(count)).toBeGreaterThan(10);
  await link.click();
  await expect(page).toHaveURL(/user_agent_group=pricewatch-sync/);
  await expect(page.getByText(`${count} visits`, { exact: false }).first()).toBeVisible();
  const drawer = page.getByRole('dialog');
  await page.getByRole('table', { name: 'Visits, newest first' }).getByRole('link').first().click();
  await expect(drawer.getByText('which is probably automated')).toBeVisible();
  await expect(drawer.getByText('The request has no Accept-Language header.', { exact: false })).toBeVisible();
  await page.screenshot({ path: join(SCREENSHOTS, 'unlisted-drawer.png') });
  await expectAccessible(page);
});

test('dismisses a user agent until it is restored', async ({ page }) => {
  await page.getByRole('button', { name: `Dismiss ${SYNC}` }).press('Enter');
  await expect(page.getByRole('rowheader', { name: SYNC })).toHaveCount(0);
  await expect(page.getByText('visits by dismissed user agents are hidden')).toBeVisible();
  await page.reload();
  await page.getByRole('tab', { name: /^Dismissed/ }).click();
  await page.getByRole('button', { name: `Restore ${SYNC}` }).press('Enter');
  await expect(page.getByText('No dismissed user agents.')).toBeVisible();
  await page.getByRole('tab', { name: /^Likely automated/ }).click();
  await expect(page.getByRole('rowheader', { name: SYNC })).toBeVisible();
});

test('offers to block a scanner, and a bot by its user agent before its network', async ({ page }) => {
  await expect(page.getByRole('rowheader', { name: /Looks like a vulnerability scanner/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Block acme-inventory-fetcher…/ })).toBeVisible();
  await page.getByRole('button', { name: `Block… ${SYNC}` }).click();
  const choice = page.getByRole('dialog');
  await expect(choice.getByRole('radio', { name: 'Only pricewatch-sync, by its user agent' })).toBeChecked();
  await expect(choice.getByText(/[\d,]+ visits in the last 7 days would have matched, none of them/)).toBeVisible();
  await expectAccessible(page);
  await choice.getByRole('radio', { name: 'Everyone in 198.51.100.0/24' }).check();
  await expect(choice.getByText(/This also applies to [\d,]+ other visits from this network/)).toBeVisible();
});

test('pre-fills the catalog form and tests the pattern', async ({ page }) => {
  await page.getByRole('button', { name: 'Actions for Mozilla/* (compatible; ShelfScout/*', exact: false }).click();
  await page.getByRole('link', { name: 'Add to catalog' }).click();
  const form = page.getByRole('dialog');
  await expect(form.getByLabel('Name')).toHaveValue('ShelfScout');
  await expect(form.getByLabel('Documentation')).toHaveValue('https://shelfscout.example/about');
  await expect(form.getByLabel('User-Agent patterns')).toHaveValue('ShelfScout');
  await expect(form.getByLabel('Sample User-Agents')).toHaveValue(/ShelfScout\/2\.3/);
  await expect(
    form.getByText(/Would match [\d,]+ visits in the last 7 days, 0 of them by people’s browsers\./),
  ).toBeVisible();
  await page.screenshot({ path: join(SCREENSHOTS, 'unlisted-add.png') });
  await expectAccessible(page);
  await form.getByLabel('User-Agent patterns').fill('Chrome');
  await expect(form.getByText(/Matches [\d,]+ of [\d,]+ common browsers/)).toBeVisible();
});

test.describe('at a width of 320 px', () => {
  test.use({ viewport: { width: 320, height: 720 } });

  test('shows unlisted user agents on an accessible page that fits the screen', async ({ page }) => {
    await expectNoHorizontalScroll(page);
    await expectAccessible(page);
    await page.screenshot({ path: join(SCREENSHOTS, 'unlisted-320.png'), fullPage: true });
  });
});

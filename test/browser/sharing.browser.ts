import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectLooks, SCREENSHOTS, test, type TestInstance } from './fixture.js';
import { sampleVisits } from './sample-visits.js';

const PASSWORD = 'a fox in the henhouse';

const createSharedLink = async (
  { client, projectId }: TestInstance,
  body: object = {},
): Promise<{ url: string; badge_url: string }> =>
  client.api(`/projects/${projectId}/shared-links`, { method: 'POST', body: { name: 'Shared', ...body } });
const getPath = (url: string): string => new URL(url).pathname;

test.beforeAll(async ({ served }) => {
  expect((await served.client.post('/visits', sampleVisits(40))).status).toBe(204);
});

test('creates a password-protected link, opens it without an account, and revokes it', async ({
  signedIn: page,
  served,
  browser,
}) => {
  await page.goto(`/projects/${served.projectId}/settings?tab=sharing`);
  await page.getByLabel('Link name').fill('Board');
  await page.getByRole('textbox', { name: 'Password (optional)' }).fill(PASSWORD);
  await page.locator('main#page').getByLabel('Expires').selectOption({ label: 'In 30 days' });
  await page.getByRole('button', { name: 'Create link' }).click();
  const createdLink = page.getByRole('status').filter({ hasText: 'Copy the link now' });
  const link = (await createdLink.getByRole('region', { name: 'the link' }).textContent())!;
  const item = page.getByRole('listitem').filter({ hasText: 'Board' });
  await expect(item).toContainText('never opened');
  await expectAccessible(page);
  await page.screenshot({ path: join(SCREENSHOTS, 'sharing-made.png'), fullPage: true });

  const context = await browser.newContext();
  const stranger = await context.newPage();
  await stranger.goto(link);
  await expect(stranger.getByText('This page is password-protected.')).toBeVisible();
  await expectAccessible(stranger);
  await stranger.getByRole('textbox', { name: 'Password' }).fill('not it');
  await stranger.keyboard.press('Enter');
  await expect(stranger.getByText('is wrong')).toBeVisible();
  await stranger.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await stranger.keyboard.press('Enter');
  await expect(stranger.getByRole('tabpanel', { name: 'Agents' })).toContainText('GPTBot');
  // The page must not link to pages that require signing in.
  await expect(stranger.locator('a')).toHaveCount(0);

  await page.getByRole('button', { name: 'Revoke Board' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(item).toHaveCount(0);
  await stranger.reload();
  await expect(stranger.getByText('It may have expired or been revoked')).toBeVisible();
  await expectAccessible(stranger);
  await context.close();
});

test('creates a badge without sharing the overview, and shows it again later', async ({ signedIn: page, served }) => {
  await page.goto(`/projects/${served.projectId}/settings?tab=sharing`);
  await page.getByRole('button', { name: 'Create badge' }).click();
  const image = page.getByRole('img', { name: 'Agent visits this month' });
  const width = () => image.evaluate((loaded: { naturalWidth: number }) => loaded.naturalWidth);
  await expect.poll(width).toBeGreaterThan(100);
  await page.reload();
  await expect.poll(width).toBeGreaterThan(100);
  await expect(page.getByRole('region', { name: 'the Markdown' })).toContainText('/api/shared-badges/');
  await expectLooks(page, 'badge');
  await page.getByRole('button', { name: 'Revoke badge' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke badge' }).click();
  await expect(image).toHaveCount(0);
});

test('shows an accessible shared overview that fits the window', async ({ page, served }) => {
  const { url } = await createSharedLink(served);
  await page.goto(getPath(url));
  await expect(page.getByRole('tabpanel', { name: 'Agents' })).toContainText('GPTBot');
  await expect(page.locator('[data-chart="bars"]').first()).toBeVisible();
  await page.getByText('7 d', { exact: true }).click();
  await expect(page).toHaveURL(/range=7d/);
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByText(/^(Compared with the 7 days before|Not enough history to compare)/).last()).toBeVisible();
  await expectLooks(page, 'shared');
  await page.getByRole('button', { name: 'Show as table' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table')).toBeVisible();
  await expect(page.getByTitle('Zoom in on this time')).toHaveCount(0);
  await expectLooks(page, 'shared-table');
});

/** Serves a page with this HTML from another site and opens it. */
async function openOnOtherSite(page: Page, html: string, check: () => Promise<void>): Promise<void> {
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><html lang="en"><title>Site</title>${html}`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => site.once('listening', resolve));
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
  await check();
  site.close();
  site.closeAllConnections();
}

test('embeds overviews and badges in other sites, including password-protected overviews', async ({ page, served }) => {
  const [open, locked] = [await createSharedLink(served), await createSharedLink(served, { password: PASSWORD })];
  const at = (url: string): string => served.url + getPath(url);
  const html = `<iframe src="${at(open.url)}?embed"></iframe><iframe src="${at(locked.url)}?embed"></iframe>
    <img src="${at(open.badge_url)}" alt="">`;
  await openOnOtherSite(page, html, async () => {
    const [first, second] = [page.frameLocator('iframe >> nth=0'), page.frameLocator('iframe >> nth=1')];
    await expect(first.getByRole('tabpanel', { name: 'Agents' })).toContainText('GPTBot');
    await expect(first.getByRole('banner')).toHaveCount(0);
    await second.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await second.getByRole('button', { name: 'Open overview' }).click();
    await expect(second.getByRole('tabpanel', { name: 'Agents' })).toContainText('GPTBot');
    await expect
      .poll(() => page.locator('img').evaluate((image: { naturalWidth: number }) => image.naturalWidth))
      .toBeGreaterThan(100);
  });
});

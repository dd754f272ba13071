import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { freePort } from '../kit/instance.js';
import { disposeSites, startSilentSite, Site } from '../kit/site.js';
import { ADMIN } from './admin.js';
import { expect, expectAccessible, expectNoHorizontalScroll, SCREENSHOTS, startInstance, test } from './fixture.js';

const TEST_AGENT = 'Agent Traffic Test Agent';

test.afterAll(() => disposeSites());

const readSnippet = (page: Page): Promise<string> =>
  page.getByRole('region', { name: 'the lines for Node.js' }).innerText();

test('guides the user from sign-in to a verified visit by the test agent', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const site = await Site.start();
  await page.goto('/');
  await page.getByLabel('Email address').fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();

  await page.getByRole('button', { name: 'New project' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('A site of ours');
  await dialog.getByLabel('Site address').fill(site.url);
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('group', { name: 'Setup' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Tokens' }).click();
  const token = page.getByRole('listitem').filter({ hasText: 'ends in' });
  await expect(token).toContainText('never used');
  await token.getByRole('button', { name: /^Show/ }).click();
  await token.getByRole('button', { name: /^Copy/ }).click();
  await expect(token.getByText('Copied')).toBeVisible();
  const value = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(value).toMatch(/^agt_\w{20,}$/);

  await page.getByRole('link', { name: 'Get started' }).click();
  await page.getByRole('tab', { name: 'Node.js' }).click();
  await expect(page.getByRole('region', { name: 'the lines for Node.js' })).toContainText(value);
  await site.installIntegration(await readSnippet(page));

  await page.getByRole('button', { name: 'Send test visit' }).click();
  const steps = page.getByRole('list', { name: 'Test visit steps' });
  await expect(steps.getByText('Identified and verified (done)')).toBeVisible();
  await expect(steps).toContainText(/The site responded with 200 in [\d,]+ ms/);
  await expect(page.getByText('The site is connected')).toBeVisible();
  await expectAccessible(page);
  await page.screenshot({ path: join(SCREENSHOTS, 'test-visit-verified.png'), fullPage: true });
  await page.getByRole('link', { name: 'Show in Realtime' }).click();
  const drawer = page.getByRole('dialog', { name: 'Visit' });
  await expect(drawer).toContainText(TEST_AGENT);
  await expect(drawer).toContainText('Verified');
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  const row = page.getByRole('row', { name: new RegExp(TEST_AGENT) }).first();
  await expect(row).toContainText('Verified');
});

test('shows a sample visit and marks it as a sample', async ({ signedIn: page, served }) => {
  await page.goto(`/projects/${served.projectId}/get-started`);
  await page.getByRole('button', { name: 'Send sample visit' }).click();
  await page.getByRole('link', { name: 'Show sample visit' }).click();
  const drawer = page.getByRole('dialog', { name: 'Visit' });
  await expect(drawer).toContainText('Sample visit: created with “Send sample visit”, not reported by the site.');
  await expect(drawer).toContainText('Verified');
});

async function expectDiagnosis(page: Page, projectId: string, text: RegExp, timeoutMs = 30_000): Promise<void> {
  await page.goto(`/projects/${projectId}/get-started?how=node`);
  await page.getByRole('button', { name: 'Send test visit' }).click();
  await expect(page.getByRole('status').filter({ hasText: text })).toBeVisible({ timeout: timeoutMs });
  await expect(page.getByRole('list', { name: 'Test visit steps' }).getByText('(failed)')).toHaveCount(1);
}

test('explains why each step in the test visit failed', async ({ signedIn, served, browser }) => {
  const storageState = await signedIn.context().storageState();
  test.setTimeout(240_000);
  const { client } = served;
  const createProject = async (name: string, siteAddress: string | null): Promise<string> => {
    const body = { name, site_address: siteAddress };
    return (await client.api<{ id: string }>('/projects', { method: 'POST', body })).id;
  };
  const cases: Record<string, [string, RegExp, number?]> = {
    'name-not-resolved': ['http://nowhere.invalid/', /nowhere\.invalid could not be resolved/, 20_000],
    'connection-refused': [`http://127.0.0.1:${await freePort()}`, /nothing is listening at 127\.0\.0\.1:\d+/],
    'tls-failed': [
      (await startSilentSite(() => undefined)).replace('http', 'https'),
      /The TLS connection to .+ failed/,
    ],
    'timed-out': [await startSilentSite(() => undefined), /did not respond within 10 s/, 25_000],
    redirected: [
      await startSilentSite((_, response) => response.writeHead(301, { location: 'https://www.example.com/' }).end()),
      /redirects to another host \(https:\/\/www\.example\.com\//,
    ],
    'not-reported': [
      await startSilentSite((_, response) => response.writeHead(403).end()),
      /The site responded with 403, but did not report the visit within 15 s\..+bot protection/s,
      25_000,
    ],
  };
  await Promise.all(
    Object.entries(cases).map(async ([name, [siteAddress, text, timeoutMs]]) => {
      // Use a separate context for each case, because each open stream uses one of the browser's six connections per
      // server.
      const context = await browser.newContext({ baseURL: served.url, storageState });
      const page = await context.newPage();
      await expectDiagnosis(page, await createProject(name, siteAddress), text, timeoutMs);
      await page.screenshot({ path: join(SCREENSHOTS, `test-visit-${name}.png`), fullPage: true });
      await context.close();
    }),
  );

  await signedIn.goto(`/projects/${await createProject('no-site', null)}/get-started`);
  await expect(signedIn.getByText('This project has no site address.')).toBeVisible();
  await expect(signedIn.getByRole('button', { name: 'Send test visit' })).toBeDisabled();
});

test('names the revoked token and lists the rejected request', async ({ signedIn: page, served }) => {
  test.setTimeout(240_000);
  const { client } = served;
  const site = await Site.start();
  const body = { name: 'Wrong token', site_address: site.url };
  const { id } = await client.api<{ id: string }>('/projects', { method: 'POST', body });
  const { id: tokenId } = await client.api<{ id: string }>(`/projects/${id}/tokens`, {
    method: 'POST',
    body: { name: 'shop-eu' },
  });
  await page.goto(`/projects/${id}/get-started?how=node`);
  await page.getByRole('button', { name: 'More options' }).click();
  await expect(page.getByText('None. When your site sends')).toBeVisible();
  await expect(page.getByRole('region', { name: 'the lines for Node.js' })).toContainText('agt_');
  await site.installIntegration(await readSnippet(page));
  await client.api(`/projects/${id}/tokens/${tokenId}`, { method: 'DELETE' });
  await page.getByRole('button', { name: 'Send test visit' }).click();
  const text = 'The site sent a report with the revoked token “shop-eu” (401).';
  await expect(page.getByText(text)).toBeVisible();
  const rejectedRequest = page.getByRole('listitem').filter({ hasText: 'POST /visits with “shop-eu”' });
  // The site can also report the console's robots.txt fetch.
  await expect(rejectedRequest.first()).toContainText('401');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 320, height: 700 });
    await expectNoHorizontalScroll(page);
    await expectAccessible(page);
    await page.screenshot({ path: join(SCREENSHOTS, `test-visit-refused-${colorScheme}.png`), fullPage: true });
  }
});

test('rejects private addresses and names the setting that allows them', async ({ page }) => {
  const strict = await startInstance();
  await page.context().addCookies([strict.session]);
  await page.goto(`${strict.url}/projects?create=true`);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Inside');
  await dialog.getByLabel('Site address').fill('http://127.0.0.1:9');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('button', { name: 'Send test visit' }).click();
  await expect(page.getByText('127.0.0.1:9 has no public address')).toBeVisible();
  await expect(page.getByText('TEST_VISIT_ALLOW_PRIVATE=true')).toBeVisible();
  await strict.dispose();
});

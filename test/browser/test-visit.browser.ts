import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { freePort } from '../kit/instance.js';
import { disposeSites, silentSite, Site } from '../kit/site.js';
import { ADMIN } from './admin.js';
import { expect, expectAccessible, expectNoSidewaysScroll, SCREENSHOTS, startInstance, test } from './fixture.js';

const TEST_AGENT = 'Agent Traffic Test Agent';

test.afterAll(() => disposeSites());

const linesOn = (page: Page): Promise<string> =>
  page.getByRole('region', { name: 'the lines for Node.js' }).innerText();

test('from the sign-in to a verified visit of the test agent', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const site = await Site.start();
  await page.goto('/');
  await page.getByLabel('E-mail address').fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();

  await page.getByRole('button', { name: 'New project' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('A site of ours');
  await dialog.getByLabel('Site address').fill(site.url);
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Tokens' }).click();
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
  await site.integrate(await linesOn(page));

  await page.getByRole('button', { name: 'Send a test visit' }).click();
  const steps = page.getByRole('list', { name: 'Steps of the test visit' });
  await expect(steps.getByText('Identified and verified (done)')).toBeVisible();
  await expect(steps).toContainText(/The site answered 200 in \d+ ms/);
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
  await page.getByRole('button', { name: 'Send a sample visit' }).click();
  await page.getByRole('link', { name: 'Show sample visit' }).click();
  const drawer = page.getByRole('dialog', { name: 'Visit' });
  await expect(drawer).toContainText('Sample visit: made by “Send a sample visit”, not by the site.');
  await expect(drawer).toContainText('Verified');
});

async function expectDiagnosis(page: Page, projectId: string, text: RegExp, within = 30_000): Promise<void> {
  await page.goto(`/projects/${projectId}/get-started?how=node`);
  await page.getByRole('button', { name: 'Send a test visit' }).click();
  await expect(page.getByRole('status').filter({ hasText: text })).toBeVisible({ timeout: within });
  await expect(page.getByRole('list', { name: 'Steps of the test visit' }).getByText('(failed)')).toHaveCount(1);
}

test('diagnoses each failed step of the test visit', async ({ signedIn, served, browser }) => {
  const storageState = await signedIn.context().storageState();
  test.setTimeout(240_000);
  const { client } = served;
  const projectOf = async (name: string, siteAddress: string | null): Promise<string> => {
    const body = { name, site_address: siteAddress };
    return (await client.api<{ id: string }>('/projects', { method: 'POST', body })).id;
  };
  const cases: Record<string, [string, RegExp, number?]> = {
    'name-not-resolved': ['http://nowhere.invalid/', /nowhere\.invalid has no address/, 20_000],
    'connection-refused': [`http://127.0.0.1:${await freePort()}`, /Nothing listens at 127\.0\.0\.1:\d+/],
    'tls-failed': [(await silentSite(() => undefined)).replace('http', 'https'), /TLS failed/],
    'timed-out': [await silentSite(() => undefined), /did not answer within 10 s/, 25_000],
    redirected: [
      await silentSite((_, response) => response.writeHead(301, { location: 'https://www.example.com/' }).end()),
      /redirects to another host: https:\/\/www\.example\.com\//,
    ],
    'not-reported': [
      await silentSite((_, response) => response.writeHead(403).end()),
      /The site answered 403, but nothing was reported within 15 s\..+bot protection/s,
      25_000,
    ],
  };
  await Promise.all(
    Object.entries(cases).map(async ([name, [siteAddress, text, within]]) => {
      // Each open stream uses one of the browser's six connections per server, so every case gets its own context.
      const context = await browser.newContext({ baseURL: served.url, storageState });
      const page = await context.newPage();
      await expectDiagnosis(page, await projectOf(name, siteAddress), text, within);
      await page.screenshot({ path: join(SCREENSHOTS, `test-visit-${name}.png`), fullPage: true });
      await context.close();
    }),
  );

  await signedIn.goto(`/projects/${await projectOf('no-site', null)}/get-started`);
  await expect(signedIn.getByText('The project has no site address.')).toBeVisible();
  await expect(signedIn.getByRole('button', { name: 'Send a test visit' })).toBeDisabled();
});

test('names a revoked token and lists the rejected request', async ({ signedIn: page, served }) => {
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
  await expect(page.getByText('None. When your site sends')).toBeVisible();
  await expect(page.getByRole('region', { name: 'the lines for Node.js' })).toContainText('agt_');
  await site.integrate(await linesOn(page));
  await client.api(`/projects/${id}/tokens/${tokenId}`, { method: 'DELETE' });
  await page.getByRole('button', { name: 'Send a test visit' }).click();
  const text = 'The site reported, but with a revoked token, “shop-eu” (401).';
  await expect(page.getByText(text)).toBeVisible();
  const refused = page.getByRole('listitem').filter({ hasText: 'POST /visits with “shop-eu”' });
  await expect(refused).toContainText('401');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 320, height: 700 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.screenshot({ path: join(SCREENSHOTS, `test-visit-refused-${colorScheme}.png`), fullPage: true });
  }
});

test('rejects a private address and names the setting that allows it', async ({ page }) => {
  const strict = await startInstance();
  await page.context().addCookies([strict.session]);
  await page.goto(`${strict.url}/projects?create=true`);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Inside');
  await dialog.getByLabel('Site address').fill('http://127.0.0.1:9');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('button', { name: 'Send a test visit' }).click();
  await expect(page.getByText('127.0.0.1:9 is not at a public address')).toBeVisible();
  await expect(page.getByText('TEST_VISIT_ALLOW_PRIVATE=true')).toBeVisible();
  await strict.dispose();
});

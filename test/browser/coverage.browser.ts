import { gzipSync } from 'node:zlib';
import { expect, expectLooks, test } from './fixture.js';

const HOST = 'coverage.example';
const GPTBOT = { 'user-agent': 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)' };
const CLAUDEBOT = { 'user-agent': 'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)' };
const DAY_MS = 86_400_000;
/** Ingest counts fetches every minute. */
const COUNT_TIMEOUT_MS = 90_000;

const visit = (path: string, headers: object, days: number, status = 200) => ({
  request_path: path,
  request_method: 'GET',
  request_headers: headers,
  response_status_code: status,
  created: new Date(Date.now() - days * DAY_MS).toISOString(),
});

test('shows which pages agents have never fetched', async ({ signedIn: page, served }) => {
  test.setTimeout(2 * COUNT_TIMEOUT_MS);
  const { client } = served;
  const { id } = await client.api<{ id: string }>('/projects', {
    method: 'POST',
    body: { name: 'Docs', host_names: [HOST] },
  });
  await page.goto(`/projects/${id}/coverage`);
  await expect(page.getByText('No pages in sitemaps')).toBeVisible();
  await expectLooks(page, 'coverage-empty');

  const paths = ['/', '/about', '/docs/a', '/docs/b', '/docs/c', '/blog/x'];
  const text = paths.map((path) => `https://${HOST}${path}`).join('\n');
  const file = { name: 'sitemap.txt.gz', mimeType: 'application/gzip', buffer: gzipSync(text) };
  await page.getByLabel('Sitemap file').setInputFiles(file);
  await expect(page.getByText(`Uploaded file (${HOST})`)).toBeVisible();
  const { token } = await client.api<{ token: string }>(`/projects/${id}/tokens`, { method: 'POST', body: {} });
  const visits = [
    visit('/docs/a', GPTBOT, 0),
    visit('/docs/b?x=1', GPTBOT, 3),
    visit('/about', GPTBOT, 12, 404),
    visit('/hidden', GPTBOT, 1),
    visit('/blog/x', CLAUDEBOT, 40),
  ];
  expect((await client.post('/visits', visits, { token })).status).toBe(204);
  await expect(async () => {
    await page.reload();
    await expect(
      page
        .getByRole('table')
        .first()
        .getByRole('columnheader', { name: /GPTBot/ }),
    ).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: COUNT_TIMEOUT_MS });
  await expect(page.getByText('No visits were reported on')).toBeVisible();
  await expect(page.getByText('were fetched for training')).toBeVisible();
  await expectLooks(page, 'coverage');

  await page.getByRole('tab', { name: 'Agents' }).click();
  await expect(page.getByRole('row', { name: /GPTBot/ })).toBeVisible();
  await expectLooks(page, 'coverage-agents');
  await page.getByRole('tab', { name: 'Folders' }).click();
  await page.getByRole('button', { name: /pages in \/docs\/ fetched by GPTBot/ }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('row', { name: /\/docs\/c/ })).toBeVisible();
  await expect(drawer.getByRole('row', { name: /\/docs\/a/ })).toBeHidden();
  await expectLooks(page, 'coverage-pages');
  await drawer.getByLabel('Show').selectOption('Fetched');
  await drawer.getByRole('link', { name: /visits to \/docs\/b/ }).click();
  await expect(page).toHaveURL(/\/visits\?/);
  await expect(page.getByText('/docs/b?x=1').first()).toBeVisible();

  const path_patterns = [
    { name: 'Start of the docs', pattern: '/docs/a*' },
    { name: 'Other docs', pattern: '/docs/*' },
  ];
  await client.api(`/projects/${id}`, { method: 'PATCH', body: { path_patterns } });
  await page.goto(`/projects/${id}/coverage`);
  await page.getByRole('tab', { name: 'Path patterns' }).click();
  await expect(page.getByRole('rowheader', { name: 'Other docs' })).toBeVisible();
  await expectLooks(page, 'coverage-patterns');
  await page.getByRole('button', { name: /pages in \/docs\/\* fetched by GPTBot/ }).click();
  await expect(drawer.getByRole('row', { name: /\/docs\/c/ })).toBeVisible();
  await drawer.getByLabel('Show').selectOption('All pages in sitemaps');
  await expect(drawer.getByRole('row', { name: /\/docs\/b/ })).toBeVisible();
  await expect(drawer.getByRole('row', { name: /\/docs\/a/ })).toBeHidden();
});

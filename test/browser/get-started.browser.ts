import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { DRAIN_SENDERS } from '#libs/drains';
import { generateLog } from '../log-generator.js';
import { expect, expectAccessible, expectNoHorizontalScroll, SCREENSHOTS, test } from './fixture.js';

const LINES = 20_000;

const TABS = [
  ['Node.js', 'Python', 'PHP', 'curl'],
  ['nginx', 'Caddy', 'Apache', 'Log file'],
  DRAIN_SENDERS.map(({ label }) => label),
];

const summaryCell = (page: Page, row: string) =>
  page.getByRole('table', { name: 'Import summary' }).getByRole('row', { name: row }).getByRole('cell');

const formatCount = (count: number): string => count.toLocaleString('en-US');

async function dropFiles(page: Page, files: { name: string; bytes: Buffer }[]): Promise<void> {
  const filesJson = JSON.stringify(files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') })));
  const data = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of ${filesJson}) {
      transfer.items.add(new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], name));
    }
    return transfer;
  })()`);
  await page.getByText('Drop log files here').dispatchEvent('drop', { dataTransfer: data });
}

test('imports a dropped log only once and links to its range', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Imported' } });
  await served.client.api(`/projects/${id}/tokens`, { method: 'POST', body: {} });
  const start = new Date(Date.now() - 3 * 86_400_000);
  const log = generateLog({ lines: LINES, unreadableEvery: 1_000, start });
  const packed = generateLog({ lines: 3_000, seed: 2, start });
  await page.goto(`/projects/${id}/get-started?how=log`);
  await dropFiles(page, [
    { name: 'access.log', bytes: Buffer.from(log.text) },
    { name: 'access.log.1.gz', bytes: gzipSync(packed.text) },
  ]);
  // The page remains responsive during the import.
  await page.getByRole('button', { name: 'Pause import' }).click();
  const paused = await page.getByText(/lines, paused/).innerText();
  expect(Number(/^[\d,]+/.exec(paused)![0].replaceAll(',', ''))).toBeLessThan(LINES);
  await expect(page.getByRole('progressbar', { name: 'Import' })).toBeVisible();
  await expectAccessible(page);
  await page.screenshot({ path: join(SCREENSHOTS, 'log-import-paused.png'), fullPage: true });
  await page.getByRole('button', { name: 'Resume import' }).click();
  await expect(page.getByText('Import finished')).toBeVisible({ timeout: 120_000 });

  await expect(summaryCell(page, 'Lines read')).toHaveText(formatCount(LINES + 3_000));
  await expect(summaryCell(page, 'Visits recorded')).toHaveText(formatCount(log.readable + packed.readable));
  await expect(summaryCell(page, 'Unreadable')).toHaveText(formatCount(log.unreadable.length));
  const first = page.getByRole('list', { name: 'Unreadable lines' }).getByRole('listitem').first();
  await expect(first).toContainText(`access.log, line ${formatCount(log.unreadable[0]!)}: `);
  await expectAccessible(page);
  await expectNoHorizontalScroll(page);
  await expect(page.getByText('Apache and nginx, combined: visits can be verified by addresses.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Most frequent agents' }).getByRole('listitem').first()).toBeVisible();
  await page.screenshot({ path: join(SCREENSHOTS, 'log-import-done.png'), fullPage: true });

  await page.getByRole('link', { name: 'Show imported visits in the overview' }).click();
  await expect(page).toHaveURL(/from=.*&to=/);
  const counted = page.getByRole('link', { name: /^[\d,]+ (Agent visits|Unknown visitors): show them$/ });
  const sum = async (): Promise<number> =>
    (await counted.allInnerTexts()).reduce(
      (all, text) => all + Number(/^[\d,]+/.exec(text)![0].replaceAll(',', '')),
      0,
    );
  await expect.poll(sum).toBe(log.readable + packed.readable);

  // Import the same log again on a narrow page.
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`/projects/${id}/get-started?how=log`);
  await expectNoHorizontalScroll(page);
  await dropFiles(page, [{ name: 'access.log', bytes: Buffer.from(log.text) }]);
  await expect(page.getByText('Import finished')).toBeVisible({ timeout: 120_000 });
  // The exact number varies, because visits in a retried request count as already recorded. Nothing is stored twice in
  // any case.
  await expect(summaryCell(page, 'Already recorded')).not.toHaveText('0');
  const { current } = await served.client.api<{ current: { visits: number } }>(
    `/projects/${id}/overview?from=${start.toISOString()}`,
  );
  expect(current.visits).toBe(log.readable + packed.readable);
  await expectNoHorizontalScroll(page);
  await expectAccessible(page);
  await page.screenshot({ path: join(SCREENSHOTS, 'log-import-again-phone.png'), fullPage: true });
});

test('cancels an import and reports a truncated file', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Half' } });
  await served.client.api(`/projects/${id}/tokens`, { method: 'POST', body: {} });
  const { text } = generateLog({ lines: 4_000, start: new Date(Date.now() - 86_400_000) });
  await page.goto(`/projects/${id}/get-started?how=log`);
  await page.route('**/visits', (route) => route.fulfill({ status: 503, headers: { 'retry-after': '60' } }));
  await dropFiles(page, [{ name: 'access.log', bytes: Buffer.from(text) }]);
  await expect(page.getByText('Waiting to retry.')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel import' }).click();
  await expect(page.getByText('Import canceled')).toBeVisible();
  await expect(page.getByText('To resume, import the log again')).toBeVisible();
  await page.unroute('**/visits');

  await page.getByRole('button', { name: 'Import another log' }).click();
  const packed = gzipSync(text);
  await dropFiles(page, [{ name: 'short.gz', bytes: packed.subarray(0, packed.length - 2_000) }]);
  await expect(page.getByText('Import finished')).toBeVisible();
  await expect(page.getByText('short.gz: The end of the file can’t be decompressed.')).toBeVisible();
});

test('shows the code in every tab with the keyboard and fits on a phone screen', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Tabs' } });
  await served.client.api(`/projects/${id}/tokens`, { method: 'POST', body: {} });
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`/projects/${id}/get-started`);
  await page.getByRole('radio', { name: 'Your site’s code' }).focus();
  for (const tabs of TABS) {
    if (tabs !== TABS[0]) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    for (const name of tabs) {
      if (name !== tabs[0]) await page.keyboard.press('ArrowRight');
      await expect(page.getByRole('tab', { name, exact: true })).toHaveAttribute('aria-selected', 'true');
      const lines = page.getByRole('tabpanel').getByRole('region');
      await expect(lines.first()).toBeVisible();
      expect((await lines.allInnerTexts()).join('\n')).toMatch(/agt_/);
      await expectNoHorizontalScroll(page);
    }
    await expectAccessible(page);
    await page.screenshot({ path: join(SCREENSHOTS, `get-started-${tabs.at(-1)!}.png`), fullPage: true });
    await page.keyboard.press('Shift+Tab');
  }
  await page.goto(`/projects/${id}/get-started?how=node&framework=hono`);
  await expect(page.getByRole('region', { name: 'lines for Node.js, part 2' })).toContainText('context.env.incoming');
  await page.getByLabel('Framework').selectOption('Express');
  await expect(page).toHaveURL(/framework=express/);
  await expect(page.getByRole('region', { name: 'lines for Node.js, part 2' })).toContainText('app.use((request');
});

test('configures a log drain and shows accepted and rejected lines', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Drains' } });
  const path = `/projects/${id}/tokens`;
  const { token } = await served.client.api<{ token: string }>(path, { method: 'POST', body: {} });
  await page.goto(`/projects/${id}/get-started`);
  await page.getByRole('radio', { name: 'A CDN or log collector' }).check();
  await expect(page.getByRole('region', { name: 'the lines for Cloudflare' })).toHaveText(
    `${served.url}/drains/cloudflare-logpush?header_Authorization=Bearer%20${token}`,
  );
  await expect(page.getByText('This instance needs a public HTTPS address')).toBeVisible();
  await page.getByRole('tab', { name: 'JSON', exact: true }).click();
  await expect(page).toHaveURL(/how=json/);
  await expect(page.getByText('Waiting for the first batch.')).toBeVisible();
  await page.getByText('Last unreadable lines (0)').click();
  await expect(page.getByText('None. If a line can’t be parsed, it appears here')).toBeVisible();

  const mapping = page.getByLabel('Mapping');
  await mapping.fill('time=ts\nclient=ip');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Add path. Required fields: time, client, path.')).toBeVisible();
  await mapping.fill('time=ts\nclient=ip\npath=where');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();

  const at = { ts: new Date().toISOString(), ip: '192.0.2.1' };
  const body = [{ ...at, where: '/a' }, { ...at, where: '/a.png' }, at].map((line) => JSON.stringify(line)).join('\n');
  // The gateway takes a moment to load the new mapping.
  await expect(async () => {
    const response = await served.client.post('/drains/json', body, { token });
    expect(await response.json()).toMatchObject({ lines: 3, visits: 1, static_files: 1, unreadable: 1 });
  }).toPass();
  await expect(page.getByText(/^1 visit, last batch/)).toBeVisible();
  await expect(page.getByText(/^Last batch: 3 lines: 1 visit, 1 static file skipped, 1 unreadable/)).toBeVisible();
  const firstUnreadable = page.getByRole('list', { name: 'Last unreadable lines' }).getByRole('listitem').first();
  await expect(firstUnreadable).toContainText('no path at "where"');
  await expectAccessible(page);
  await page.screenshot({ path: join(SCREENSHOTS, 'drain-arrived.png'), fullPage: true });
  await page.reload();
  await expect(mapping).toHaveValue('time=ts\nclient=ip\npath=where');
});

test('loads, labels, and removes demo data', async ({ signedIn: page, served }) => {
  test.setTimeout(360_000);
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Empty' } });
  await page.goto(`/projects/${id}/overview`);
  await expect(page.getByText('No visits yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Load demo data' })).toBeVisible();
  await page.getByRole('link', { name: 'How to report visits' }).click();
  await page.getByRole('button', { name: 'Send sample visit' }).click();
  await expect(page.getByText(/^Your first visitor: /)).toBeVisible();
  await page.getByRole('button', { name: 'Load demo data' }).click();
  await expect(page.getByText(/Loading demo data: [\d,]+ visits so far/)).toBeVisible();
  // The project is no longer empty, but the demo section remains at the top while the page is open.
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Demo data');
  await expectAccessible(page);
  await page.screenshot({ path: join(SCREENSHOTS, 'demo-loading.png') });
  await page.getByRole('link', { name: 'Demo shop' }).click({ timeout: 240_000 });
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  await expect(page.getByRole('banner').getByText('Demo', { exact: true })).toBeVisible();
  await expect(page.locator('[data-chart="bars"]').first()).toBeVisible();
  // Although no address lists are loaded here, replayed signatures still reveal that the visitor is an impostor.
  await expect(page.getByRole('link', { name: /^203\.0\.113\.0\/24 (claimed|made)/ }).first()).toBeVisible();
  await page.screenshot({ path: join(SCREENSHOTS, 'demo-overview.png'), fullPage: true });

  await page.getByRole('link', { name: 'Get started' }).click();
  await page.getByRole('button', { name: 'More options' }).click();
  // The proposal appears above the button and moves it.
  await expect(page.getByRole('button', { name: 'Use this setting' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove demo data' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove demo data' }).click();
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Demo shop' })).toHaveCount(0);
  await page.goto(`/projects/${id}/get-started`);
  await page.getByRole('button', { name: 'More options' }).click();
  await expect(page.getByRole('button', { name: 'Load demo data' })).toBeVisible();
});

test('detects how visitors reach the site and applies the setting with one click', async ({
  signedIn: page,
  served,
}) => {
  const { id } = await served.client.api<{ id: string }>('/projects', {
    method: 'POST',
    body: { name: 'Behind a CDN' },
  });
  const { token } = await served.client.api<{ token: string }>(`/projects/${id}/tokens`, { method: 'POST', body: {} });
  await page.goto(`/projects/${id}/get-started#visitor-path`);
  const section = page.locator('section', { hasText: 'How visitors reach the site' });
  const choice = section.getByLabel('Visitors connect');
  await expect(choice.getByRole('option', { selected: true })).toHaveText('Not sure (detect it from the first visits)');
  const visit = {
    request_path: '/',
    request_method: 'GET',
    request_headers: {
      'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      'x-forwarded-for': '66.249.66.1',
      'cf-connecting-ip': '66.249.66.1',
    },
  };
  const response = await served.client.post(
    '/visits',
    Array.from({ length: 6 }, () => visit),
    { token },
  );
  expect(response.status).toBe(204);
  await expect(section.getByText('Visitors seem to come through Cloudflare')).toBeVisible({ timeout: 40_000 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoHorizontalScroll(page);
  await page.screenshot({ path: join(SCREENSHOTS, 'get-started-visitor-path.png') });
  await page.goto(`/projects/${id}/verification`);
  await expect(page.getByRole('note')).toContainText('The address comes from a header that anyone can forge');
  await expectNoHorizontalScroll(page);
  await page.getByRole('link', { name: 'Specify how visitors reach the site' }).click();
  await section.getByRole('button', { name: 'Use this setting' }).click();
  await expect(section.getByText('Visitors seem to come through Cloudflare')).toBeHidden();
  await expect(choice.getByRole('option', { selected: true })).toHaveText('Through Cloudflare');
  await page.goto(`/projects/${id}/settings?tab=visits`);
  await expect(page.getByRole('radio', { name: /A CDN, or your own proxies/ })).toBeChecked();
  await expectNoHorizontalScroll(page);
  await page.goto(`/projects/${id}/verification`);
  await expect(page.getByRole('heading', { name: 'Verification' })).toBeVisible();
  await expect(page.getByRole('note')).toBeHidden();
});

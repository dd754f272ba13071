import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { addFilter } from './add-filter.js';
import { expect, expectAccessible, expectNoHorizontalScroll, test as base, type TestInstance } from './fixture.js';

const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });

const day = (from: number): string => new Date(Date.now() + from * 86_400_000).toISOString();
const toVisitsPath = (query = ''): string => `visits?from=${day(-30)}&to=${day(0)}${query}`;

async function open(page: Page, demo: TestInstance, path: string): Promise<void> {
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/${path}`);
}

async function readLines(download: Download): Promise<string[]> {
  return (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
}

const total = (page: Page) => page.getByRole('status').filter({ hasText: /visits/ });
const scrollToEnd = (page: Page): Promise<void> =>
  page.getByRole('table').evaluate((element: { scrollTop: number }) => {
    element.scrollTop = 1_000_000;
  });
const times = (page: Page): Promise<string[]> =>
  page.locator('[data-cell=time] a').evaluateAll((links: { title: string }[]) => links.map(({ title }) => title));

test('loads visits page by page, shows their total and their days, and exports them', async ({ page, demo }) => {
  await open(page, demo, toVisitsPath());
  await expect(total(page)).toHaveText(/^[\d,]+ visits, 100 loaded$/);
  const { visits } = await demo.client.api<{ visits: number }>(
    `/projects/${demo.projectId}/visits/count?from=${day(-30)}&to=${day(0)}`,
  );
  await expect(total(page)).toHaveText(`${visits.toLocaleString('en')} visits, 100 loaded`);
  const table = page.getByRole('table');
  await expect(table.getByRole('cell', { name: /^\w+day, \w+ \d+, \d{4}$/ }).first()).toBeVisible();
  await scrollToEnd(page);
  await expect(total(page)).toContainText('200 loaded');

  await page.goto(`${page.url()}&status=500`);
  await expect(total(page)).toHaveText(/^[\d,]+ visits/);
  const shown = Number(/^[\d,]+/.exec(await total(page).innerText())![0].replaceAll(',', ''));
  for (const [format, heads] of [
    ['NDJSON', 0],
    ['CSV', 1],
  ] as const) {
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: format, exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^[a-z-]+-visits-\d{4}-\d\d-\d\dT\d{4}Z-.+Z\.(nd)?(json|csv)$/);
    expect((await readFile(await download.path(), 'utf8')).trim().split('\n')).toHaveLength(shown + heads);
  }
});

test('sums up the visits, and links each number to as many visits', async ({ page, demo }) => {
  await open(page, demo, 'visits?range=yesterday');
  const answer = page.getByText(/^[\d,]+ visits? by agents yesterday, /);
  await expect(answer).toBeVisible();
  for (const link of await answer.getByRole('link').all()) {
    const count = /[\d,]+/.exec(await link.innerText())![0];
    await link.click();
    await expect(page.getByText(new RegExp(`^${count} visits? match(es)? the filters yesterday`))).toBeVisible();
    await expect(total(page)).toHaveText(new RegExp(`^${count} visits?(, 100 loaded)?$`));
    await page.goBack();
    await expect(answer).toBeVisible();
  }
});

test('reverses the order with the keyboard and stores it in the URL', async ({ page, demo }) => {
  await open(page, demo, toVisitsPath());
  const head = page.getByRole('columnheader', { name: 'Time' });
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  await expect(page.locator('[data-cell=time]').first()).toBeVisible();
  const newest = await times(page);
  expect(newest).toEqual(newest.toSorted().toReversed());
  await head.getByRole('button').press('Enter');
  await expect(page).toHaveURL(/order=oldest/);
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  await expect(page.getByRole('table', { name: 'Visits, oldest first' })).toBeVisible();
  await expect.poll(async () => (await times(page))[0]! < newest[0]!).toBe(true);
  const oldest = await times(page);
  expect(oldest).toEqual(oldest.toSorted());
  await page.keyboard.press('j');
  await expect(page.locator('[role=row] a:focus')).toHaveAttribute('title', oldest[0]!);
});

test('filters by verdict in the chart, and offers actions for a row', async ({ page, demo }) => {
  await open(page, demo, toVisitsPath());
  await expect(page.getByRole('img', { name: /^Visits by verdict: [\d,]+ visits/ })).toBeVisible();
  await page.getByRole('button', { name: 'Filter by Verified' }).click();
  await expect(page).toHaveURL(/result=verified/);
  await expect(page.getByRole('button', { name: /^Remove: Verdict is/ })).toBeVisible();
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Copy for a ticket' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/visit=/);
});

test('moves to the previous and next visit in the drawer, also past the loaded visits', async ({ page, demo }) => {
  await open(page, demo, toVisitsPath());
  const rows = page.locator('[data-cell=time] a');
  await rows.nth(1).click();
  const drawer = page.getByRole('dialog', { name: 'Visit' });
  const [previous, next] = ['Previous visit', 'Next visit'].map((name) => drawer.getByRole('button', { name }));
  const [first, second] = (await rows.evaluateAll((links: { href: string }[]) => links.map(({ href }) => href))) as [
    string,
    string,
  ];
  await expect(page).toHaveURL(second);
  await previous!.click();
  await expect(page).toHaveURL(first);
  await expect(previous!).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('k');
  await page.keyboard.press('j');
  await expect(page).toHaveURL(second);
  await expectAccessible(page);
  for (let presses = 0; presses < 98; presses += 1) await page.keyboard.press('j');
  await expect(total(page)).toContainText('200 loaded');
  await expect(next!).toHaveAttribute('aria-disabled', 'false');
  await page.goBack();
  await expect(drawer).toBeHidden();
});

test('stores the selected columns in the URL and in the browser', async ({ page, demo }) => {
  await open(page, demo, toVisitsPath());
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
  await expect(head('Status')).toBeVisible();
  await page.getByRole('button', { name: 'Columns' }).press('Enter');
  const menu = page.getByRole('dialog', { name: 'Columns' });
  await menu.getByLabel('Status').press('Space');
  await menu.getByLabel('Host').press('Space');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(page.getByRole('button', { name: 'Columns' })).toBeFocused();
  await expect(head('Status')).toBeHidden();
  await expect(head('Host')).toBeVisible();
  await expect(page).toHaveURL(/columns=verdict%2Cagent%2Crequest%2C/);
  await open(page, demo, toVisitsPath());
  await expect(head('Host')).toBeVisible();
  // The columns in a link override the columns saved in this browser.
  await open(page, demo, toVisitsPath('&columns=status'));
  await expect(head('Status')).toBeVisible();
  await expect(head('Host')).toBeHidden();
  await page.getByRole('button', { name: 'Columns' }).click();
  await menu.getByRole('button', { name: 'Reset columns' }).click();
  await open(page, demo, toVisitsPath());
  await expect(head('Status')).toBeVisible();
  await expect(head('Host')).toBeHidden();
});

test('filters by page with or without the query string', async ({ page, demo }) => {
  await open(page, demo, `visits?from=${day(-30)}&to=${day(0)}&path=/&result=verified`);
  await expect(page.getByRole('heading', { name: 'Visits', level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Visits', exact: true })).toHaveAttribute('aria-current', 'page');
  const chips = page.getByRole('group', { name: 'Filters' });
  await expect(chips).toContainText('Path is /');
  await page.getByRole('button', { name: 'Remove: Path is /' }).click();
  await addFilter(page, 'Page', '/');
  await expect(chips).toContainText('Page is /');
  await expect(page).toHaveURL(/page=%2F(&|$)/);
  await expect(page.getByRole('row').nth(2)).toBeVisible();
  const requests = await page.locator('[data-cell=request]').allInnerTexts();
  for (const request of requests) expect(request).toMatch(/^\w+ \/(\?|$)/);
  await page.getByRole('link', { name: 'Live visits' }).click();
  await expect(page).toHaveURL(/realtime\?(page=%2F&result=verified|result=verified&page=%2F)$/);
});

test('retries loading a failed page of visits only on request', async ({ page, demo }) => {
  let requestCount = 0;
  await page.route(/\/visits\?.*cursor=/, (route) => {
    requestCount += 1;
    return route.fulfill({ status: 400, json: { title: 'Not now' } });
  });
  await open(page, demo, toVisitsPath());
  await scrollToEnd(page);
  await expect(page.getByText("Couldn't load the visits")).toBeVisible();
  // Allow enough time for an unwanted automatic retry.
  for (let times = 0; times < 5; times++) await page.request.get('/api/session');
  expect(requestCount).toBe(1);
  await page.unroute(/\/visits\?.*cursor=/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(total(page)).toContainText('200 loaded');
});

test('sorts tables by column and exports them as shown', async ({ page, demo }) => {
  await open(page, demo, 'agents?range=30d');
  const save = async (name: string): Promise<[file: string, lines: string[]]> => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
    return [download.suggestedFilename(), await readLines(download)];
  };
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
  await expect(head('Visits')).toHaveAttribute('aria-sort', 'descending');
  await head('Operator').getByRole('button').press('Enter');
  await expect(head('Operator')).toHaveAttribute('aria-sort', 'ascending');
  await expect(page).toHaveURL(/sort=operator/);
  await head('Operator').getByRole('button').press('Enter');
  await expect(head('Operator')).toHaveAttribute('aria-sort', 'descending');
  await page.locator('[aria-busy=false]').first().waitFor();
  const operators = await page.locator('[data-cell=operator]').allInnerTexts();
  const [file, lines] = await save('Export agents as CSV');
  expect(file).toMatch(/-agents-\d{4}-\d\d-\d\d.*\.csv$/);
  expect(lines[0]).toBe(
    'Agent,Type,Operator,Visits,Visits in the comparison period,Verified,Not verifiable,Failed verification,Verified visits,Visits that failed verification,Last seen',
  );
  expect(lines.length - 1).toBeGreaterThanOrEqual(operators.length);
  for (const [index, operator] of operators.entries()) expect(lines[index + 1]).toContain(operator);

  await open(page, demo, 'verification?range=30d&by=agent');
  await head('Claimed agent').getByRole('button').click();
  const claimed = await page.locator('td[data-cell=network]').allInnerTexts();
  const [, spoofs] = await save('Export failed verification as CSV');
  expect(spoofs).toHaveLength(claimed.length + 1);

  await open(page, demo, 'overview?range=7d&table=true');
  await head('Total').getByRole('button').press('Enter');
  await expect(head('Total')).toHaveAttribute('aria-sort', 'descending');
  const all = await page.locator('tbody tr td:last-child').allInnerTexts();
  const counts = all.map((text) => Number(text.replaceAll(',', '')));
  expect(counts).toEqual(counts.toSorted((one, other) => other - one));
  const [, buckets] = await save('Export Visits by agent type as CSV');
  expect(buckets).toHaveLength(counts.length + 1);
});

test('sorts tokens and address lists, and exports tokens without their secrets', async ({ page, demo }) => {
  for (const name of ['The first', 'A second one']) {
    await demo.client.api(`/projects/${demo.projectId}/tokens`, { method: 'POST', body: { name } });
  }
  await open(page, demo, 'settings?tab=tokens');
  const tokens = page.locator('section', { hasText: 'Access tokens' });
  await tokens.getByLabel('Sort by').selectOption('Name, Z to A');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    tokens.getByRole('button', { name: 'Export access tokens as CSV' }).click(),
  ]);
  const lines = await readLines(download);
  expect(lines[0]).toBe('Name,Created,Created by,Last used,Expires,Revoked');
  expect(lines.join()).not.toContain('agt_');

  await page.goto('/system#address-lists');
  const lists = page.getByRole('region', { name: 'Address lists' });
  await expect(lists.getByRole('row').nth(2)).toBeVisible();
  await lists.getByRole('columnheader', { name: 'Operator' }).getByRole('button').press('Enter');
  const shown = await lists.getByRole('rowheader').allInnerTexts();
  expect(shown).toEqual(shown.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })));
});

test('lists agents with visits first in the catalog and supports search and export', async ({ page, demo }) => {
  await page.context().addCookies([demo.session]);
  await page.goto('/catalog');
  const seen = page.locator('td[data-label="Visits, 30 days"]');
  await expect(seen.first()).toHaveText(/^[\d,]+$/);
  const first = (await seen.allInnerTexts())
    .filter((text) => text !== '–')
    .map((text) => Number(text.replaceAll(',', '')));
  expect(first.length).toBeGreaterThan(5);
  expect(first).toEqual(first.toSorted((one, other) => other - one));
  const names = page.getByRole('rowheader');
  await expect(names).toHaveCount(50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(names).toHaveCount(150);
  const broken = await page.locator('tbody th a, td[data-label="In robots.txt"]').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const range = cell.ownerDocument.createRange();
      range.selectNodeContents(cell);
      const name = cell.textContent ?? '';
      return /^\w{1,17}$/.test(name) && range.getClientRects().length > 1 ? [name] : [];
    }),
  );
  expect(broken, 'short names that wrap onto two lines').toEqual([]);
  await page.keyboard.press('/');
  await expect(page.getByRole('textbox', { name: 'Search' })).toBeFocused();
  await page.keyboard.type('openai');
  await expect(page).toHaveURL(/search=openai/);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export catalog as CSV' }).click(),
  ]);
  const lines = await readLines(download);
  expect(lines).toHaveLength((await names.count()) + 1);
  expect(download.suggestedFilename()).toMatch(/^agent-traffic-catalog-\d{4}-\d\d-\d\d\.csv$/);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 320, height: 700 } });

  test('offers the sort order in a dropdown on a phone', async ({ page, demo }) => {
    await open(page, demo, toVisitsPath('&order=oldest'));
    await expect(page.locator('[data-cell=time]').first()).toBeVisible();
    await expect(total(page)).toContainText('loaded');
    await expectNoHorizontalScroll(page);
    await expectAccessible(page);
    await page.getByLabel('Order').selectOption('Newest first');
    await expect(page).not.toHaveURL(/order=/);
  });

  test('scrolls the list with the page', async ({ page, demo }) => {
    await open(page, demo, toVisitsPath());
    await expect(total(page)).toContainText('100 loaded');
    const more = page.getByRole('button', { name: 'Show 25 more' });
    for (const lastIndex of [49, 74, 99]) {
      await more.click();
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      await expect(page.locator(`[data-index="${lastIndex}"]`)).toBeInViewport();
    }
    await expect(total(page)).toContainText('200 loaded');
    await expectNoHorizontalScroll(page);
  });
});

test('reloads scripts that failed to load', async ({ context, demo }) => {
  // Use a separate page, because the `page` fixture would fail on the expected error.
  const page = await context.newPage();
  const file = '**/assets/visit-table-*.js';
  await page.route(file, (route) => route.abort());
  await open(page, demo, toVisitsPath());
  const failure = page.getByRole('alert').filter({ hasText: /didn't load|dynamically imported module/ });
  await expect(failure).toBeVisible();
  await page.unroute(file);
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(total(page)).toContainText('100 loaded');
  await page.close();
});

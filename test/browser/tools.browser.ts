import {
  expect,
  expectAccessible,
  expectLooks,
  expectNoHorizontalScroll,
  test as base,
  type TestInstance,
} from './fixture.js';
import type { Page } from '@playwright/test';

const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });

async function open(page: Page, demo: TestInstance, search: string): Promise<void> {
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/tools${search}`);
}

const PAGES = {
  tools: { search: '?range=7d', ready: '[data-chart="grid"]' },
  'tools-table': { search: '?range=30d&table=true', ready: 'role=columnheader[name="Failed"]' },
  'tools-nothing': { search: '?from=2020-01-01&to=2020-01-02', ready: 'text=No tool calls or checkouts in this range' },
};

for (const [name, { search, ready }] of Object.entries(PAGES)) {
  test(name, async ({ page, demo }) => {
    await open(page, demo, search);
    await expect(page.locator(ready).first()).toBeVisible();
    await expectLooks(page, name);
  });
}

test.describe('tools on a phone', () => {
  test.use({ viewport: { width: 320, height: 700 } });

  test('shows each tool on two lines', async ({ page, demo }) => {
    await open(page, demo, '?range=7d');
    const row = page.getByRole('region', { name: 'Tools', exact: true }).locator('tbody tr').first();
    await expect(row).toBeVisible();
    const [calls, p95] = await Promise.all(
      ['calls', 'p95'].map((key) => row.locator(`[data-cell=${key}]`).boundingBox()),
    );
    expect(p95!.y).toBeGreaterThan(calls!.y);
    await expect(row.locator('[data-cell=p50]')).toBeHidden();
    await expectNoHorizontalScroll(page);
    await expectAccessible(page);
  });
});

test('links numbers to the visits they count', async ({ page, demo }) => {
  await open(page, demo, '?range=7d');
  await expect(page.getByText(/^[\d,]+ of [\d,]+ tool calls failed in the last 7 days/)).toBeVisible();
  const calls = page.getByRole('link', { name: / calls to search_products$/ }).first();
  const count = /^[\d,]+/.exec(await calls.innerText())![0];
  await calls.click();
  await expect(page.getByRole('heading', { name: 'Visits', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/mcp_tool=search_products/);
  await expect(page.getByText(`${count} visits`, { exact: true })).toBeVisible();
  const filters = page.getByRole('group', { name: 'Filters' });
  await expect(filters).toContainText('MCP tool is search_products');

  await page.goBack();
  await page.getByRole('tab', { name: 'By agent' }).click();
  await page.getByRole('link', { name: /checkouts by Google-Agent$/ }).click();
  await expect(page).toHaveURL(/kind=ucp/);
  await expect(filters).toContainText('Kind is UCP');
  await expect(page.getByRole('row').nth(2)).toContainText('Google-Agent');

  await page.goBack();
  await page.getByRole('tab', { name: /^Checkouts/ }).click();
  await page.getByRole('link', { name: /^Open visit\W+Completed$/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('lists each caller once and expands its tools', async ({ page, demo }) => {
  await open(page, demo, '?range=7d&tab=callers');
  const row = page.getByRole('region', { name: 'Callers', exact: true }).getByRole('row', { name: /^ChatGPT-User/ });
  await expect(row).toHaveCount(1);
  await row.getByRole('button', { name: /more tools of ChatGPT-User$/ }).click();
  await expect(row.getByRole('link', { name: / calls to check_stock$/ })).toBeVisible();
});

test('shows tools in the navigation only for projects that use them, and exports tables', async ({ page, demo }) => {
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/overview?range=7d`);
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await expect(page).toHaveURL(/tools\?range=7d/);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export tools as CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/tools.*\.csv$/);
  const tools = page.getByRole('region', { name: 'Tools', exact: true });
  await tools.getByRole('button', { name: 'Failed', exact: true }).press('Enter');
  await expect(tools.getByRole('columnheader', { name: 'Failed' })).toHaveAttribute('aria-sort', 'descending');

  const { id } = await demo.client.api<{ id: string }>('/projects', {
    method: 'POST',
    body: { name: 'No tools' },
  });
  await page.goto(`/projects/${id}/overview`);
  await expect(page.getByRole('link', { name: 'Verification' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^(Tools|Paid crawling)$/ })).toHaveCount(0);
});

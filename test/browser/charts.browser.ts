import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoHorizontalScroll, SCREENSHOTS, test as base } from './fixture.js';

const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });

const GRID = '[data-chart="grid"] >> nth=0';

test.beforeEach(async ({ page, demo }) => {
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/overview?range=7d`);
  await expect(page.locator(GRID)).toBeVisible();
});

/** Points at a fraction of the chart's width. Expects a tooltip next to the pointer. */
async function expectTooltipAt(page: Page, share: number): Promise<void> {
  const tooltip = page.locator('[data-chart="tooltip"]');
  const cursor = page.locator('[data-chart="cursor"]');
  // Measure the chart and move the pointer again until the tooltip appears. The chart can still be redrawn or moved, and
  // only notices the pointer when it moves.
  await expect(async () => {
    await page.locator(GRID).scrollIntoViewIfNeeded({ timeout: 1000 });
    const grid = (await page.locator(GRID).boundingBox({ timeout: 1000 }))!;
    const [x, y] = [grid.x + grid.width * share, grid.y + grid.height / 2];
    await page.mouse.move(x - 2, y);
    await page.mouse.move(x, y);
    await expect(tooltip).toContainText('Total', { timeout: 1000 });
    const line = (await cursor.boundingBox({ timeout: 1000 }))!;
    // The cursor covers the item, so its center is at most half an item away from the pointer. This tolerance is enough
    // for charts with ten or more items.
    expect(Math.abs(line.x + line.width / 2 - x)).toBeLessThan(grid.width / 20);
    const { x: left, width } = (await tooltip.boundingBox({ timeout: 1000 }))!;
    expect(left > x ? left - x : Math.max(0, x - left - width)).toBeLessThan(60);
  }).toPass();
}

test('shows the tooltip at the pointer after selecting a range and zooming the browser', async ({ page }) => {
  await expectTooltipAt(page, 0.3);
  const box = (await page.locator(GRID).boundingBox())!;
  const at = (share: number): [number, number] => [box.x + box.width * share, box.y + box.height / 2];
  await page.mouse.move(...at(0.7));
  await page.mouse.down();
  await page.mouse.move(...at(0.8));
  await page.mouse.move(...at(0.9));
  await page.mouse.up();
  await expect(page).toHaveURL(/from=.*to=/);
  await expect(page.locator(GRID)).toBeVisible();
  for (const share of [0.25, 0.75]) await expectTooltipAt(page, share);

  // Zooming in makes the viewport smaller and the pixels larger.
  const browser = await page.context().newCDPSession(page);
  const zoom = (scale: number) =>
    browser.send('Emulation.setDeviceMetricsOverride', {
      width: Math.round(1280 / scale),
      height: Math.round(800 / scale),
      deviceScaleFactor: scale,
      mobile: false,
    });
  for (const scale of [1.5, 0.75]) {
    await zoom(scale);
    await expect.poll(() => page.evaluate('devicePixelRatio')).toBe(scale);
    await page.locator(GRID).scrollIntoViewIfNeeded();
    for (const share of [0.25, 0.75]) await expectTooltipAt(page, share);
  }
});

test('sums only the visible series in the comparison', async ({ page, demo }) => {
  await page.goto(`/projects/${demo.projectId}/overview?range=24h&table=true`);
  const column = async (name: string): Promise<number> => {
    const heads = await page.getByRole('columnheader').allInnerTexts();
    const index = heads.findIndex((head) => head.startsWith(name));
    const cells = await page.locator(`tbody tr > :nth-child(${index + 1})`).allInnerTexts();
    return cells.reduce((sum, cell) => sum + (Number(cell.replaceAll(',', '')) || 0), 0);
  };
  await expect(page.getByRole('row').nth(3)).toBeVisible();
  const all = await column('The 24 hours before');
  expect(all).toBeGreaterThan(0);
  await page.goto(`/projects/${demo.projectId}/overview?range=24h`);
  const key = page.getByRole('list', { name: 'Series' });
  await key.getByRole('button', { name: 'AI Data Scraper', exact: true }).click();
  await expect(page.locator('[data-chart="comparison"]').first()).toBeAttached();
  await expect(key).toContainText('The 24 hours before');
  await page.getByRole('button', { name: 'Show as table' }).click();
  await expect(page.getByRole('row').nth(3)).toBeVisible();
  const rest = await column('The 24 hours before');
  expect(rest).toBeGreaterThan(0);
  expect(rest).toBeLessThan(all);
});

for (const [name, colorScheme, viewport] of [
  ['dark-phone', 'dark', { width: 320, height: 700 }],
  ['light-wide', 'light', { width: 1440, height: 900 }],
] as const) {
  test.describe(`separate charts by type (${name})`, () => {
    test.use({ colorScheme, viewport });

    test('shows a chart for each type, and clicking it filters by that type', async ({ page }) => {
      await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Separate').click();
      await expect(page).toHaveURL(/apart=true/);
      const charts = page.getByRole('list', { name: 'Series' });
      await expect(charts.getByRole('listitem').nth(3)).toBeVisible();
      await expect(page.locator(GRID)).toBeHidden();
      await page.reload();
      await expect(charts.getByRole('listitem').nth(3)).toBeVisible();
      // The view mode isn't a filter, so there's nothing to save.
      await expect(page.getByRole('button', { name: 'Save these filters' })).toBeHidden();
      await expectNoHorizontalScroll(page);
      await expectAccessible(page);
      await page.screenshot({ path: join(SCREENSHOTS, `types-apart-${name}.png`), fullPage: true });
      await charts.getByRole('button', { name: /^AI Data Scraper/ }).press('Enter');
      await expect(page).toHaveURL(/[?&]type=AI/);
      await expect(charts.getByRole('listitem')).toHaveCount(1);
      await page.goBack();
      await charts.getByRole('button', { name: /^AI Data Scraper/ }).press('Alt+Enter');
      await expect(page).toHaveURL(/not_type=AI/);
    });
  });
}

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

async function open(page: Page, demo: TestInstance, path: string): Promise<void> {
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/${path}`);
  await expect(page.getByRole('heading', { name: 'Paid crawling', level: 1 })).toBeVisible();
}

test('paid-crawling', async ({ page, demo }) => {
  await open(page, demo, 'paid-crawling?range=7d');
  await expect(page.getByText(/^Your site asked agents to pay [\d,]+ times in the last 7 days/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Payments', exact: true })).toBeVisible();
  await expectLooks(page, 'paid-crawling');
});

test('paid-crawling-nothing', async ({ page, demo }) => {
  await open(page, demo, 'paid-crawling?from=2020-01-01&to=2020-01-02');
  await expect(page.getByRole('heading', { name: 'No agents were asked to pay in this range' })).toBeVisible();
  await expectLooks(page, 'paid-crawling-nothing');
});

test('shows payments on narrow and wide screens, and links requests to pay to their visits', async ({ page, demo }) => {
  await open(page, demo, 'paid-crawling?range=7d');
  for (const viewport of [
    { width: 320, height: 700 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(viewport);
    for (const [tab, table] of [
      ['Prices', 'Prices and results'],
      ['Other identities', 'Visits from the same address'],
      ['Crawlers', 'Payments'],
    ] as const) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      await expect(page.getByRole('region', { name: table, exact: true })).toBeVisible();
    }
    await expectNoHorizontalScroll(page);
    await expectAccessible(page);
  }
  const asked = page.getByRole('link', { name: /times, visits by .+ with status 402$/ }).first();
  const count = /^[\d,]+/.exec(await asked.innerText())![0];
  await asked.click();
  await expect(page).toHaveURL(/status=%22402%22/);
  await expect(page.getByText(new RegExp(`^${count} visits?$`))).toBeVisible();
});

test('shows that payments could not be loaded', async ({ page, demo }) => {
  await page.route('**/payments?*', (route) => route.fulfill({ status: 422, json: {} }));
  await open(page, demo, 'paid-crawling?range=7d');
  await expect(page.getByRole('alert').filter({ hasText: "Couldn't load payments" })).toBeVisible();
});

for (const path of ['tools?range=30d&payments=prices', 'compliance?range=30d&tab=paid']) {
  test(`redirects from ${path}`, async ({ page, demo }) => {
    await open(page, demo, path);
    await expect(page).toHaveURL(/\/paid-crawling\?range=30d/);
  });
}

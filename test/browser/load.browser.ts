import { addFilter } from './add-filter.js';
import { expect, expectLooks, test as base } from './fixture.js';

const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });

test.beforeEach(async ({ page, demo }) => page.context().addCookies([demo.session]));

interface LoadPage {
  path?: string;
  search: string;
  /** Selector that matches when the page has loaded. */
  ready: string;
}

const PAGES: Record<string, LoadPage> = {
  load: { search: 'range=7d', ready: 'role=rowheader[name="Meta-ExternalAgent"]' },
  'load-folders': { search: 'range=7d&by=folder&measure=time', ready: 'role=rowheader[name="/downloads/*"]' },
  'load-patterns': { search: 'range=7d&by=pattern&measure=time', ready: 'role=rowheader[name="Search results"]' },
  'load-nothing': { search: 'from=2020-01-01&to=2020-01-02', ready: 'text=No visits in this range' },
  'load-filtered-out': { search: 'agent=nobody', ready: 'text=No visits match the filters' },
  'load-prices': { path: 'settings', search: '', ready: 'role=textbox[name="Price per GB sent"]' },
};

for (const [name, { path = 'load', search, ready }] of Object.entries(PAGES)) {
  test(name, async ({ page, demo }) => {
    await page.goto(`/projects/${demo.projectId}/${path}?${search}`);
    await expect(page.locator(ready).first()).toBeVisible();
    await expectLooks(page, name);
  });
}

test('opens the visits and the agent behind a number, and filters by a folder', async ({ page, demo }) => {
  await page.goto(`/projects/${demo.projectId}/load?range=7d`);
  await page.getByRole('link', { name: /requests: Meta-ExternalAgent$/ }).click();
  await expect(page).toHaveURL(/\/visits\?.*agent=Meta-ExternalAgent/);
  await page.goBack();
  await page.getByRole('tab', { name: 'Folders' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('rowheader').getByRole('link', { name: '/downloads/*' }).click();
  await expect(page).toHaveURL(/\/load\?.*path=%2Fdownloads%2F/);
  await page.getByRole('tab', { name: 'Agents' }).click();
  await page.getByRole('rowheader').getByRole('link', { name: 'Meta-ExternalAgent' }).click();
  await expect(page.getByText('People sent by Meta')).toBeVisible();
});

test('filters by a pattern, and links to exactly the visits that count for it', async ({ page, demo }) => {
  await page.goto(`/projects/${demo.projectId}/load?range=7d&by=pattern`);
  const link = page.getByRole('link', { name: /requests: Products$/ });
  const count = /^[\d,]+/.exec(await link.innerText())![0];
  await link.click();
  await expect(page.getByText(new RegExp(`^${count} visits`)).first()).toBeVisible();
  await page.goBack();
  await addFilter(page, 'Path', '*.pdf');
  await expect(page).toHaveURL(/path=\*\.pdf|path=%2A\.pdf/);
  await expect(page.getByRole('group', { name: 'Filters' })).toContainText('*.pdf');
});

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

test('links the load of a network that posed as agents to its visits, and offers to block it', async ({
  page,
  demo,
}) => {
  await page.route(/\/news\?/, async (route) => {
    const { from, to } = Object.fromEntries(new URL(route.request().url()).searchParams);
    const agents = ['Googlebot', 'GPTBot'].map((token) => ({
      agent_id: '00000000-0000-7000-8000-000000000000',
      agent_token: token,
      agent_type_name: null,
      operator_name: null,
      visits: 2,
    }));
    const item = {
      kind: 'impersonation',
      network: '203.0.113.0/24',
      visits: 4,
      spoofed: 2,
      previous_visits: 0,
      agents,
    };
    await route.fulfill({ json: { from, to, items: [item] } });
  });
  await page.goto(`/projects/${demo.projectId}/load?measure=requests`);
  const sentence = page.getByText('203.0.113.0/24 posed as Googlebot and GPTBot:');
  const link = sentence.getByRole('link', { name: /^[\d,]+ requests?$/ });
  await expect(link).toBeVisible();
  const count = /^[\d,]+/.exec(await link.innerText())![0];
  await expect(page.getByRole('button', { name: 'Block 203.0.113.0/24…' })).toBeVisible();
  await link.click();
  await expect(page).toHaveURL(/\/visits\?.*address=/);
  await expect(page.getByText(new RegExp(`^${count} visits`)).first()).toBeVisible();
});

test('links the time with most of the load to its requests, and cuts off its bars', async ({ page, demo }) => {
  await page.goto(`/projects/${demo.projectId}/load`);
  const link = page.getByRole('link', { name: /^Show these [\d,]+ requests$/ });
  const count = /[\d,]+/.exec(await link.innerText())![0];
  await page.getByRole('button', { name: 'Cut off the peak' }).click();
  await expect(page.locator('[data-chart="cut"]')).toContainText('Up to $');
  await link.click();
  await expect(page.getByText(new RegExp(`^${count} visits`)).first()).toBeVisible();
});

import type { Page } from '@playwright/test';
import { expect, expectLooks, startInstance, test } from './fixture.js';

type Instance = Awaited<ReturnType<typeof startInstance>>;

const HOUR_MS = 3_600_000;
const NOW = Date.now();
const AGENTS = {
  GPTBot: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  CCBot: 'CCBot/2.0 (https://commoncrawl.org/faq/)',
  Bytespider: 'Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com)',
};

interface Visits {
  agent: keyof typeof AGENTS;
  hoursBack: number;
  count: number;
  status?: number;
  path?: string;
}

const visits = ({ agent, hoursBack, count, status = 200, path = '/' }: Visits): object[] =>
  Array.from({ length: count }, (_, index) => ({
    request_path: path,
    request_method: 'GET',
    request_headers: { 'User-Agent': AGENTS[agent] },
    response_status_code: status,
    created: new Date(NOW - hoursBack * HOUR_MS + index * 100).toISOString(),
  }));

const STEADY_VISITS = Array.from({ length: 60 }, (_, hour) =>
  visits({ agent: 'GPTBot', hoursBack: hour + 1, count: 2 }),
).flat();
const NEWSWORTHY_VISITS = [
  ...visits({ agent: 'CCBot', hoursBack: 5, count: 3 }),
  ...visits({ agent: 'Bytespider', hoursBack: 40, count: 10 }),
  ...visits({ agent: 'Bytespider', hoursBack: 4, count: 60, path: '/blog/oak' }),
  ...visits({ agent: 'GPTBot', hoursBack: 3, count: 30, status: 503, path: '/checkout?step=2' }),
];

test.describe("what's new", () => {
  let instance: Instance;
  let quiet: string;

  test.beforeAll(async () => {
    // Don't fetch address lists, so none can fail.
    instance = await startInstance({ IP_LISTS_REFRESH_HOURS: '0' });
    const { client } = instance;
    expect((await client.post('/visits', [...STEADY_VISITS, ...NEWSWORTHY_VISITS])).status).toBe(204);
    const { id } = await client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Quiet' } });
    const { token } = await client.api<{ token: string }>(`/projects/${id}/tokens`, { method: 'POST', body: {} });
    expect((await client.post('/visits', STEADY_VISITS, { token })).status).toBe(204);
    quiet = id;
  });
  test.afterAll(() => instance?.dispose());

  const open = async (page: Page, projectId = instance.projectId): Promise<void> => {
    await page.context().addCookies([instance.session]);
    await page.goto(`${instance.url}/projects/${projectId}/overview`);
    await expect(page.locator('[data-chart="grid"]').first()).toBeVisible();
  };
  const problems = (page: Page) => page.getByRole('region', { name: 'Needs attention' });
  const changes = (page: Page) => page.getByRole('region', { name: 'What changed' });

  test('shows changes as links', async ({ page }) => {
    await open(page);
    await expect(problems(page).getByRole('link')).toHaveText([
      /^30 requests failed with server errors from .* to .*\. Most were on \/checkout$/,
    ]);
    await expect(changes(page).getByRole('link')).toHaveText([
      'Bytespider: 60 visits, up from 10',
      /^GPTBot: \d+ visits, up from \d+$/,
      'CCBot visited for the first time: 3 visits',
    ]);
    await expect(changes(page).getByRole('listitem').filter({ hasText: 'Bytespider' })).toContainText('60 on /blog/*');
    await expectLooks(page, 'whats-new');
  });

  test('shows the changes above the fold, at the same time as the numbers', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    let [releaseNews, requests] = [(): void => undefined, 0];
    const newsReleased = new Promise<void>((resolve) => (releaseNews = resolve));
    await page.route(/\/news\?/, async (route) => {
      requests += 1;
      await newsReleased;
      await route.continue();
    });
    await page.context().addCookies([instance.session]);
    const overview = page.waitForResponse(/\/overview\?/);
    await page.goto(`${instance.url}/projects/${instance.projectId}/overview`);
    await overview;
    await expect(page.getByText('Failed verification')).toBeHidden();
    releaseNews();
    await expect(page.getByRole('button', { name: /^Failed verification/ })).toBeVisible();
    await expect(changes(page).getByRole('link').last()).toBeInViewport();
    // News is the page's slowest request, so it must be sent only once.
    expect(requests).toBe(1);
  });

  test('links each item to the visits it counts, with the keyboard', async ({ page }) => {
    for (const [list, text, query, shown, range] of [
      // The link's range is relative, like the page's range, except for errors at a certain time.
      [changes, 'CCBot visited', /agent=CCBot/, '3 visits', /range=24h/],
      [changes, 'Bytespider: 60 visits', /agent=Bytespider/, '60 visits', /range=24h/],
      [problems, '30 requests failed', /status=5xx/, '30 visits', /from=/],
    ] as const) {
      await open(page);
      const link = list(page).getByRole('link', { name: text });
      await link.focus();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(query);
      await expect(page).toHaveURL(range);
      await expect(page.getByText(shown, { exact: true })).toBeVisible();
    }
  });

  test('offers to block a network that claimed to be several agents', async ({ page }) => {
    await page.route(/\/news\?/, async (route) => {
      const { from, to } = Object.fromEntries(new URL(route.request().url()).searchParams);
      const agents = ['GPTBot', 'ClaudeBot'].map((token) => ({
        agent_id: '00000000-0000-7000-8000-000000000000',
        agent_token: token,
        agent_type_name: null,
        operator_name: token,
        visits: 20,
      }));
      const item = {
        kind: 'impersonation',
        network: '203.0.113.0/24',
        visits: 40,
        spoofed: 0,
        previous_visits: 0,
        agents,
      };
      await route.fulfill({ json: { from, to, items: [item] } });
    });
    await open(page);
    await page.getByRole('button', { name: 'Block 203.0.113.0/24…' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(
      'Requests from 203.0.113.0/24 will get a 403 error, except for robots.txt and /.well-known/.',
    );
    await dialog.getByRole('button', { name: 'Start as a dry run' }).click();
    await expect(page.getByText('“Block 203.0.113.0/24” runs as a dry run.')).toBeVisible();
    await expect(problems(page).getByRole('link', { name: 'Rule in dry run 203.0.113.0/24' })).toBeVisible();
    await problems(page)
      .getByRole('button', { name: /^Actions for 203/ })
      .click();
    await page.getByRole('button', { name: 'Remove rule' }).click();
    await expect(page.getByText('“Block 203.0.113.0/24” was removed.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Block 203.0.113.0/24…' })).toBeVisible();
  });

  test('scrolls the linked section about failing address lists into view below the header', async ({ page }) => {
    const item = { kind: 'address_lists', failing: 61, lists: 61, agents: [], agent_count: 0 };
    await page.route(/\/news\?/, async (route) => {
      const { from, to } = Object.fromEntries(new URL(route.request().url()).searchParams);
      await route.fulfill({ json: { from, to, items: [item] } });
    });
    await open(page);
    await expect(problems(page).getByRole('button', { name: 'Update lists' })).toBeVisible();
    await problems(page).getByRole('link', { name: 'All 61 address lists are failing' }).click();
    await expect(page.getByRole('heading', { name: 'Address lists', level: 2 })).toBeInViewport();
    expect((await page.getByRole('heading', { name: 'Address lists', level: 2 }).boundingBox())!.y).toBeGreaterThan(52);
  });

  test('shows five changes at first and the others on request', async ({ page }) => {
    await page.route(/\/news\?/, async (route) => {
      const { from, to } = Object.fromEntries(new URL(route.request().url()).searchParams);
      const items = Array.from({ length: 6 }, (_, index) => ({
        kind: 'new_agent',
        agent_id: `00000000-0000-7000-8000-00000000000${index}`,
        agent_token: `Bot${index}`,
        agent_type_name: null,
        operator_name: null,
        visits: 9,
      }));
      await route.fulfill({ json: { from, to, items } });
    });
    await open(page);
    await expect(changes(page).getByRole('link')).toHaveCount(5);
    await changes(page)
      .getByRole('button', { name: /^Show all/ })
      .press('Enter');
    for (let index = 0; index < 6; index += 1)
      await expect(changes(page).getByRole('link', { name: `Bot${index}` })).toBeVisible();
    await expect(changes(page).getByRole('button', { name: 'Show fewer' })).toBeFocused();
  });

  test('shows that nothing needs attention, and no lists if loading fails', async ({ page }) => {
    await open(page, quiet);
    await expect(problems(page)).toContainText('Nothing needs attention.');
    await expect(changes(page)).toHaveCount(0);
    await page.route(/\/news\?/, (route) => route.fulfill({ status: 504, json: { title: 'Too slow' } }));
    await open(page);
    await expect(page.getByRole('button', { name: /^Failed verification/ })).toBeVisible();
    await expect(problems(page)).toHaveCount(0);
  });
});

import { BROWSER } from '../kit/client.js';
import { addFilter, openFilterPanel } from './add-filter.js';
import { expect, expectLooks, test } from './fixture.js';

const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const visit = (path: string, more: object = {}): object => ({
  request_path: path,
  request_method: 'GET',
  request_headers: { 'user-agent': GOOGLEBOT },
  ...more,
});

test.describe('realtime page', () => {
  let projectId = '';
  let token = '';

  test.beforeEach(async ({ served: { client } }) => {
    ({ id: projectId } = await client.api<{ id: string }>('/projects', {
      method: 'POST',
      body: { name: 'Realtime shop' },
    }));
    ({ token } = await client.api<{ token: string }>(`/projects/${projectId}/tokens`, { method: 'POST', body: {} }));
  });

  test('updates the last hour as visits arrive and when filters change', async ({
    signedIn: page,
    served: { client },
  }) => {
    // Pause the clock, so the regular refresh after 10 seconds can't cause the update.
    await page.clock.install();
    await page.goto(`/projects/${projectId}/realtime`);
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await expect(page.getByText('No visits in the last 60 minutes.')).toBeVisible();
    await page.clock.pauseAt(Date.now() + 60_000);
    await client.post('/visits', visit('/a'), { token });
    await expect(async () => {
      await page.clock.runFor(100);
      await expect(page.getByText('1 visit in the last 60 minutes')).toBeVisible({ timeout: 200 });
    }).toPass({ intervals: [50] });
    await page.clock.resume();

    await addFilter(page, 'Page', '/nothing');
    await expect(page.getByText('No matching visits in the last 60 minutes.')).toBeVisible();
    await page.getByRole('button', { name: 'Remove: Page is /nothing' }).click();
    await addFilter(page, 'Page', '/a');
    await expect(page.getByText('1 matching visit in the last 60 minutes')).toBeVisible();
  });

  test('rejects invalid filter values before they are added', async ({ signedIn: page }) => {
    await page.goto(`/projects/${projectId}/realtime`);
    const panel = await openFilterPanel(page, 'Status');
    await panel.getByLabel('Value').fill('abc');
    await page.keyboard.press('Enter');
    const fault = page.getByText('This field must be a status such as 404, or a class such as 4xx.');
    await expect(fault).toBeVisible();
    await expect(panel.getByLabel('Value')).toHaveAttribute('aria-invalid', 'true');
    await expectLooks(page, 'add-filter', '[role=dialog]');
    await panel.getByLabel('Value').fill('4xx');
    await expect(fault).toBeHidden();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/status=4xx/);
    await expect(page.getByRole('group', { name: 'Filters' })).toContainText('Status is 4xx');
    await page.getByRole('button', { name: 'Status is 4xx: switch to “is not”' }).click();
    await expect(page.getByRole('group', { name: 'Filters' })).toContainText('Status is not 4xx');
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await expect(page).toHaveURL(/realtime$/);

    await page.goto(`/projects/${projectId}/visits?from=2026-11-01T00:00:00.000Z&to=2026-11-02T00:00:00.000Z`);
    await addFilter(page, 'Page', '/docs/*');
    await expect(page).toHaveURL(/[?&]path=%2Fdocs%2F\*/);
    const addresses = await openFilterPanel(page, 'Address');
    await addresses.getByLabel('Value').fill('somewhere');
    await page.keyboard.press('Enter');
    await expect(page.getByText('must be an IP address, or a network such as 192.0.2.0/24.')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('shows all addresses in full', async ({ signedIn: page, served: { client } }) => {
    const addresses = ['203.113.204.255', '2001:db8:8888:8888:8888:8888:8888:8888'];
    const visits = addresses.map((client_address) => visit('/', { client_address }));
    await client.post('/visits', visits, { token });
    await page.goto(`/projects/${projectId}/realtime`);
    const cells = page.locator('[role=cell][data-cell=address]');
    await expect(cells).toHaveText(addresses.toReversed());
    expect(await cells.evaluateAll((all) => all.filter((cell) => cell.scrollWidth > cell.clientWidth))).toEqual([]);
  });

  test("rounds durations and explains why a visit isn't verified", async ({ signedIn: page, served: { client } }) => {
    await client.post('/visits', visit('/', { response_duration_in_milliseconds: 2.4688599999062717 }), { token });
    await page.goto(`/projects/${projectId}/realtime`);
    await page.getByRole('table').getByRole('link').first().click();
    const drawer = page.getByRole('dialog', { name: 'Visit' });
    await expect(drawer.getByText('in 2.5 ms')).toBeVisible();
    await expect(
      drawer.getByText('Claims to be Googlebot, but its address is unknown, so it couldn’t be checked.'),
    ).toBeVisible();
    await expect(drawer.getByText('Nothing was checked.')).toBeVisible();
  });

  test('shows the robots.txt line that disallows a visit and the assistant that referred a visitor', async ({
    signedIn: page,
    served: { client },
  }) => {
    const { id } = await client.api<{ id: string }>('/projects', {
      method: 'POST',
      body: { name: 'Judged', host_names: ['shop.invalid'] },
    });
    const { token: itsToken } = await client.api<{ token: string }>(`/projects/${id}/tokens`, {
      method: 'POST',
      body: {},
    });
    const text = 'User-agent: *\nAllow: /\nDisallow: /private/ # Keep out\n';
    await client.api(`/projects/${id}/robots-versions`, { method: 'POST', body: { text } });
    const post = async (...[path, more]: Parameters<typeof visit>): Promise<void> =>
      void (await client.post('/visits', visit(path, more), { token: itsToken }));
    const stored = async (query: Record<string, string>) => (await client.visits(query, id))[0]?.id;
    // The recorded robots.txt takes a moment to take effect.
    await expect(async () => {
      await post('/private/plans');
      expect(await stored({ robots: 'disallowed' })).toBeDefined();
    }).toPass();
    const open = async (query: Record<string, string>) => {
      await expect.poll(() => stored(query)).toBeDefined();
      await page.goto(`/projects/${id}/realtime?visit=${await stored(query)}`);
      return page.getByRole('dialog', { name: 'Visit' });
    };

    await post('/?utm_source=chatgpt.com', { request_headers: { 'user-agent': BROWSER } });
    const referral = (await open({ assistant: 'ChatGPT' })).getByRole('region', { name: 'Referral' });
    await expect(referral).toContainText('OpenAI');
    await expect(referral).toContainText('utm_source in the URL: chatgpt.com');
    await expect(referral.getByRole('link', { name: 'ChatGPT' })).toHaveAttribute(
      'href',
      /assistants=one&name=ChatGPT/,
    );
    await expect(page.getByRole('button', { name: 'robots.txt', exact: true })).toHaveCount(0);

    const drawer = await open({ robots: 'disallowed' });
    const robots = drawer.getByRole('region', { name: 'robots.txt' });
    await expect(robots).toContainText('Disallowed');
    await expect(robots).toContainText('3Disallow: /private/ # Keep out');
    await expect(drawer.getByRole('button', { name: 'Referral' })).toHaveCount(0);
    await expectLooks(page, 'visit-drawer-robots');
    await robots.getByRole('link', { name: /^shop\.invalid, active from/ }).click();
    await expect(page.getByRole('dialog', { name: 'robots.txt for shop.invalid' })).toContainText('Keep out');
  });

  test('inserts new visits when the focused row is scrolled out of view', async ({
    signedIn: page,
    served: { client },
  }) => {
    const visits = Array.from({ length: 80 }, (_, number) => visit(`/${number}`));
    await client.post('/visits', visits, { token });
    await page.goto(`/projects/${projectId}/realtime`);
    const table = page.getByRole('table', { name: 'Visits, newest first' });
    await expect(table).toHaveAttribute('aria-rowcount', '81');
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await page.keyboard.press('j');
    await expect(table.locator(':focus')).toBeVisible();
    await client.post('/visits', visit('/next'), { token });
    const waiting = page.getByRole('button', { name: '1 new', exact: true });
    await expect(waiting, "a focused row doesn't move").toBeVisible();

    await table.hover();
    await page.mouse.wheel(0, 2_000);
    await expect(table.locator(':focus')).toHaveCount(0);
    await page.mouse.wheel(0, -3_000);
    await expect(waiting).toBeHidden();
    await expect(table).toHaveAttribute('aria-rowcount', '82');
  });

  test("shows that visits by agents without a verification method aren't verifiable", async ({
    signedIn: page,
    served: { client },
  }) => {
    await client.post('/visits', visit('/', { request_headers: { 'user-agent': 'Scrapy/2.11' } }), { token });
    await client.post('/visits', visit('/'), { token });
    await page.goto(`/projects/${projectId}/agents`);
    const share = (agent: string) => page.getByRole('row', { name: agent }).locator('[data-cell=verified]');
    await expect(share('Scrapy')).toHaveText('–');
    await expect(share('Googlebot')).toHaveText('–');
    await page.getByRole('row', { name: 'Scrapy' }).getByRole('link', { name: 'Scrapy', exact: true }).click();
    await expect(page.getByText('Its visits can’t be verified.')).toBeVisible();
  });
});

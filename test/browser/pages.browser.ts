import { expect, expectAccessible, expectLooks, test } from './fixture.js';
import { sampleVisits } from './sample-visits.js';

/** Main content within the app layout. */
const APP_CONTENT = 'main#page';

/** Pages by name. The `ready` selector matches when the page has loaded. */
const PAGES: Record<string, { path: (projectId: string) => string; ready: string }> = {
  projects: { path: () => '/projects', ready: 'h2' },
  'new-project': { path: () => '/projects?create=true', ready: 'role=dialog >> text=Time zone' },
  'get-started': { path: (id) => `/projects/${id}/get-started?how=node`, ready: 'text=reportVisit(request, response)' },
  'get-started-drain': {
    path: (id) => `/projects/${id}/get-started?how=vercel`,
    ready: 'text=Vercel signature secret',
  },
  realtime: { path: (id) => `/projects/${id}/realtime`, ready: 'role=row >> text=GPTBot' },
  'realtime-empty': {
    path: (id) => `/projects/${id}/realtime?agent=nobody`,
    ready: 'text=No visits match the filters',
  },
  robots: {
    path: (id) => `/projects/${id}/robots?type=["AI Data Scraper"]&as=GPTBot&at=/private`,
    ready: 'text=Not allowed',
  },
  'robots-empty': { path: (id) => `/projects/${id}/robots?type=[]`, ready: 'text=No agents selected' },
  'robots-nginx': {
    path: (id) => `/projects/${id}/robots?type=["Scraper"]&format=nginx-map&not_agent=["Scrapy"]`,
    ready: 'text=map $http_user_agent',
  },
  catalog: { path: () => '/catalog?try=Mozilla/5.0 (compatible; GPTBot/1.2)', ready: 'mark' },
  'catalog-empty': { path: () => '/catalog?search=nobody-at-all', ready: 'text=No agents match the filters' },
  'catalog-agent': { path: () => '/catalog?agent=Googlebot', ready: 'role=dialog >> text=Documentation' },
  'catalog-add': { path: () => '/catalog?add=true', ready: 'role=dialog >> text=Verification' },
  'catalog-feeds': { path: () => '/catalog/feeds', ready: 'role=button[name="Accept Zyxfetch"]' },
  'catalog-feeds-refused': { path: () => '/catalog/feeds?state=refused', ready: 'text=matches an ordinary browser' },
  'catalog-feeds-add': { path: () => '/catalog/feeds?add=true', ready: 'role=dialog >> text=Public key' },
  system: { path: () => '/system#health', ready: 'text=All services run in one process' },
  // Show only sign-in entries, because other tests add entries, too.
  audit: { path: () => '/audit?subject=session', ready: 'text=Signed in' },
  settings: { path: (id) => `/projects/${id}/settings`, ready: 'text=Time zone' },
  'settings-visits': {
    path: (id) => `/projects/${id}/settings?tab=visits`,
    ready: 'text=Change this on the System page',
  },
  'settings-tokens': { path: (id) => `/projects/${id}/settings?tab=tokens`, ready: 'text=ends in' },
  'settings-drains': {
    path: (id) => `/projects/${id}/settings?tab=drains`,
    ready: 'text=Fastly services that may send logs',
  },
  'settings-members': { path: (id) => `/projects/${id}/settings?tab=members`, ready: 'text=Invite as' },
  'settings-sharing': { path: (id) => `/projects/${id}/settings?tab=sharing`, ready: 'text=Link name' },
  'settings-history': { path: (id) => `/projects/${id}/settings?tab=history`, ready: 'text=Preview changes' },
  'settings-audit': { path: (id) => `/projects/${id}/settings?tab=audit`, ready: 'text=/Created access token/' },
  'settings-danger': { path: (id) => `/projects/${id}/settings?tab=danger`, ready: 'text=to confirm' },
  'settings-alerts': { path: (id) => `/projects/${id}/settings?tab=alerts`, ready: 'text=Add channel' },
  alerts: { path: (id) => `/projects/${id}/alerts`, ready: 'text=Visits fail verification' },
  reports: { path: (id) => `/projects/${id}/reports`, ready: 'text=Schedule' },
  account: { path: () => '/account', ready: 'text=New password' },
  nowhere: { path: () => '/nowhere', ready: `${APP_CONTENT} >> text=Page not found` },
  'nowhere-in-project': { path: (id) => `/projects/${id}/nowhere`, ready: `${APP_CONTENT} >> text=Page not found` },
  'no-project': { path: () => '/projects/nobody/overview', ready: `${APP_CONTENT} >> text=Page not found` },
};

test.beforeAll(async ({ served }) => {
  // Create two kinds of rejected requests for the list on the Get started page.
  await served.client.post('/visits', { request_path: '/', request_method: 'GET' });
  await served.client.post('/visits', {}, { token: 'agt_unknown' });
  const patterns = { Zyxbot: 'Zyxbot\\/[0-9]{1,4}', Zyxfetch: 'Zyxfetch', Zyxbrowser: 'AppleWebKit' };
  const document = JSON.stringify(
    Object.entries(patterns).map(([name, pattern]) => ({
      pattern,
      instances: [`${name}/1 AppleWebKit`],
      tags: ['seo'],
    })),
  );
  await served.client.api('/agent-feeds', { method: 'POST', body: { name: 'Crawlers', document } });
  const response = await served.client.post('/visits', sampleVisits(40));
  expect(response.status).toBe(204);
});

test('renders the sign-in page and its errors', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expectLooks(page, 'sign-in');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Enter your password.')).toBeVisible();
  await expectLooks(page, 'sign-in-faults');
});

test('renders the setup page', async ({ page, unclaimed }) => {
  await page.goto(new URL('/projects', unclaimed.setupUrl).href);
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  await page.goto(unclaimed.setupUrl);
  await expect(page.getByLabel('Setup code')).toHaveValue(unclaimed.setupUrl.split('#')[1]!);
  await expectLooks(page, 'setup');
});

test('renders the invitation page', async ({ page, served }) => {
  const path = `/projects/${served.projectId}/invitations`;
  const { url } = await served.client.api<{ url: string }>(path, { method: 'POST', body: { role: 'member' } });
  await page.goto(new URL(url).pathname);
  await expect(page.getByText('You’re invited to join')).toBeVisible();
  await expectLooks(page, 'invitation');
});

for (const [name, { path, ready }] of Object.entries(PAGES)) {
  test(name, async ({ signedIn: page, served }) => {
    await page.goto(path(served.projectId));
    await expect(page.locator(ready).first()).toBeVisible();
    await expectLooks(page, name);
  });
}

test('has accessible placeholders while the robots.txt page loads', async ({ signedIn: page, served }) => {
  const loaded = Promise.withResolvers<void>();
  await page.route('**/assets/robots-answer-*.js', async (route) => {
    await loaded.promise;
    await route.continue();
  });
  await page.goto(`/projects/${served.projectId}/robots?type=[]`);
  await expect(page.getByRole('status', { name: 'Loading' }).first()).toBeVisible();
  await expectAccessible(page);
  loaded.resolve();
  await expect(page.getByText('No agents selected')).toBeVisible();
});

test("doesn't squeeze the feed table's cells on a phone", async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto('/catalog/feeds');
  const states = page.locator('td[data-label="State"], td[data-label="Patterns"]');
  await expect(states.first()).toBeVisible();
  // Cells share a line if they fit, and otherwise have a line of their own.
  for (const state of await states.all()) {
    const { width, height } = (await state.boundingBox())!;
    expect(width > 200 || height < 30, `the cell is ${width} × ${height} px`).toBe(true);
  }
});

test('renders the visit drawer', async ({ signedIn: page, served }) => {
  const [visit] = await served.client.visits({ agent: 'Googlebot', limit: '1' });
  await page.goto(`/projects/${served.projectId}/realtime?agent=GPTBot&visit=${visit!.id}`);
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText('Verification steps')).toBeVisible();
  await drawer.getByRole('button', { name: 'Technical details' }).click();
  await expect(drawer.getByText('redacted, not stored')).toBeVisible();
  await expectLooks(page, 'visit-drawer');
});

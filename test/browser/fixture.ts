import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test as base, type Page, type WorkerFixture } from '@playwright/test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance } from '../kit/instance.js';
import { ADMIN, ADMIN_ENV, signIn, type Session } from './admin.js';
import { CHROMIUM } from './chromium.js';

/** Folder where screenshots are stored for visual review. */
export const SCREENSHOTS = join(tmpdir(), 'agent-traffic-screenshots');

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 320, height: 700 };

interface Look {
  name: string;
  colorScheme: 'light' | 'dark';
  viewport: typeof WIDE;
}

/** The wide viewport comes last, because tests continue with it afterwards. */
const ALL_LOOKS: readonly Look[] = [
  { name: 'light-phone', colorScheme: 'light', viewport: PHONE },
  { name: 'dark-wide', colorScheme: 'dark', viewport: WIDE },
  { name: 'dark-phone', colorScheme: 'dark', viewport: PHONE },
  { name: 'light-wide', colorScheme: 'light', viewport: WIDE },
];

/**
 * Combinations of color scheme and viewport size that each page is checked in. The default covers each scheme and size
 * once. `LOOKS=all` covers all combinations.
 */
const areAllLooksChecked = process.env['LOOKS'] === 'all';
const LOOKS = areAllLooksChecked ? ALL_LOOKS : ALL_LOOKS.slice(0, 2);

export interface TestInstance {
  url: string;
  client: Client;
  projectId: string;
  /** Administrator session. All tests share it, because signing in for each test would hit the rate limit. */
  session: Session;
  /** Time of the sign-in, from `performance.now()`. */
  signedInAt: number;
}

type DisposableFixture<T> = T & { dispose(): Promise<void> };

interface TestFixtures {
  /** Blank page with the administrator's session cookie. */
  signedIn: Page;
}

interface WorkerFixtures {
  served: TestInstance;
  /** Instance that has no administrator yet. */
  unclaimed: Unclaimed;
  /** Instance with {@link DEMO_DAYS} days of sample visits. */
  demo: TestInstance;
}

interface Unclaimed {
  /** Setup link that the first start logs. */
  setupUrl: string;
}

const ACCESSIBLE: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // The component library's dialogs contain a `header`, which axe mistakes for a page banner outside `main`.
  rules: { 'landmark-no-duplicate-banner': { enabled: false }, 'landmark-unique': { enabled: false } },
  resultTypes: ['violations'],
  // Don't let axe download media files. It only needs them to check autoplaying media, which the dashboard doesn't
  // have.
  preload: false,
};

/**
 * Finishes CSS transitions, because contrast is wrong while colors are changing. First waits two frames, so that the
 * transitions for recent changes have started.
 */
const FINISH_TRANSITIONS = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() => {
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
})`;

/** Age at which the session is renewed. From 10 minutes after sign-in, revealing tokens requires the password again. */
const MAX_SESSION_AGE_MS = 5 * 60_000;
const CLI = join(import.meta.dirname, '../../apps/cli/bin/agent-traffic.mjs');
const DEMO_DAYS = 3;

/** Creates a worker fixture that starts once, when a test first uses it. */
const workerFixture = <T>(
  start: () => Promise<DisposableFixture<T>>,
  timeout: number,
): [WorkerFixture<T, object>, { scope: 'worker'; timeout: number }] => [
  // Playwright reads the required fixtures from the destructuring pattern.
  // oxlint-disable-next-line no-empty-pattern
  async ({}, use) => {
    const started = await start();
    await use(started);
    await started.dispose();
  },
  { scope: 'worker', timeout },
];

/**
 * Playwright's `test`, extended for browser tests of the dashboard. By default, tests use instances that are started
 * like with `npm start`.
 *
 * If `TARGET_URL`, `TARGET_ACCESS_TOKEN`, and `TARGET_API_KEY` are set, tests use that deployment instead. The
 * deployment must either have no administrator or have one with the credentials in `TARGET_ADMIN_EMAIL` and
 * `TARGET_ADMIN_PASSWORD`. Tests that send test visits require `TEST_VISIT_ALLOW_PRIVATE=true` in the deployment.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  served: workerFixture(startTestInstance, 180_000),
  unclaimed: workerFixture(startUnclaimed, 180_000),
  demo: workerFixture(() => startDemo(DEMO_DAYS), 300_000),

  baseURL: async ({ served }, use) => use(served.url),

  page: async ({ page }, use) => {
    const pageErrors: string[] = [];
    page.on('pageerror', (error) => pageErrors.push(error.message));
    // Errors include Content-Security-Policy violations. Failed requests are skipped, because the page handles them.
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        pageErrors.push(message.text());
    });
    await use(page);
    // Remove route handlers, because some of the finished test's handlers may still be running.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(pageErrors, 'the page logged no errors').toEqual([]);
  },

  signedIn: async ({ page, served }, use) => {
    if (performance.now() - served.signedInAt > MAX_SESSION_AGE_MS)
      Object.assign(served, await createSession(served.url));
    await page.context().addCookies([served.session]);
    await use(page);
  },
});

export { expect };

async function startTestInstance(): Promise<DisposableFixture<TestInstance>> {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} doesn't exist. Install the chromium-headless-shell package.`);
  await mkdir(SCREENSHOTS, { recursive: true });
  const { TARGET_URL: url, TARGET_ACCESS_TOKEN: accessToken, TARGET_API_KEY: apiKey } = process.env;
  if (!url || !accessToken || !apiKey) return startInstance({ TEST_VISIT_ALLOW_PRIVATE: 'true' });
  const client = new Client({ url, accessToken, apiKey });
  await setUp(client);
  return { ...(await connectInstance(client)), dispose: async () => undefined };
}

async function startUnclaimed(): Promise<DisposableFixture<Unclaimed>> {
  const instance = await Instance.start({ env: CREDENTIALS_ENV });
  const [setupUrl] = /http:\S+\/setup#\S+/.exec(instance.output)!;
  return { setupUrl, dispose: () => instance.dispose() };
}

/** Starts a separate instance with an administrator. */
export async function startInstance(
  env: Record<string, string> = {},
): Promise<DisposableFixture<TestInstance & { instance: Instance }>> {
  const instance = await Instance.start({ env: { ...CREDENTIALS_ENV, ...ADMIN_ENV, ...env } });
  const served = await connectInstance(new Client({ url: instance.url, ...CREDENTIALS }));
  return { ...served, instance, dispose: () => instance.dispose() };
}

/** Starts an instance with `days` days of sample visits. `projectId` is the demo project's ID. */
export async function startDemo(days: number): Promise<DisposableFixture<TestInstance>> {
  const started = await startInstance();
  await promisify(execFile)(process.execPath, [CLI, 'demo', 'seed', '--no-live', '--days', String(days)], {
    env: {
      ...process.env,
      TZ: 'Europe/Berlin',
      AGENT_TRAFFIC_URL: started.url,
      AGENT_TRAFFIC_API_KEY: CREDENTIALS.apiKey,
    },
  });
  const { projects } = await started.client.api<{ projects: { id: string; name: string }[] }>('/projects');
  return { ...started, projectId: projects.find(({ name }) => name === 'Demo shop')!.id };
}

async function connectInstance(client: Client): Promise<TestInstance> {
  const { url } = client.target;
  return { url, client, projectId: await client.projectId(), ...(await createSession(url)) };
}

async function createSession(url: string): Promise<Pick<TestInstance, 'session' | 'signedInAt'>> {
  return { signedInAt: performance.now(), session: await signIn(url) };
}

/** Creates the administrator if the deployment doesn't have one. */
async function setUp(client: Client): Promise<void> {
  if (!(await client.api<{ setup_required: boolean }>('/session')).setup_required) return;
  const { code } = await client.api<{ code: string }>('/setup-codes', { method: 'POST', body: {} });
  await client.api('/setup', { method: 'POST', body: { code, name: 'Ada', ...ADMIN } });
}

/**
 * Checks the current page in each look and takes screenshots. To save time, the page is loaded only once, and unless
 * `LOOKS=all` is set, its accessibility is only checked in one of the looks.
 *
 * @param selector As in {@link expectAccessible}.
 */
export async function expectLooks(page: Page, name: string, selector?: string): Promise<void> {
  for (const [index, { name: look, colorScheme, viewport }] of LOOKS.entries()) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    // Taking screenshots is slow, and they aren't reviewed in CI.
    if (process.env['CI'] === undefined)
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-${look}.png`), fullPage: true });
    await expectNoHorizontalScroll(page);
    if (viewport === PHONE) await expectNoCutOffTables(page);
    if (areAllLooksChecked || index === name.length % LOOKS.length) await expectAccessible(page, selector);
  }
}

/** Checks that no table is wider than its container on a phone. Chart tables are allowed to scroll. */
async function expectNoCutOffTables(page: Page): Promise<void> {
  const findCutOffTables = (): Promise<string[]> =>
    page.evaluate(
      `[...document.querySelectorAll('[role=region]:not([data-scrolls]):has(> table)')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel)`,
    );
  await expect.poll(findCutOffTables, 'tables that are cut off').toEqual([]);
}

/** @param selector Elements to check, such as an open menu, which covers parts of the page. Default: the whole page. */
export async function expectAccessible(page: Page, selector?: string): Promise<void> {
  // Every page has an `h1`, so this waits until the page has rendered.
  await expect(page.locator('h1')).not.toHaveCount(0);
  // Previous data is translucent while new data loads.
  await expect(page.locator('[aria-busy=true][style*=opacity]')).toHaveCount(0);
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  await page.evaluate(FINISH_TRANSITIONS);
  // The fixed header covers links of a scrolled page, so axe would report them as too small.
  await page.evaluate('scrollTo(0, 0)');
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(selector) ?? 'document'}, ${JSON.stringify(ACCESSIBLE)})`,
  );
  const found = violations.map(
    ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join('\n')}`,
  );
  expect(found).toEqual([]);
}

export async function expectNoHorizontalScroll(page: Page): Promise<void> {
  const excess = (): Promise<number> => page.evaluate('document.documentElement.scrollWidth - innerWidth');
  // Elements that observe their container's size adapt one frame later.
  await expect.poll(excess, 'the page fits the window width').toBeLessThanOrEqual(0);
}

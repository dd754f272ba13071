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
import { ADMIN, ADMIN_ENV, sessionAt, type Session } from './admin.js';
import { CHROMIUM } from './chromium.js';

/** Folder for screenshots, for visual review. */
export const SCREENSHOTS = join(tmpdir(), 'agent-traffic-screenshots');

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 320, height: 700 };

interface Look {
  name: string;
  colorScheme: 'light' | 'dark';
  viewport: typeof WIDE;
}

/** The wide viewport comes last because the test continues in it. */
const EVERY_LOOK: readonly Look[] = [
  { name: 'light-phone', colorScheme: 'light', viewport: PHONE },
  { name: 'dark-wide', colorScheme: 'dark', viewport: WIDE },
  { name: 'dark-phone', colorScheme: 'dark', viewport: PHONE },
  { name: 'light-wide', colorScheme: 'light', viewport: WIDE },
];

/**
 * Combinations of color scheme and size that each page is checked in. By default, each scheme and size once; with
 * `LOOKS=all`, all combinations.
 */
const LOOKS = process.env['LOOKS'] === 'all' ? EVERY_LOOK : EVERY_LOOK.slice(0, 2);

export interface Served {
  url: string;
  client: Client;
  projectId: string;
  /** Administrator session. It is shared because a sign-in per test would hit the rate limit. */
  session: Session;
  /** Time of sign-in, from `performance.now()`. */
  signedInAt: number;
}

type Started<T> = T & { dispose(): Promise<void> };

interface TestFixtures {
  /** Page with the administrator's session, before any navigation. */
  signedIn: Page;
}

interface WorkerFixtures {
  served: Served;
  /** Instance without an administrator. */
  unclaimed: Unclaimed;
  /** Instance with a few days of sample visits. */
  demo: Served;
}

interface Unclaimed {
  /** Setup link from the log of the first start. */
  setupUrl: string;
}

const ACCESSIBLE: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // Dialogs of the component library contain a `header`, which axe mistakes for the page banner outside `main`.
  rules: { 'landmark-no-duplicate-banner': { enabled: false }, 'landmark-unique': { enabled: false } },
  resultTypes: ['violations'],
  // Preloading is only needed for autoplaying media, and the dashboard has none.
  preload: false,
};

/**
 * Finishes CSS transitions, because colors in transition have the wrong contrast. Waits two frames first, so that
 * recent changes have started their transitions.
 */
const END_TRANSITIONS = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() => {
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
})`;

/** Age at which the session is renewed. Tokens can't be revealed without a password 10 minutes after sign-in. */
const RENEWED_AFTER_MS = 5 * 60_000;
const CLI = join(import.meta.dirname, '../../apps/cli/bin/agent-traffic.mjs');
const DEMO_DAYS = 3;

/** Worker fixture that is started once, when the first test uses it. */
const once = <T>(
  start: () => Promise<Started<T>>,
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
 * Extended `test` for browser tests of the dashboard. By default, tests use instances that are started in the same way
 * as `npm start`.
 *
 * With `TARGET_URL`, `TARGET_ACCESS_TOKEN` and `TARGET_API_KEY`, they use an existing deployment instead. It must have
 * no administrator yet, or one with the credentials in `TARGET_ADMIN_EMAIL` and `TARGET_ADMIN_PASSWORD`. Test visits
 * require `TEST_VISIT_ALLOW_PRIVATE=true` in the deployment.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  served: once(startServed, 180_000),
  unclaimed: once(startUnclaimed, 180_000),
  demo: once(() => startDemo(DEMO_DAYS), 300_000),

  baseURL: async ({ served }, use) => use(served.url),

  page: async ({ page }, use) => {
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    // Includes violations of the Content-Security-Policy. Failed requests are skipped because the page handles them.
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(message.text());
    });
    await use(page);
    // A route handler of the finished test may still be running.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(faults, 'nothing went wrong within the page').toEqual([]);
  },

  signedIn: async ({ page, served }, use) => {
    if (performance.now() - served.signedInAt > RENEWED_AFTER_MS) Object.assign(served, await signedInTo(served.url));
    await page.context().addCookies([served.session]);
    await use(page);
  },
});

export { expect };

async function startServed(): Promise<Started<Served>> {
  if (!existsSync(CHROMIUM)) throw new Error(`there is no ${CHROMIUM}: install the package chromium-headless-shell`);
  await mkdir(SCREENSHOTS, { recursive: true });
  const { TARGET_URL: url, TARGET_ACCESS_TOKEN: accessToken, TARGET_API_KEY: apiKey } = process.env;
  if (!url || !accessToken || !apiKey) return startInstance({ TEST_VISIT_ALLOW_PRIVATE: 'true' });
  const client = new Client({ url, accessToken, apiKey });
  await setUp(client);
  return { ...(await servedBy(client)), dispose: async () => undefined };
}

async function startUnclaimed(): Promise<Started<Unclaimed>> {
  const instance = await Instance.start({ env: CREDENTIALS_ENV });
  const [setupUrl] = /http:\S+\/setup#\S+/.exec(instance.output)!;
  return { setupUrl, dispose: () => instance.dispose() };
}

/** Starts a separate instance with an administrator. */
export async function startInstance(
  env: Record<string, string> = {},
): Promise<Started<Served & { instance: Instance }>> {
  const instance = await Instance.start({ env: { ...CREDENTIALS_ENV, ...ADMIN_ENV, ...env } });
  const served = await servedBy(new Client({ url: instance.url, ...CREDENTIALS }));
  return { ...served, instance, dispose: () => instance.dispose() };
}

/** Starts an instance with `days` days of sample visits. `projectId` is their project. */
export async function startDemo(days: number): Promise<Started<Served>> {
  const started = await startInstance();
  await promisify(execFile)(process.execPath, [CLI, 'demo', 'seed', '--days', String(days)], {
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

async function servedBy(client: Client): Promise<Served> {
  const { url } = client.target;
  return { url, client, projectId: await client.projectId(), ...(await signedInTo(url)) };
}

async function signedInTo(url: string): Promise<Pick<Served, 'session' | 'signedInAt'>> {
  return { signedInAt: performance.now(), session: await sessionAt(url) };
}

/** Creates the administrator if the deployment has none. */
async function setUp(client: Client): Promise<void> {
  if (!(await client.api<{ setup_required: boolean }>('/session')).setup_required) return;
  const { code } = await client.api<{ code: string }>('/setup-codes', { method: 'POST', body: {} });
  await client.api('/setup', { method: 'POST', body: { code, name: 'Ada', ...ADMIN } });
}

/** Checks the current page in each look and takes screenshots. The page is loaded only once because that is faster. */
export async function expectLooks(page: Page, name: string): Promise<void> {
  for (const { name: look, colorScheme, viewport } of LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    // Screenshots are slow, and nobody looks at them in CI.
    if (process.env['CI'] === undefined)
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-${look}.png`), fullPage: true });
    await expectNoSidewaysScroll(page);
    if (viewport === PHONE) await expectWholeRows(page);
    await expectAccessible(page);
  }
}

/** Checks that on a phone, no table is wider than its container. Chart tables are allowed to scroll. */
async function expectWholeRows(page: Page): Promise<void> {
  const cut = (): Promise<string[]> =>
    page.evaluate(
      `[...document.querySelectorAll('[role=region]:not([data-scrolls]):has(> table)')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel)`,
    );
  await expect.poll(cut, 'tables that are cut').toEqual([]);
}

export async function expectAccessible(page: Page): Promise<void> {
  // Every page has an `h1`, so this waits until the page is rendered.
  await expect(page.locator('h1')).not.toHaveCount(0);
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  await page.evaluate(END_TRANSITIONS);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(ACCESSIBLE)})`);
  const found = violations.map(
    ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join('\n')}`,
  );
  expect(found).toEqual([]);
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const excess = (): Promise<number> => page.evaluate('document.documentElement.scrollWidth - innerWidth');
  // Elements that observe the size of their container adapt one frame later.
  await expect.poll(excess, 'the page is as wide as the window').toBeLessThanOrEqual(0);
}

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

/** Of every page, to be looked at by people. */
export const SCREENSHOTS = join(tmpdir(), 'agent-traffic-screenshots');

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 320, height: 700 };

interface Look {
  name: string;
  colorScheme: 'light' | 'dark';
  viewport: typeof WIDE;
}

/** The last one is wide, as the test goes on in it. */
const EVERY_LOOK: readonly Look[] = [
  { name: 'light-phone', colorScheme: 'light', viewport: PHONE },
  { name: 'dark-wide', colorScheme: 'dark', viewport: WIDE },
  { name: 'dark-phone', colorScheme: 'dark', viewport: PHONE },
  { name: 'light-wide', colorScheme: 'light', viewport: WIDE },
];

/** How each page is looked at: with each color scheme and each size once, or with `LOOKS=all` in every combination. */
const LOOKS = process.env['LOOKS'] === 'all' ? EVERY_LOOK : EVERY_LOOK.slice(0, 2);

export interface Served {
  url: string;
  client: Client;
  projectId: string;
  /** Of the administrator: signing in for every test would reach the limit of attempts. */
  session: Session;
  /** When it began, by `performance.now()`. */
  signedInAt: number;
}

/** What has to be stopped again. */
type Started<T> = T & { dispose(): Promise<void> };

interface TestFixtures {
  /** A page that is the administrator's, and open at no address yet. */
  signedIn: Page;
}

interface WorkerFixtures {
  served: Served;
  /** Where nobody administers the instance yet. */
  unclaimed: Unclaimed;
  /** An instance with some days of made-up visits. */
  demo: Served;
}

interface Unclaimed {
  /** The address that a first start prints. */
  setupUrl: string;
}

const ACCESSIBLE: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // The head of the library's dialogs is a `header`, which outside of `main` counts as the page's.
  rules: { 'landmark-no-duplicate-banner': { enabled: false }, 'landmark-unique': { enabled: false } },
  resultTypes: ['violations'],
  // Only media that play by themselves need it, and there are none.
  preload: false,
};

/** A color on its way to another has the contrast of neither. What has just changed is drawn first. */
const END_TRANSITIONS = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() => {
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
})`;

/** Ten minutes after signing in, tokens are no longer shown without a password. */
const RENEWED_AFTER_MS = 5 * 60_000;
const CLI = join(import.meta.dirname, '../../apps/cli/bin/agent-traffic.mjs');
const DEMO_DAYS = 3;

/** A fixture that is started once, when the first test wants it. */
const once = <T>(
  start: () => Promise<Started<T>>,
  timeout: number,
): [WorkerFixture<T, object>, { scope: 'worker'; timeout: number }] => [
  // From the pattern Playwright reads which other fixtures this one takes.
  // oxlint-disable-next-line no-empty-pattern
  async ({}, use) => {
    const started = await start();
    await use(started);
    await started.dispose();
  },
  { scope: 'worker', timeout },
];

/**
 * Tests of the dashboard in a real browser, against instances as `npm start` runs them; or, with `TARGET_URL`,
 * `TARGET_ACCESS_TOKEN` and `TARGET_API_KEY`, against a deployment that nobody administers yet, or whose administrator
 * has the account `TARGET_ADMIN_EMAIL` and `TARGET_ADMIN_PASSWORD`. For test visits it has `TEST_VISIT_ALLOW_PRIVATE=true`.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  served: once(startServed, 180_000),
  unclaimed: once(startUnclaimed, 180_000),
  demo: once(() => startDemo(DEMO_DAYS), 300_000),

  baseURL: async ({ served }, use) => use(served.url),

  page: async ({ page }, use) => {
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    // What the Content-Security-Policy refuses shows up here, too. Refused requests are the page's to show.
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(message.text());
    });
    await use(page);
    // A request may be on its way through a handler of the test that has ended.
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

/** An instance of its own, with its administrator. */
export async function startInstance(
  env: Record<string, string> = {},
): Promise<Started<Served & { instance: Instance }>> {
  const instance = await Instance.start({ env: { ...CREDENTIALS_ENV, ...ADMIN_ENV, ...env } });
  const served = await servedBy(new Client({ url: instance.url, ...CREDENTIALS }));
  return { ...served, instance, dispose: () => instance.dispose() };
}

/** An instance with so many days of made-up visits, and their project. */
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

/** Makes the administrator where there is none. */
async function setUp(client: Client): Promise<void> {
  if (!(await client.api<{ setup_required: boolean }>('/session')).setup_required) return;
  const { code } = await client.api<{ code: string }>('/setup-codes', { method: 'POST', body: {} });
  await client.api('/setup', { method: 'POST', body: { code, name: 'Ada', ...ADMIN } });
}

/** What each page is, as it is open now, in each look; leaves a screenshot of each. Opening it once for all of them takes half the time. */
export async function expectLooks(page: Page, name: string): Promise<void> {
  for (const { name: look, colorScheme, viewport } of LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    // They take time, and in a gate nobody looks.
    if (process.env['CI'] === undefined)
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-${look}.png`), fullPage: true });
    await expectNoSidewaysScroll(page);
    if (viewport === PHONE) await expectWholeRows(page);
    await expectAccessible(page);
  }
}

/** On a phone, no table is wider than what it may scroll in, apart from those of charts. */
async function expectWholeRows(page: Page): Promise<void> {
  const cut = (): Promise<string[]> =>
    page.evaluate(
      `[...document.querySelectorAll('[role=region]:not([data-scrolls]):has(> table)')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel)`,
    );
  await expect.poll(cut, 'tables that are cut').toEqual([]);
}

/** Nothing that WCAG 2.2 AA forbids, as far as a program can tell. */
export async function expectAccessible(page: Page): Promise<void> {
  // Each page has one, so it is there once there is something to look at.
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
  // What observes the size of its place follows it a frame later.
  await expect.poll(excess, 'the page is as wide as the window').toBeLessThanOrEqual(0);
}

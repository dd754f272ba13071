import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test as base, type Page } from '@playwright/test';
import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance } from '../kit/instance.js';
import { ADMIN, ADMIN_ENV } from './admin.js';

export const CHROMIUM = '/usr/bin/chromium';
/** Of every page, to be looked at by people. */
export const SCREENSHOTS = join(tmpdir(), 'agent-traffic-screenshots');

export interface Served {
  url: string;
  client: Client;
  projectId: string;
  /** Of a session of the administrator: signing in for every test would reach the limit of attempts. */
  session: { name: string; value: string; url: string };
}

interface TestFixtures {
  /** Whoever opened the page is signed in as the administrator. */
  signedIn: Page;
}

interface WorkerFixtures {
  served: Served;
  /** The address that a first start prints: nobody administers the instance yet. */
  unclaimed: string;
  /** An instance with some days of made-up visits. */
  demo: Served;
}

const CLI = join(import.meta.dirname, '../../apps/cli/bin/agent-traffic.mjs');
const DEMO_DAYS = 3;

/**
 * Tests of the dashboard in a real browser, against instances as `npm start` runs them; or, with `TARGET_URL`,
 * `TARGET_ACCESS_TOKEN` and `TARGET_API_KEY`, against a deployment that nobody administers yet, or whose administrator
 * has the account `TARGET_ADMIN_EMAIL` and `TARGET_ADMIN_PASSWORD`. For test visits it has `TEST_VISIT_ALLOW_PRIVATE=true`.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  served: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      if (!existsSync(CHROMIUM)) throw new Error(`there is no ${CHROMIUM}: install the package chromium`);
      await mkdir(SCREENSHOTS, { recursive: true });
      const { TARGET_URL: target, TARGET_ACCESS_TOKEN: accessToken, TARGET_API_KEY: apiKey } = process.env;
      if (target && accessToken && apiKey) {
        const client = new Client({ url: target, accessToken, apiKey });
        await setUp(client);
        await use({ url: target, client, projectId: await client.projectId(), session: await sessionAt(target) });
        return;
      }
      const env = { ...CREDENTIALS_ENV, ...ADMIN_ENV, TEST_VISIT_ALLOW_PRIVATE: 'true' };
      const instance = await Instance.start({ env });
      const client = new Client({ url: instance.url, ...CREDENTIALS });
      const session = await sessionAt(instance.url);
      await use({ url: instance.url, client, projectId: await client.projectId(), session });
      await instance.dispose();
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  unclaimed: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const instance = await Instance.start({ env: CREDENTIALS_ENV });
      const [address] = /http:\S+\/setup#\S+/.exec(instance.output)!;
      await use(address);
      await instance.dispose();
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  demo: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const instance = await Instance.start({ env: { ...CREDENTIALS_ENV, ...ADMIN_ENV } });
      const { url } = instance;
      await promisify(execFile)(process.execPath, [CLI, 'demo', 'seed', '--days', String(DEMO_DAYS)], {
        env: { ...process.env, TZ: 'Europe/Berlin', AGENT_TRAFFIC_URL: url, AGENT_TRAFFIC_API_KEY: CREDENTIALS.apiKey },
      });
      const client = new Client({ url, ...CREDENTIALS });
      const { projects } = await client.api<{ projects: { id: string; name: string }[] }>('/projects');
      const projectId = projects.find(({ name }) => name === 'Demo shop')!.id;
      await use({ url, client, projectId, session: await sessionAt(url) });
      await instance.dispose();
    },
    { scope: 'worker', timeout: 120_000 },
  ],

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
    expect(faults, 'nothing went wrong within the page').toEqual([]);
  },

  signedIn: async ({ page, served }, use) => {
    await page.context().addCookies([served.session]);
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
    await use(page);
  },
});

export { expect };

/** Makes the administrator where there is none. */
async function setUp(client: Client): Promise<void> {
  if (!(await client.api<{ setup_required: boolean }>('/session')).setup_required) return;
  const { code } = await client.api<{ code: string }>('/setup-codes', { method: 'POST', body: {} });
  await client.api('/setup', { method: 'POST', body: { code, name: 'Ada', ...ADMIN } });
}

/** Signs the administrator in. */
export async function sessionAt(url: string): Promise<Served['session']> {
  const response = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(ADMIN),
  });
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(response.headers.getSetCookie()[0] ?? '') ?? [];
  if (name === undefined || value === undefined) throw new Error(`no session: ${response.status}`);
  return { name, value, url };
}

/** Nothing that WCAG 2.2 AA forbids, as far as a program can tell. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    // The head of the library's dialogs is a `header`, which outside of `main` counts as the page's.
    .disableRules(['landmark-no-duplicate-banner', 'landmark-unique'])
    .analyze();
  const found = violations.map(
    ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join('\n')}`,
  );
  expect(found).toEqual([]);
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [inner, outer] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]');
  expect(inner, 'the page is as wide as the window').toBeLessThanOrEqual(outer);
}

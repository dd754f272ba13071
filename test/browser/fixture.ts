import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test as base, type Page } from '@playwright/test';
import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance } from '../kit/instance.js';
import { ADMIN, ADMIN_ENV } from './admin.js';
import { installDoubles } from './doubles.js';

export const CHROMIUM = '/usr/bin/chromium';
/** Of every page, to be looked at by people. */
export const SCREENSHOTS = join(tmpdir(), 'agent-traffic-screenshots');

export interface Served {
  url: string;
  client: Client;
  projectId: string;
}

interface TestFixtures {
  /** Whoever opened the page is signed in as the administrator. */
  signedIn: Page;
}

/** Tests of the dashboard in a real browser, against an instance as `npm start` runs it. */
export const test = base.extend<TestFixtures, { served: Served }>({
  served: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      if (!existsSync(CHROMIUM)) throw new Error(`there is no ${CHROMIUM}: install the package chromium`);
      await mkdir(SCREENSHOTS, { recursive: true });
      const instance = await Instance.start({ env: { ...CREDENTIALS_ENV, ...ADMIN_ENV } });
      const client = new Client({ url: instance.url, ...CREDENTIALS });
      await use({ url: instance.url, client, projectId: await client.projectId() });
      await instance.dispose();
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  baseURL: async ({ served }, use) => use(served.url),

  context: async ({ context, served }, use) => {
    await installDoubles(context, served.url, CREDENTIALS.apiKey);
    await use(context);
  },

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

  signedIn: async ({ page }, use) => {
    await signIn(page);
    await use(page);
  },
});

export { expect };

export async function signIn(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByLabel('E-mail address').fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
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

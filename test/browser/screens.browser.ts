import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { DashboardBuild } from './dashboard-build.js';
import { expect, startDemo, test, type TestInstance } from './fixture.js';
import { compareImages } from './image-comparison.js';

/**
 * Compares screenshots of each page with those of an earlier build, in both themes and at two widths. Both builds run in
 * the same browser with the same API responses, so neither fonts nor dates nor data make a difference, and the
 * repository contains no images. Changes aren't failures: the report shows them for review.
 *
 * `SCREENS=1 npm run test:browser -- screens` compares with the commit that was the newest a day ago.
 * `SCREENS=<commit>` compares with another one.
 */
const REPORT = join(import.meta.dirname, '../../node_modules/.cache/screens');
const SIZES = [
  { width: 1_440, height: 900 },
  { width: 390, height: 844 },
];
/** Pages are cut off at this height. */
const MAX_HEIGHT_PX = 3_000;
/** Share of different pixels from which a page counts as changed. */
const MIN_CHANGE = 0.000_1;

const PROJECT_PAGES = [
  'overview?range=24h',
  'overview?range=30d',
  'visits?range=7d',
  'realtime',
  'journeys?range=7d',
  'agents?range=30d',
  'coverage',
  'verification?range=30d',
  'compliance?range=30d',
  'load?range=30d',
  'referrals?range=30d',
  'unlisted?range=30d',
  'tools?range=30d',
  'paid-crawling?range=30d',
  'alerts',
  'reports',
  'policy',
  'robots',
  'get-started',
  'settings',
  'settings?tab=sharing',
];
const INSTANCE_PAGES = ['projects', 'catalog', 'catalog/feeds', 'system', 'audit', 'account', 'nowhere'];

interface Change {
  name: string;
  /** Share of different pixels, or null if the earlier build can't show the page. */
  share: number | null;
}

let demo: TestInstance & { dispose: () => Promise<void> };
let build: DashboardBuild | null;
let startedAt = 0;
const changes: Change[] = [];

test.beforeAll(async () => {
  test.setTimeout(600_000);
  await rm(REPORT, { recursive: true, force: true });
  await mkdir(REPORT, { recursive: true });
  build = await DashboardBuild.create(process.env['SCREENS']!);
  demo = await startDemo(60);
  startedAt = Date.now();
});

test.afterAll(async () => {
  await demo?.dispose();
  await build?.dispose();
  await writeFile(join(REPORT, 'index.html'), renderReport(changes));
  console.log(`${changes.length} screens changed. Report: ${join(REPORT, 'index.html')}`);
  for (const { name, share } of changes)
    console.log(`  ${name}: ${share === null ? 'new' : `${(100 * share).toFixed(2)}% of pixels`}`);
});

for (const path of [...PROJECT_PAGES, ...INSTANCE_PAGES]) {
  test(`shows /${path}`, async ({ page }) => {
    await page.context().addCookies([demo.session]);
    await page.clock.setFixedTime(startedAt);
    const isInstancePage = INSTANCE_PAGES.includes(path);
    const url = `${demo.url}/${isInstancePage ? '' : `projects/${demo.projectId}/`}${path}`;
    const responses = new Map<string, { status: number; headers: Record<string, string>; body: Buffer }>();
    // Both builds get the same responses, so only the dashboard itself can differ.
    await page.route('**/api/**', async (route) => {
      const request = route.request();
      if (request.method() !== 'GET' || request.url().includes('/stream')) return route.continue();
      const stored = responses.get(request.url());
      if (stored !== undefined) return route.fulfill(stored);
      const response = await route.fetch();
      const answer = { status: response.status(), headers: response.headers(), body: await response.body() };
      responses.set(request.url(), answer);
      return route.fulfill(answer);
    });
    for (const size of SIZES) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const name = `${path.replaceAll(/\W+/g, '-')}-${colorScheme}-${size.width}`;
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const after = await takeScreenshot(page, url, size);
        if (build === null) continue;
        await build.serve(page, demo.url);
        const before = await takeScreenshot(page, url, size).catch(() => null);
        await build.stopServing(page, demo.url);
        await recordChange(page, name, before, after);
      }
    }
  });
}

async function takeScreenshot(page: Page, url: string, size: { width: number; height: number }): Promise<Buffer> {
  await page.setViewportSize(size);
  await page.goto(url);
  await expect(page.locator('h1')).not.toHaveCount(0);
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
  await page.evaluate('document.fonts.ready');
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ ...size, height: Math.min(MAX_HEIGHT_PX, Math.max(size.height, height)) });
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

async function recordChange(page: Page, name: string, before: Buffer | null, after: Buffer): Promise<void> {
  if (before === null) {
    await writeFile(join(REPORT, `${name}.after.png`), after);
    changes.push({ name, share: null });
    return;
  }
  if (before.equals(after)) return;
  const { share, difference } = await compareImages(page, before, after);
  if (share < MIN_CHANGE) return;
  changes.push({ name, share });
  for (const [kind, image] of Object.entries({ before, after, difference }))
    await writeFile(join(REPORT, `${name}.${kind}.png`), image);
}

/** Renders a page with the changed screens, the most changed ones first. */
function renderReport(changed: readonly Change[]): string {
  const sorted = changed.toSorted((one, other) => (other.share ?? 1) - (one.share ?? 1));
  const sections = sorted.map(({ name, share }) => {
    const kinds = share === null ? ['after'] : ['before', 'after', 'difference'];
    const images = kinds.map((kind) => `<img src="${name}.${kind}.png" alt="${kind}" width="32%" loading="lazy">`);
    return `<h2>${name}</h2>${images.join(' ')}`;
  });
  const count = `<h1>${changed.length} screens changed</h1>`;
  return `<!doctype html><meta charset="utf-8"><title>Screens</title>${count}${sections.join('\n')}`;
}

/** Measures the time until dashboard pages are usable in Chromium. */
import { setTimeout } from 'node:timers/promises';
import { chromium, type Browser } from '@playwright/test';
import { signIn, type Session } from '../browser/admin.ts';
import { CHROMIUM } from '../browser/chromium.ts';
import { isQuick, matchesFilter } from './compare.ts';
import { percentile, type BenchProject } from './reading-operations.ts';

const ROUNDS = isQuick ? 1 : 5;
const GOAL_MS = 1_500;
const PAGE_TIMEOUT_MS = 30_000;
const CHECK_INTERVAL_MS = 20;

interface MeasuredPage {
  path: string;
  /** Selector that matches once the page shows its data. */
  ready: string;
}

/** Pages missing from the measured build are reported and skipped. */
const createPages = (project: string): Record<string, MeasuredPage> => ({
  projects: { path: '/projects', ready: 'text=Agent visits, 24 h' },
  realtime: { path: `${project}/realtime`, ready: 'role=row >> nth=1' },
  'realtime, failed': { path: `${project}/realtime?result=verification_failed`, ready: 'role=row >> nth=1' },
  'realtime, a page': { path: `${project}/realtime?page=/articles/1999`, ready: 'role=row >> nth=1' },
  visits: { path: `${project}/visits`, ready: 'role=row >> nth=2' },
  'visits, 30 days': { path: `${project}/visits?range=30d`, ready: 'role=row >> nth=2' },
  'visits, one type, 30 days, oldest first': {
    path: `${project}/visits?range=30d&order=oldest&type=Search Engine Crawler`,
    ready: 'role=row >> nth=2',
  },
  'overview, 24 hours': { path: `${project}/overview`, ready: '[data-chart="bars"]' },
  'overview, 30 days': { path: `${project}/overview?range=30d`, ready: '[data-chart="bars"]' },
  'agents, 30 days': { path: `${project}/agents?range=30d`, ready: 'role=row >> nth=1' },
  'verification, 30 days': { path: `${project}/verification?range=30d`, ready: '[data-chart="bars"]' },
  'referrals, 30 days': { path: `${project}/referrals?range=30d`, ready: '[data-chart="bars"]' },
  'compliance, 30 days': { path: `${project}/compliance?range=30d`, ready: 'h2' },
  'tools, 30 days': { path: `${project}/tools?range=30d`, ready: '[data-chart="bars"]' },
  coverage: { path: `${project}/coverage`, ready: 'main h2' },
  'coverage, pages': { path: `${project}/coverage?state=never_fetched`, ready: 'role=dialog >> role=row >> nth=1' },
  'unlisted, 30 days': { path: `${project}/unlisted?range=30d`, ready: 'tbody tr' },
  'journeys, 7 days': { path: `${project}/journeys?range=7d`, ready: 'main h2' },
  'load, 30 days': { path: `${project}/load?range=30d`, ready: '[data-chart="bars"]' },
  'paid crawling, 30 days': { path: `${project}/paid-crawling?range=30d`, ready: 'main h1' },
  alerts: { path: `${project}/alerts`, ready: 'main h1' },
  reports: { path: `${project}/reports`, ready: 'role=article' },
  policy: { path: `${project}/policy`, ready: 'tbody tr >> nth=1' },
  robots: { path: `${project}/robots`, ready: 'main h2' },
  catalog: { path: '/catalog', ready: 'tbody tr >> nth=1' },
  system: { path: '/system', ready: 'text=Disk and retention' },
  'get started': { path: `${project}/get-started`, ready: 'main h1' },
  settings: { path: `${project}/settings`, ready: 'main h1' },
});

/** Measures each page in a browser with an empty cache, from navigation until its data is visible. */
export async function measurePages({ url, id }: BenchProject): Promise<void> {
  const pages = Object.entries(createPages(`/projects/${id}`)).filter(([name]) => matchesFilter(name));
  if (pages.length === 0) return;
  const cookie = await signIn(url);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const timesByPage = new Map<string, number[]>();
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const [name, page] of pages) {
        const time = await timeUntilUsable(browser, url, cookie, page);
        if (time !== null && round >= 0) timesByPage.set(name, [...(timesByPage.get(name) ?? []), time]);
      }
      process.stderr.write('.');
    }
    process.stdout.write(`time until pages are usable, ${ROUNDS} rounds without a cache, milliseconds\n\n`);
    for (const [name] of pages) {
      const times = timesByPage.get(name);
      if (times === undefined) process.stdout.write(`${name.padEnd(30)} not in this build\n`);
      else {
        const figures = [Math.min(...times), percentile(times, 0.5), Math.max(...times)];
        const [best, p50, slowest] = figures.map((figure) => figure.toFixed(0).padStart(6));
        const verdict = Number(p50) <= GOAL_MS ? '' : '  MISSED';
        process.stdout.write(
          `${name.padEnd(30)} p50 ${p50}  fastest ${best}  slowest ${slowest}; goal ≤ ${GOAL_MS}${verdict}\n`,
        );
      }
    }
  } finally {
    await browser.close();
  }
}

/** Returns the time in milliseconds, or null if the page doesn't exist. */
async function timeUntilUsable(
  browser: Browser,
  url: string,
  cookie: Session,
  { path, ready }: MeasuredPage,
): Promise<number | null> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    await context.addCookies([cookie]);
    const page = await context.newPage();
    const inFlight = new Set<object>();
    // Ignore the visit stream, which never ends.
    const isRead = (address: string): boolean => address.includes('/api/') && !address.includes('/stream');
    page.on('request', (request) => isRead(request.url()) && inFlight.add(request));
    page.on('requestfinished', (request) => inFlight.delete(request));
    page.on('requestfailed', (request) => inFlight.delete(request));
    const started = performance.now();
    await page.goto(url + path, { waitUntil: 'commit' });
    const isReady = page.locator(ready).or(page.getByText('Page not found')).first();
    // Playwright's own wait checks only every 500 ms.
    while (!(await isReady.isVisible())) {
      if (performance.now() - started > PAGE_TIMEOUT_MS) throw new Error(`${path} isn't usable after 30 s`);
      await setTimeout(CHECK_INTERVAL_MS);
    }
    if (await page.getByText('Page not found').isVisible()) return null;
    // Wait until all API requests have finished and their data is rendered.
    do {
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    } while (inFlight.size > 0);
    return performance.now() - started;
  } finally {
    await context.close();
  }
}

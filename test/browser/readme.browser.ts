import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, startDemo, test, type TestInstance } from './fixture.js';
import { Recording } from './recording.js';

/**
 * Generates the README's images and recording from 60 days of sample visits. Requires Debian's `webp` package. Run
 * `UPDATE_IMAGES=1 npm run test:browser -- readme`.
 */
const IMAGES = join(import.meta.dirname, '../../docs/images');
const MAX_RECORDING_BYTES = 2_000_000;
/** Wide enough for a header in one row. */
const SIZE = { width: 1400, height: 875 };

let demo: TestInstance & { dispose: () => Promise<void> };
let project = '';

test.use({ locale: 'en-US' });

test.beforeAll(async () => {
  test.setTimeout(300_000);
  demo = await startDemo(60);
  project = `${demo.url}/projects/${demo.projectId}`;
});

test.afterAll(() => demo?.dispose());

test.beforeEach(({ page }) => page.context().addCookies([demo.session]));

test('generates the README images', async ({ page }) => {
  await page.setViewportSize(SIZE);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const picture = (name: string) => page.screenshot({ path: join(IMAGES, `${name}-${colorScheme}.png`) });
    await openChart(page, 'overview?range=30d');
    await picture('overview');
    await page.goto(`${project}/realtime?result=verified&agent=GPTBot`);
    await page
      .getByRole('row', { name: /GPTBot/ })
      .first()
      .getByRole('link')
      .click();
    await expect(page.getByRole('dialog').getByText('Verification steps')).toBeVisible();
    await page
      .getByRole('dialog')
      .getByText('Verification steps')
      .evaluate((title) => title.scrollIntoView());
    await picture('visit');
  }
});

test('records a tour of 20 seconds', async ({ page }) => {
  await page.setViewportSize(SIZE);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const recording = new Recording(page);
  await openChart(page, 'overview?range=30d');
  await recording.hold(2_500);
  await recording.click(page.getByText('Verdict', { exact: true }).first());
  await settle(page);
  await recording.hold(2_500);
  await recording.click(page.getByRole('link', { name: 'Verification', exact: true }));
  await expect(page.getByRole('heading', { level: 1, name: 'Verification' })).toBeVisible();
  await expect(page.locator('[data-chart="bars"]').first()).toBeVisible();
  await settle(page);
  await recording.hold(2_800);
  await recording.click(page.getByRole('link', { name: 'Policy', exact: true }));
  await expect(page.getByRole('heading', { level: 1, name: 'Policy' })).toBeVisible();
  await expect(page.getByRole('row', { name: /GPTBot/ }).first()).toBeVisible();
  await settle(page);
  await recording.hold(2_800);
  await recording.click(page.getByRole('link', { name: 'Realtime', exact: true }));
  await expect(page.getByRole('row', { name: /Verified/ }).first()).toBeVisible();
  await settle(page);
  await recording.hold(2_000);
  await recording.click(
    page
      .getByRole('row', { name: /Verified/ })
      .first()
      .getByRole('link'),
  );
  await expect(page.getByRole('dialog').getByText('Verification steps')).toBeVisible();
  await settle(page);
  await recording.hold(Math.max(1_000, 20_000 - recording.durationMs));
  const image = await recording.encode();
  expect(image.length).toBeLessThanOrEqual(MAX_RECORDING_BYTES);
  await writeFile(join(IMAGES, 'tour.webp'), image);
});

async function openChart(page: Page, path: string): Promise<void> {
  await page.goto(`${project}/${path}`);
  await expect(page.locator('[data-chart="bars"]').first()).toBeVisible();
  await settle(page);
}

/** Waits until the page has loaded everything. Live pages never do, so the wait is limited. */
const settle = async (page: Page): Promise<void> =>
  page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);

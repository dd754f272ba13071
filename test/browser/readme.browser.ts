import { join } from 'node:path';
import { expect, startDemo, test } from './fixture.js';

const IMAGES = join(import.meta.dirname, '../../docs/images');

/** Generates the README images from 60 days of sample visits. Run `UPDATE_IMAGES=1 npm run test:browser -- readme`. */
test('generates the README images', async ({ page }) => {
  test.setTimeout(180_000);
  const demo = await startDemo(60);
  const project = `${demo.url}/projects/${demo.projectId}`;
  await page.context().addCookies([demo.session]);
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const picture = (name: string) => page.screenshot({ path: join(IMAGES, `${name}-${colorScheme}.png`) });
    await page.goto(`${project}/overview?range=30d`);
    await expect(page.locator('.recharts-area').first()).toBeVisible();
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
      .getByText('Client address')
      .evaluate((title) => title.scrollIntoView());
    await picture('visit');
  }
  await demo.dispose();
});

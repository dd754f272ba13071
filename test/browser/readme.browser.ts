import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance } from '../kit/instance.js';
import { ADMIN_ENV } from './admin.js';
import { expect, sessionAt, test } from './fixture.js';

const ROOT = join(import.meta.dirname, '../..');
const IMAGES = join(ROOT, 'docs/images');
const CLI = join(ROOT, 'apps/cli/bin/agent-traffic.mjs');

/** The pictures of README.md, of two months of made-up visits: `UPDATE_IMAGES=1 npm run test:browser -- readme`. */
test('the pictures of the README', async ({ page }) => {
  test.setTimeout(180_000);
  const instance = await Instance.start({ env: { ...CREDENTIALS_ENV, ...ADMIN_ENV } });
  const { url } = instance;
  await promisify(execFile)(process.execPath, [CLI, 'demo', 'seed', '--days', '60'], {
    env: { ...process.env, TZ: 'Europe/Berlin', AGENT_TRAFFIC_URL: url, AGENT_TRAFFIC_API_KEY: CREDENTIALS.apiKey },
  });
  const { projects } = await new Client({ url, ...CREDENTIALS }).api<{ projects: { id: string; name: string }[] }>(
    '/projects',
  );
  const project = `${url}/projects/${projects.find(({ name }) => name === 'Demo shop')!.id}`;
  await page.context().addCookies([await sessionAt(url)]);
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
    await expect(page.getByRole('dialog').getByText('Verification, step by step')).toBeVisible();
    await page
      .getByRole('dialog')
      .getByText('Client address')
      .evaluate((title) => title.scrollIntoView());
    await picture('visit');
  }
  await instance.dispose();
});

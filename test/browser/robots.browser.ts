import { text } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectLooks,
  expectNoHorizontalScroll,
  test as base,
  type TestInstance,
} from './fixture.js';

/** Uses the demo instance, where some agents ignore robots.txt. */
const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });
const EFFECT = /^In the last 30 days, these rules would have disallowed/;

async function open(page: Page, demo: TestInstance, search: string): Promise<void> {
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/robots?${search}`);
  await expect(page.getByRole('heading', { name: 'Policy', level: 1 })).toBeVisible();
}

test('shows what the rules would have disallowed and links to those visits', async ({ page, demo }) => {
  // The page asks before it discards a selection that differs from a version saved by another test.
  page.on('dialog', (dialog) => void dialog.accept());
  await open(page, demo, 'type=["AI Data Scraper","Scraper"]&path=/blog/');
  const effect = page.getByText(EFFECT);
  await expect(effect).toContainText(/visits by \d+ agents; \d+ of them ignores? robots.txt/);
  const agents = page.getByRole('region', { name: 'Agents the rules would disallow' });
  const visits = agents.getByRole('link', { name: /visits by GPTBot would be disallowed$/ });
  const count = /^[\d,]+/.exec(await visits.innerText())![0];
  await expectLooks(page, 'robots-effect');
  await visits.click();
  await expect(page.getByRole('heading', { name: 'Visits', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/path=%2Fblog%2F/);
  await expect(page.getByText(new RegExp(`^${count} visits`)).first()).toBeVisible();
  await page.goBack();
  await agents.getByRole('link', { name: /by Scrapy were already disallowed$/ }).click();
  await expect(page).toHaveURL(/robots=disallowed/);
});

test('sets usage and license with the keyboard, and then merges, saves, and compares the file', async ({
  page,
  demo,
}) => {
  await open(page, demo, 'type=["Archiver"]&path=/private/&view=signals');
  const file = page.getByRole('region', { name: 'Rendered file' });
  const training = page.getByRole('radiogroup', { name: 'AI training' });
  await training.getByRole('radio', { name: 'Allow', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(training.getByRole('radio', { name: 'Don’t allow' })).toBeChecked();
  // The lines of the site itself change, so that they don't contradict the choice.
  await expect(file).toContainText('- Content-Usage: search=y, train-ai=y');
  await expect(file).toContainText('+ Content-Usage: train-ai=n');
  const license = page.getByLabel('License', { exact: true });
  await license.fill('shop.example');
  await expect(page.getByText('Until then, the file won’t include a license.')).toBeVisible();
  await license.fill('https://shop.example/license.xml');
  await expect(file).toContainText('+ License: https://shop.example/license.xml');
  await expectLooks(page, 'robots-signals');

  await page.getByRole('button', { name: 'Save to policy' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await page.getByRole('button', { name: 'Advanced' }).click();
  await page.getByRole('group', { name: 'Content-Signal' }).getByLabel('AI training').selectOption('Allow');
  const diff = page.getByRole('region', { name: 'Changed lines' });
  await expect(diff).toContainText('- Content-Signal: ai-train=no');
  await expect(page.getByText(/lines for all agents changed\.$/)).toBeVisible();
  await expect(page.getByText('The draft’s two lines disagree')).toBeVisible();
  await page.reload();
  await expect(license).toHaveValue('https://shop.example/license.xml');
  await page.getByRole('link', { name: 'robots.txt', exact: true }).click();
  await page.getByText('Whole file', { exact: true }).click();
  await expect(file).toContainText('Disallow: /admin');
  await expect(file).toContainText('# agent-traffic begin');
  await expect(page.getByText(/^Your site’s robots.txt asks Bytespider and Scrapy to stay away/)).toBeVisible();
  await page.getByText('Update the file automatically').click();
  await expect(page.getByText(/--content-usage train-ai=no --license https/)).toBeVisible();
  await open(page, demo, 'type=["Scraper"]&format=nginx-map');
  await page.getByRole('link', { name: 'Signals & licenses' }).click();
  await expect(page.getByRole('radiogroup', { name: 'AI training' })).toHaveCount(0);
  await expect(page.getByText(EFFECT)).toHaveCount(0);
});

test('fixes contradictory preferences in the draft', async ({ page, demo }) => {
  await open(
    page,
    demo,
    'type=[]&view=signals&content_signal={"search":true,"ai_train":false}&content_usage={"search":true,"train_ai":true}',
  );
  await expect(page.getByText(/contradicts itself on AI training/)).toBeVisible();
  await page.getByRole('button', { name: 'Don’t allow it in both' }).click();
  const file = page.getByRole('region', { name: 'Rendered file' });
  await expect(file).toContainText('+ Content-Usage: search=y, train-ai=n');
  await expect(page.getByText('Contradiction fixed in the draft')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Your site already serves this file')).toBeVisible();
});

test('renders signals even if no agents are selected', async ({ page, demo }) => {
  await open(page, demo, 'type=[]&content_signal={"search":true}');
  await expect(page.getByRole('region', { name: 'Rendered file' })).toContainText('Content-Signal: search=yes');
});

test('disallows a single agent, and blocks it in a server', async ({ page, demo }) => {
  page.on('dialog', (dialog) => void dialog.accept());
  await open(page, demo, 'type=[]');
  await page.getByRole('button', { name: 'Behaviors, agents, and operators' }).click();
  await page.getByRole('combobox', { name: 'Also these agents' }).fill('ccbo');
  await page.getByRole('option', { name: 'CCBot' }).click();
  await expect(page.getByRole('region', { name: 'Rendered file' })).toContainText('+ User-agent: CCBot');
  await page.getByRole('link', { name: 'Connect your proxy' }).click();
  await page.getByRole('button', { name: 'Block agents without calling this instance' }).click();
  const file = page.getByRole('region', { name: 'Rendered file' });
  await expect(file).toContainText('CCBot');
  await page.getByLabel('Format').selectOption('HAProxy');
  await expect(page.getByRole('button', { name: 'Download agent-traffic.map' })).toBeVisible();
});

test('shows the configuration for each proxy with the keyboard', async ({ page, demo }) => {
  await open(page, demo, 'view=proxy');
  await expect(page.getByText(/^Connected: your live rules/)).toBeVisible();
  await page.getByRole('button', { name: 'Show setup' }).click();
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Block at the proxy' }) });
  await expect(section).toContainText(/proxy_set_header Authorization "Bearer (?:agt_…|[\w-]{20,})";/);
  await expect(section).toContainText(`server ${new URL(demo.url).host};`);
  await section.getByRole('button', { name: /^Show all \d+ lines/ }).click();
  await section.getByRole('radio', { name: 'nginx' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(section).toContainText(`forward_auth ${demo.url} http://127.0.0.1:3999 {`);
  await page.keyboard.press('ArrowRight');
  await expect(section).toContainText('forwardAuth:');
  await expect(section).toContainText('sudo systemctl restart traefik');
  await expect(section.getByText(/^Decisions arrived/)).toBeVisible();
  await section.scrollIntoViewIfNeeded();
  await expectLooks(page, 'robots-proxy');
});

test('offers the limits of live rules as files', async ({ page, demo }) => {
  await open(page, demo, 'view=proxy');
  await page.getByRole('button', { name: 'Limit rates without calling this instance' }).click();
  const section = page.locator('section', {
    has: page.getByRole('heading', { name: 'Limit rates without calling this instance' }),
  });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    section.getByRole('button', { name: 'Download agent-traffic-limits.conf' }).click(),
  ]);
  expect(await text(await download.createReadStream())).toContain('map $http_user_agent $agent_traffic_visitor {');
  await section.getByText('HAProxy').click();
  await expect(section.getByRole('button', { name: 'Download agent-traffic-ranges.map' })).toBeVisible();
  await expect(section).toContainText('./agent-traffic policy limits --server haproxy --output FOLDER');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 320, height: 700 } });

  test('fits the robots.txt controls and the effect of the rules on a phone screen', async ({ page, demo }) => {
    await open(page, demo, 'type=["AI Data Scraper","Scraper"]&path=/blog/*light&content_signal={"ai_train":false}');
    await expect(page.getByText(EFFECT)).toBeVisible();
    await expectNoHorizontalScroll(page);
    await expectAccessible(page);
  });
});

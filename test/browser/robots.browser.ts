import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectLooks, expectNoSidewaysScroll, test as base, type Served } from './fixture.js';

/** Uses the demo instance, whose robots.txt some agents ignore. */
const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });
const EFFECT = /^In the last 30 days, these rules would have disallowed/;

async function open(page: Page, demo: Served, search: string): Promise<void> {
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/robots?${search}`);
  await expect(page.getByRole('heading', { name: 'Robots.txt & blocking', level: 1 })).toBeVisible();
}

test('shows what the rules would have disallowed and links to the visits', async ({ page, demo }) => {
  await open(page, demo, 'type=["AI Data Scraper","Scraper"]&path=/blog/');
  const effect = page.getByText(EFFECT);
  await expect(effect).toContainText(/visits of \d+ agents; \d+ of them disregards? robots.txt/);
  const agents = page.getByRole('region', { name: 'Agents that the rules would disallow' });
  const visits = agents.getByRole('link', { name: /visits of GPTBot would be disallowed$/ });
  const count = /^[\d,]+/.exec(await visits.innerText())![0];
  await expectLooks(page, 'robots-effect');
  await visits.click();
  await expect(page.getByRole('heading', { name: 'Visits', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/path=%2Fblog%2F/);
  await expect(page.getByText(new RegExp(`^${count} visits`)).first()).toBeVisible();
  await page.goBack();
  await agents.getByRole('link', { name: /of Scrapy were already disallowed$/ }).click();
  await expect(page).toHaveURL(/robots=disallowed/);
});

test('sets usage and license by keyboard, then renders, saves and compares the file', async ({ page, demo }) => {
  await open(page, demo, 'type=["Archiver"]&path=/private/');
  const file = page.getByRole('region', { name: 'The rendered file' });
  const signal = page.getByRole('group', { name: 'Content-Signal' });
  await signal.getByLabel('AI training').focus();
  await page.keyboard.press('n');
  await page.keyboard.press('o');
  await expect(signal.getByLabel('AI training')).toHaveValue('no');
  await expect(file).toContainText('User-agent: *\nContent-Signal: ai-train=no\nDisallow:\n');
  const license = page.getByLabel('License', { exact: true });
  await license.fill('shop.example');
  await expect(page.getByText('Until then the file has no license.')).toBeVisible();
  await license.fill('https://shop.example/license.xml');
  await page.getByRole('group', { name: 'Content-Usage' }).getByLabel('AI training').selectOption('No');
  await expect(file).toContainText('License: https://shop.example/license.xml\n');
  await expect(file).toContainText('Content-Usage: train-ai=n\nDisallow: /private/\n');
  await expect(
    page.getByText(/--content-signal ai-train=no --content-usage train-ai=no --license https/),
  ).toBeVisible();
  await expectLooks(page, 'robots-signals');

  await page.getByRole('button', { name: 'Save as the current version' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await signal.getByLabel('AI training').selectOption('Not stated');
  const diff = page.getByRole('region', { name: 'Changed lines' });
  await expect(diff).toContainText('- Content-Signal: ai-train=no');
  await expect(page.getByText(/lines for all agents changed\.$/)).toBeVisible();
  await page.reload();
  await expect(license).toHaveValue('https://shop.example/license.xml');
  await page.getByLabel('Format').selectOption('nginx');
  await expect(page.getByText('Usage and license')).toHaveCount(0);
  await expect(page.getByText(EFFECT)).toHaveCount(0);
});

test('renders signals without any agents selected', async ({ page, demo }) => {
  await open(page, demo, 'type=[]&content_signal={"search":true}');
  await expect(page.getByRole('region', { name: 'The rendered file' })).toContainText('Content-Signal: search=yes');
});

test('shows the configuration of each proxy by keyboard', async ({ page, demo }) => {
  await open(page, demo, 'type=["AI Data Scraper"]');
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Refuse at the proxy' }) });
  await expect(section).toContainText(/proxy_set_header Authorization "Bearer (?:agt_…|[\w-]{20,})";/);
  await expect(section).toContainText(`server ${new URL(demo.url).host};`);
  await section.getByRole('tab', { name: 'nginx' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(section).toContainText(`forward_auth ${demo.url} {`);
  await page.keyboard.press('ArrowRight');
  await expect(section).toContainText('forwardAuth:');
  await section.scrollIntoViewIfNeeded();
  await expectLooks(page, 'robots-proxy');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 320, height: 700 } });

  test('fits the controls and the effect of the rules', async ({ page, demo }) => {
    await open(page, demo, 'type=["AI Data Scraper","Scraper"]&path=/blog/*light&content_signal={"ai_train":false}');
    await expect(page.getByText(EFFECT)).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
});

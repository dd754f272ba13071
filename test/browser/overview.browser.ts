import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, expectLooks, test as base } from './fixture.js';

const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });

const PLOT = '.recharts-cartesian-grid >> nth=0';

test.beforeEach(async ({ page, demo }) => {
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/overview?range=30d`);
  await expect(page.locator(PLOT)).toBeVisible();
});

const row = (page: Page, list: string, name: string): Locator =>
  page.getByRole('region', { name: list, exact: true }).getByRole('link', { name, exact: true });
const chips = (page: Page): Locator => page.getByRole('group', { name: 'Filters' });
const filters = (page: Page): Record<string, string> => {
  const { searchParams } = new URL(page.url());
  return Object.fromEntries([...searchParams].filter(([name]) => name !== 'range'));
};
const expectFilters = (page: Page, wanted: Record<string, string>): Promise<void> =>
  expect.poll(() => filters(page)).toEqual(wanted);

/** Returns the text that the visit list initially shows for this number of visits. */
function toVisitListText(visits: number): string {
  const all = `${visits.toLocaleString('en')} visits`;
  return visits > 100 ? `${all}, 100 shown. Scroll for more.` : all;
}

async function tile(page: Page, label: string): Promise<number> {
  const name = (await page.getByRole('link', { name: new RegExp(`${label}: show them$`) }).innerText()).trim();
  return Number(/^(?:≈ )?([\d,]+)/.exec(name)![1]!.replaceAll(',', ''));
}

test('narrows the filters with each clicked row and undoes them with the Back button', async ({ page }) => {
  const all = await tile(page, 'Agent visits');
  await row(page, 'Operators', 'OpenAI').click();
  await expectFilters(page, { operator: 'OpenAI' });
  await expect(chips(page)).toContainText('Operator is OpenAI');
  await expect.poll(() => tile(page, 'Agent visits')).toBeLessThan(all);
  const operatorVisits = await tile(page, 'Agent visits');
  // The agent list can't be filtered by operator, so the tile has no link.
  await expect(page.getByRole('link', { name: /Agents: show them$/ })).toHaveCount(0);
  await expect(row(page, 'Agents', 'GPTBot')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Operators' }).getByRole('listitem')).toHaveCount(1);

  await row(page, 'Status codes', '404').click();
  await expectFilters(page, { operator: 'OpenAI', status: '"404"' });
  await expect.poll(() => tile(page, 'Agent visits')).toBeLessThan(operatorVisits);
  const filteredVisits = await tile(page, 'Agent visits');
  await expect(page.getByRole('region', { name: 'Status codes' }).getByRole('listitem')).toHaveCount(1);

  await chips(page).getByRole('link', { name: 'Show these visits' }).click();
  await expect(page.getByRole('heading', { name: 'Visits', level: 1 })).toBeVisible();
  await expect(page.getByLabel('Status')).toHaveValue('404');
  await expect(page.getByText(toVisitListText(filteredVisits), { exact: true })).toBeVisible();

  await page.goBack();
  await expect(chips(page)).toContainText('Status is 404');
  await page.goBack();
  await expectFilters(page, { operator: 'OpenAI' });
  await expect.poll(() => tile(page, 'Agent visits')).toBe(operatorVisits);
  await page.goBack();
  await expect(chips(page)).toBeHidden();
  await expect.poll(() => tile(page, 'Agent visits')).toBe(all);
});

test('excludes a row by holding Alt while clicking it or using the keyboard', async ({ page }) => {
  const all = await tile(page, 'Agent visits');
  const link = row(page, 'Agents', 'GPTBot');
  await link.click({ modifiers: ['Alt'] });
  await expectFilters(page, { not_agent: 'GPTBot' });
  await expect(link).toBeHidden();
  await expect.poll(() => tile(page, 'Agent visits')).toBeLessThan(all);
  // The focused row disappeared, so the focus moved to the filters.
  await expect(chips(page)).toBeFocused();

  await row(page, 'Verdicts', 'Spoofed').focus();
  await page.keyboard.press('Alt+Enter');
  await expectFilters(page, { not_agent: 'GPTBot', not_result: 'verification_failed' });
  await expect.poll(() => tile(page, 'Spoofed visits')).toBe(0);
  await expectAccessible(page);

  await chips(page).getByRole('link', { name: 'Show these visits' }).click();
  await expect(page.getByRole('heading', { name: 'Visits', level: 1 })).toBeVisible();
  await expect(chips(page)).toContainText('Agent is not GPTBot');
  await expect(chips(page)).toContainText('Verdict is not Spoofed');
  await expect(page.getByRole('row').nth(3)).toBeVisible();
  await expect(page.getByRole('row', { name: /GPTBot/ })).toHaveCount(0);
  await expectAccessible(page);
  await page.reload();
  await page.getByRole('button', { name: 'Remove: Agent is not GPTBot' }).press('Enter');
  await expect(chips(page)).toBeFocused();
  await expect(chips(page)).not.toContainText('Agent is not');
});

test('negates, removes, and clears filters with the keyboard', async ({ page }) => {
  const all = await tile(page, 'Agent visits');
  await row(page, 'Agent types', 'AI Data Scraper').focus();
  await page.keyboard.press('Enter');
  await expectFilters(page, { type: 'AI Data Scraper' });
  await expect.poll(() => tile(page, 'Agent visits')).toBeLessThan(all);
  const typeVisits = await tile(page, 'Agent visits');
  await page.getByRole('button', { name: 'Type is AI Data Scraper: switch to “is not”' }).focus();
  await page.keyboard.press('Enter');
  await expectFilters(page, { not_type: 'AI Data Scraper' });
  await expect.poll(() => tile(page, 'Agent visits')).toBe(all - typeVisits);
  await page.getByRole('button', { name: 'Remove: Type is not AI Data Scraper' }).focus();
  await page.keyboard.press('Enter');
  await expectFilters(page, {});
  await expect(chips(page)).toBeHidden();

  await row(page, 'Verdicts', 'Verified').press('Enter');
  await row(page, 'Status codes', '200').press('Enter');
  await expectFilters(page, { result: 'verified', status: '"200"' });
  await page.getByRole('button', { name: 'Clear all' }).press('Enter');
  await expectFilters(page, {});
  await expect.poll(() => tile(page, 'Agent visits')).toBe(all);
});

test('hides series and filters by series in the chart legend', async ({ page }) => {
  const key = page.getByRole('list', { name: 'Series' });
  const name = key.getByRole('button', { name: 'AI Data Scraper', exact: true });
  // The dashed area represents the comparison period.
  const areas = page.locator('.recharts-area:not(:has([stroke-dasharray]))');
  const count = await areas.count();
  expect(count).toBeGreaterThan(1);
  await name.press('Enter');
  await expect(name).toHaveAttribute('aria-pressed', 'false');
  await expect(areas).toHaveCount(count - 1);
  await expectAccessible(page);
  await page.reload();
  await expect(name).toHaveAttribute('aria-pressed', 'false');
  await name.click();
  await expect(areas).toHaveCount(count);

  await key.getByRole('button', { name: 'Filter by AI Data Scraper' }).click();
  await expectFilters(page, { type: 'AI Data Scraper' });
  await expect(areas).toHaveCount(1);
  await page.goBack();
  await expect(areas).toHaveCount(count);
  await key.getByRole('button', { name: 'Filter by AI Data Scraper' }).focus();
  await page.keyboard.press('Alt+Enter');
  await expectFilters(page, { not_type: 'AI Data Scraper' });
  await expect(name).toBeHidden();
});

test('includes unknown visitors in the tiles, chart, and lists on request', async ({ page }) => {
  const agents = await tile(page, 'Agent visits');
  const others = await tile(page, 'Other visitors');
  const chart = page.getByRole('img', { name: /^Visits by agent type: ([\d,]+) visits/ });
  await expect(chart).toHaveAccessibleName(new RegExp(`: ${agents.toLocaleString('en')} visits`));
  await expect(page.getByText('count visits by known agents')).toBeVisible();
  await page.getByRole('switch', { name: 'Include unknown visitors' }).check({ force: true });
  await expect.poll(() => tile(page, 'Visits')).toBe(agents + others);
  await expect(chart).toHaveAccessibleName(new RegExp(`: ${(agents + others).toLocaleString('en')} visits`));
  await expect(page.getByText('count visits by agents and unknown visitors')).toBeVisible();
  await expect(row(page, 'Verdicts', 'Unknown')).toBeVisible();
});

test('links rows to their visits and agents to their pages', async ({ page }) => {
  const list = page.getByRole('region', { name: 'Pages', exact: true });
  const visits = list.getByRole('link', { name: / visits for \/robots\.txt$/ });
  const count = Number(/^[\d,]+/.exec(await visits.innerText())![0].replace(',', ''));
  await visits.click();
  await expect(page.getByRole('heading', { name: 'Visits', level: 1 })).toBeVisible();
  await expect(page.getByText(toVisitListText(count), { exact: true })).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: 'About GPTBot' }).click();
  await expect(page.getByRole('heading', { name: 'GPTBot', level: 1 })).toBeVisible();
});

test('links the AI visits tile to its visits', async ({ page }) => {
  const count = await tile(page, 'AI visits');
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(await tile(page, 'Agent visits'));
  await page.getByRole('link', { name: /AI visits: show them$/ }).click();
  await expect(page.getByRole('heading', { name: 'Visits', level: 1 })).toBeVisible();
  await expect(page.getByText(toVisitListText(count), { exact: true })).toBeVisible();
  await page.goBack();
  await row(page, 'Agent types', 'AI Assistant').click();
  await expect(chips(page)).toContainText('Type is AI Assistant');
  await expect(page.getByRole('link', { name: /AI visits: show them$/ })).toHaveCount(0);
});

test('shrinks navigation links in short windows and scrolls them in very short windows', async ({ page }) => {
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  const overview = navigation.getByRole('link', { name: 'Overview' });
  const last = navigation.getByRole('link', { name: 'API', exact: true });
  const heightIn = async (windowHeight: number): Promise<number> => {
    await page.setViewportSize({ width: 1280, height: windowHeight });
    return (await overview.boundingBox())!.height;
  };
  const heights = [await heightIn(1_200), await heightIn(800), await heightIn(500)];
  expect(heights).toEqual(heights.toSorted((one, other) => other - one));
  expect(heights[0]).toBeGreaterThan(heights[2]!);
  await expect(navigation.getByRole('link', { name: 'Account' })).toBeInViewport({ ratio: 1 });
  await expect(last).not.toBeInViewport();
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
});

test('removes invalid parameters from the URL', async ({ page, demo }) => {
  await page.goto(`/projects/${demo.projectId}/overview?range=fortnight&compare=never&status=abc&agent=GPTBot`);
  await expect(chips(page)).toContainText('Agent is GPTBot');
  await expect(page).toHaveURL(/overview\?agent=GPTBot$/);
  for (const path of ['visits?from=monday', 'realtime?status=abc', 'agents?type=Robot', 'settings?tab=nothing']) {
    await page.goto(`/projects/${demo.projectId}/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/${path.split('?')[0]!}$`));
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
});

test('shows a message when no visits match the filters', async ({ page, demo }) => {
  await page.goto(`/projects/${demo.projectId}/overview?agent=nobody&range=30d`);
  await expect(page.getByText('No visits match the filters')).toBeVisible();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(page.getByText('No visits match the filters')).toBeHidden();
});

test('shows an overview with filters that is accessible and fits the window', async ({ page, demo }) => {
  const query = 'range=30d&not_agent=["GPTBot","ClaudeBot"]&status=200&unknown=true';
  await page.goto(`/projects/${demo.projectId}/overview?${query}`);
  await expect(chips(page)).toContainText('Agent is not GPTBot');
  await expect(page.locator(PLOT)).toBeVisible();
  await expectLooks(page, 'overview-filtered');
});

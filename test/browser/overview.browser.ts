import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, expectLooks, test as base } from './fixture.js';

const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });

const PLOT = '[data-chart="grid"] >> nth=0';

test.beforeEach(async ({ page, demo }) => {
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/overview?range=30d`);
  await expect(page.locator(PLOT)).toBeVisible();
});

const list = (page: Page, name: string): Locator => page.getByRole('tabpanel', { name, exact: true });
const row = (page: Page, name: string, label: string): Locator =>
  list(page, name).getByRole('link', { name: label, exact: true });
const selectList = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name, exact: true }).click();
const chips = (page: Page): Locator => page.getByRole('group', { name: 'Filters' });
const filters = (page: Page): Record<string, string> => {
  const { searchParams } = new URL(page.url());
  return Object.fromEntries([...searchParams].filter(([name]) => !['range', 'who', 'where'].includes(name)));
};
const expectFilters = (page: Page, wanted: Record<string, string>): Promise<void> =>
  expect.poll(() => filters(page)).toEqual(wanted);

/** Returns the text that the visit list initially shows for this number of visits. */
function toVisitListText(visits: number): string {
  const all = `${visits.toLocaleString('en')} visits`;
  return visits > 100 ? `${all}, 100 loaded` : all;
}

async function tile(page: Page, label: string): Promise<number> {
  const name = (await page.getByRole('link', { name: new RegExp(`${label}: show them$`) }).innerText()).trim();
  return Number(/^(?:≈ )?([\d,]+)/.exec(name)![1]!.replaceAll(',', ''));
}

test('narrows the filters with each clicked row and undoes them with the Back button', async ({ page }) => {
  const all = await tile(page, 'Agent visits');
  await selectList(page, 'Operators');
  await row(page, 'Operators', 'OpenAI').click();
  await expectFilters(page, { operator: 'OpenAI' });
  await expect(chips(page)).toContainText('Operator is OpenAI');
  await expect.poll(() => tile(page, 'Agent visits')).toBeLessThan(all);
  const operatorVisits = await tile(page, 'Agent visits');
  // The agent list can't be filtered by operator, so the tile has no link.
  await expect(page.getByRole('link', { name: /Agents: show them$/ })).toHaveCount(0);
  await expect(list(page, 'Operators').getByRole('listitem')).toHaveCount(1);
  await selectList(page, 'Agents');
  await expect(row(page, 'Agents', 'GPTBot')).toBeVisible();

  await selectList(page, 'Status codes');
  await row(page, 'Status codes', '404').click();
  await expectFilters(page, { operator: 'OpenAI', status: '"404"' });
  await expect.poll(() => tile(page, 'Agent visits')).toBeLessThan(operatorVisits);
  const filteredVisits = await tile(page, 'Agent visits');
  await expect(list(page, 'Status codes').getByRole('listitem')).toHaveCount(1);

  await page.getByRole('link', { name: 'Show these visits' }).click();
  await expect(page.getByRole('heading', { name: 'Visits', level: 1 })).toBeVisible();
  await expect(chips(page)).toContainText('Status is 404');
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

  await selectList(page, 'Verdicts');
  await row(page, 'Verdicts', 'Failed verification').focus();
  await page.keyboard.press('Alt+Enter');
  await expectFilters(page, { not_agent: 'GPTBot', not_result: 'verification_failed' });
  await expect.poll(() => tile(page, 'Failed verification')).toBe(0);
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Show these visits' }).click();
  await expect(page.getByRole('heading', { name: 'Visits', level: 1 })).toBeVisible();
  await expect(chips(page)).toContainText('Agent is not GPTBot');
  await expect(chips(page)).toContainText('Verdict is not Failed verification');
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
  await selectList(page, 'Types');
  await row(page, 'Types', 'AI Data Scraper').focus();
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

  await selectList(page, 'Verdicts');
  await row(page, 'Verdicts', 'Verified').press('Enter');
  await selectList(page, 'Status codes');
  await row(page, 'Status codes', '200').press('Enter');
  await expectFilters(page, { result: 'verified', status: '"200"' });
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expectFilters(page, {});
  await expect.poll(() => tile(page, 'Agent visits')).toBe(all);
});

test('removes one of a filter’s values', async ({ page }) => {
  await page.goto(`${page.url().split('?')[0]}?agent=${encodeURIComponent('["ClaudeBot","GPTBot"]')}`);
  await page.getByRole('button', { name: 'ClaudeBot or GPTBot', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Remove: Agent is ClaudeBot', exact: true }).press('Enter');
  await expectFilters(page, { agent: 'GPTBot' });
  await expect(chips(page)).toBeFocused();
  await expectAccessible(page);
});

test('hides series and filters by series in the chart legend', async ({ page }) => {
  const key = page.getByRole('list', { name: 'Series' });
  const name = key.getByRole('button', { name: 'AI Data Scraper', exact: true });
  const bars = page.locator('[data-chart="bars"]');
  const count = await bars.count();
  expect(count).toBeGreaterThan(1);
  await name.press('Enter');
  await expect(name).toHaveAttribute('aria-pressed', 'false');
  await expect(bars).toHaveCount(count - 1);
  await expectAccessible(page);
  await page.reload();
  await expect(name).toHaveAttribute('aria-pressed', 'false');
  await name.click();
  await expect(bars).toHaveCount(count);

  await key.getByRole('button', { name: 'Filter by AI Data Scraper' }).click();
  await expectFilters(page, { type: 'AI Data Scraper' });
  await expect(bars).toHaveCount(1);
  await page.goBack();
  await expect(bars).toHaveCount(count);
  await key.getByRole('button', { name: 'Filter by AI Data Scraper' }).focus();
  await page.keyboard.press('Alt+Enter');
  await expectFilters(page, { not_type: 'AI Data Scraper' });
  await expect(name).toBeHidden();
});

test('shows the visits of the selected tile in the chart, and switches the breakdown', async ({ page }) => {
  const chart = (title: string): Locator => page.getByRole('img', { name: new RegExp(`^${title}: [\\d,]+ visits`) });
  const select = (label: string): Locator => page.getByRole('button', { name: `${label} in the chart` });
  const spoofed = await tile(page, 'Failed verification');
  await expect(select('Agent visits')).toHaveAttribute('aria-pressed', 'true');
  await select('Failed verification').press('Enter');
  await expect(chart('Visits that failed verification')).toHaveAccessibleName(
    new RegExp(`: ${spoofed.toLocaleString('en')} visits`),
  );
  await expectFilters(page, { chart: 'spoofed' });
  await expect(select('Failed verification')).toHaveAttribute('aria-pressed', 'true');
  await page.reload();
  await expect(chart('Visits that failed verification')).toBeVisible();
  await expectAccessible(page);

  await select('Agents').click();
  await expect(chart('Visits by agent')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Series' })).toContainText('GPTBot');
  const visits = await tile(page, 'Agent visits');
  await expect(chart('Visits by agent')).toHaveAccessibleName(new RegExp(`: ${visits.toLocaleString('en')} visits`));

  const breakdowns = page.getByRole('radiogroup', { name: 'Break down by' });
  await breakdowns.getByText('Status').click();
  await expect(chart('Visits by status')).toHaveAccessibleName(new RegExp(`: ${visits.toLocaleString('en')} visits`));
  await expect(page.getByRole('list', { name: 'Series' })).toContainText('2xx success');
  await breakdowns.getByText('Verdict').click();
  await expectFilters(page, { chart: 'verdict' });
  await page
    .getByRole('list', { name: 'Series' })
    .getByRole('button', { name: 'Filter by Failed verification' })
    .click();
  await expectFilters(page, { chart: 'verdict', result: 'verification_failed' });
  await expect.poll(() => tile(page, 'Agent visits')).toBe(spoofed);
});

test('includes unknown visitors in the tiles, chart, and lists on request', async ({ page }) => {
  const agents = await tile(page, 'Agent visits');
  const others = await tile(page, 'Unknown visitors');
  const chart = page.getByRole('img', { name: /^Visits by agent type: ([\d,]+) visits/ });
  await expect(chart).toHaveAccessibleName(new RegExp(`: ${agents.toLocaleString('en')} visits`));
  await page.getByRole('switch', { name: 'Include unknown visitors' }).check({ force: true });
  await expect.poll(() => tile(page, 'Visits')).toBe(agents + others);
  await expect(chart).toHaveAccessibleName(new RegExp(`: ${(agents + others).toLocaleString('en')} visits`));
  await selectList(page, 'Verdicts');
  await expect(row(page, 'Verdicts', 'Unknown visitors')).toBeVisible();
});

test('links rows to their visits and agents to their pages', async ({ page }) => {
  const pages = list(page, 'Pages');
  const visits = pages.getByRole('link', { name: / visits for \/robots\.txt$/ });
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
  await selectList(page, 'Types');
  await row(page, 'Types', 'AI Assistant').click();
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
  await expect(navigation.getByRole('button', { name: /^Account:/ })).toBeInViewport({ ratio: 1 });
  await expect(last).not.toBeInViewport();
  await last.scrollIntoViewIfNeeded();
  // Its last pixel can be a fraction.
  await expect(last).toBeInViewport({ ratio: 0.95 });
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
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByText('No visits match the filters')).toBeHidden();
});

test('shows an overview with filters that is accessible and fits the window', async ({ page, demo }) => {
  const query = 'range=30d&not_agent=["GPTBot","ClaudeBot"]&status=200&unknown=true';
  await page.goto(`/projects/${demo.projectId}/overview?${query}`);
  await expect(chips(page)).toContainText('Agent is not GPTBot');
  await expect(page.locator(PLOT)).toBeVisible();
  await expectLooks(page, 'overview-filtered');
});

test('moves between the tabs of a card with the arrow keys and stores the tab in the URL', async ({ page }) => {
  const tabs = page.getByRole('tablist', { name: 'Who' });
  await tabs.getByRole('tab', { name: 'Agents' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(tabs.getByRole('tab', { name: 'Operators' })).toBeFocused();
  await expect(row(page, 'Operators', 'OpenAI')).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(tabs.getByRole('tab', { name: 'Types' })).toBeFocused();
  await expect(page).toHaveURL(/who=types/);
  await page.reload();
  await expect(row(page, 'Types', 'AI Assistant')).toBeVisible();
  await expectAccessible(page);
  await tabs.getByRole('tab', { name: 'Types' }).press('Home');
  await expect(page).not.toHaveURL(/who=/);
});

test('explains the visits that match the filters, and hides figures that the filters determine', async ({
  page,
  demo,
}) => {
  await page.goto(`/projects/${demo.projectId}/overview?agent=GPTBot&range=24h`);
  await expect(page.locator(PLOT)).toBeVisible();
  await expect(page.getByText(/^[\d,]+ visits by GPTBot/)).toBeVisible();
  for (const label of ['AI visits', 'Agents', 'Unknown visitors']) {
    await expect(page.getByRole('button', { name: `${label} in the chart` })).toHaveCount(0);
  }
  await expect(page.getByRole('tab', { name: 'Agents' })).toHaveCount(0);
  await expect(row(page, 'Status codes', '200')).toBeVisible();
  await expectAccessible(page);
});

import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoHorizontalScroll, test } from './fixture.js';
import { sampleVisits } from './sample-visits.js';

const OTHER = 'Second shop';
let other: string;

test.beforeAll(async ({ served: { client } }) => {
  await client.post('/visits', sampleVisits(40));
  const body = { name: OTHER, site_address: 'https://second.example' };
  other = (await client.api<{ id: string }>('/projects', { method: 'POST', body })).id;
});

const palette = (page: Page) => page.getByRole('dialog', { name: 'Find' });

/** Opens the palette with its shortcut, types the text, and opens the section's first matching result. */
async function openPaletteResult(page: Page, text: string, section: string, first: string | RegExp): Promise<void> {
  // The shortcut doesn't work until the page is rendered.
  await expect(page.getByRole('button', { name: 'Find' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  const dialog = palette(page);
  await expect(dialog.getByRole('combobox', { name: 'Find' })).toBeFocused();
  await page.keyboard.type(text);
  const found = dialog.getByRole('group', { name: section, exact: true }).getByRole('option', { name: first }).first();
  await expect(found).toBeVisible();
  for (let presses = 0; (await found.getAttribute('aria-selected')) !== 'true'; presses += 1) {
    expect(presses, `the arrow keys reach ${String(first)}`).toBeLessThan(30);
    await page.keyboard.press('ArrowDown');
  }
  const combobox = dialog.getByRole('combobox');
  await expect(combobox).toHaveAttribute('aria-activedescendant', (await found.getAttribute('id'))!);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
}

test('opens every kind of palette result with the keyboard', async ({ signedIn: page, served }) => {
  const { client, projectId } = served;
  const under = `/projects/${projectId}`;
  const filters = { name: 'Failing pages', page: 'realtime', search: 'status=5xx' };
  const { id: filterId } = await client.api<{ id: string }>(`${under}/saved-filters`, {
    method: 'POST',
    body: filters,
  });
  const [visit] = await client.visits({ agent: 'GPTBot', limit: '1' });
  await page.goto(`${under}/overview`);
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();

  await openPaletteResult(page, 'policy', 'Pages', /Policy/);
  await expect(page).toHaveURL(new RegExp(`${under}/policy`));
  // Opening a new page moves the focus to the start of its content.
  await expect(page.locator('#page')).toBeFocused();

  await openPaletteResult(page, 'proxies', 'Settings', /Visits/);
  await expect(page).toHaveURL(/settings\?tab=visits/);
  await expect(page.getByRole('heading', { name: 'How visitors reach the site' })).toBeVisible();

  await openPaletteResult(page, 'failing', 'Saved filters', 'Failing pages');
  await expect(page).toHaveURL(/realtime\?status=5xx/);

  await openPaletteResult(page, 'gptb', 'Agents that visited', /GPTBot/);
  await expect(page.getByRole('heading', { name: 'GPTBot', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\?range=30d$/);

  await openPaletteResult(page, 'googleb', 'Catalog', /^Googlebot/);
  await expect(page).toHaveURL(/catalog\?agent=Googlebot/);
  await page.keyboard.press('Escape');
  await page.goto(`${under}/overview`);

  await openPaletteResult(page, visit!.id, 'Visit', /GPTBot/);
  await expect(page.getByRole('dialog', { name: 'Visit' }).getByText('Verification steps')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Visit' })).toBeHidden();

  await openPaletteResult(page, '203.0.113.0/24', 'Address', /Visits from 203/);
  await expect(page).toHaveURL(/visits\?.*address=203\.0\.113\.0%2F24/);

  await openPaletteResult(page, 'second', 'Projects', OTHER);
  await expect(page).toHaveURL(new RegExp(`/projects/${other}/`));
  await openPaletteResult(page, 'system', 'Instance', 'System');
  await expect(page.getByRole('heading', { name: 'System', level: 1 })).toBeVisible();
  await openPaletteResult(page, 'api keys', 'Account', 'API keys');
  await expect(page.locator('section#api-keys')).toBeInViewport();
  await client.api(`${under}/saved-filters/${filterId}`, { method: 'DELETE' });
});

test('applies keys typed while the palette loads', async ({ signedIn: page, served }) => {
  let load = (): void => undefined;
  const loading = new Promise<void>((resolve) => (load = resolve));
  await page.route(/\/palette-[^/]*\.js$/, async (route) => {
    await loading;
    await route.continue();
  });
  await page.goto(`/projects/${served.projectId}/overview`);
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('policx');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('y');
  load();
  const field = palette(page).getByRole('combobox', { name: 'Find' });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('policy');
});

test('shows hints and empty results in the palette', async ({ signedIn: page, served }) => {
  const dialog = palette(page);
  // Visits can only be searched within a project, and no project was opened yet.
  await page.goto('/catalog');
  await expect(page.getByRole('heading', { name: 'Catalog' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(dialog.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('192.0.2.7');
  await expect(dialog.getByText(/Open a project first/)).toBeVisible();

  await page.goto(`/projects/${served.projectId}/overview`);
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  const button = page.getByRole('button', { name: /^Find/ });
  await button.click();
  await expect(dialog.getByText('Type the name of a page')).toBeVisible();
  await expect(dialog.getByRole('option', { name: 'Realtime' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.type('agent');
  await expect(dialog.getByRole('option', { name: /Agents/ }).first()).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);
  await dialog.getByRole('combobox').fill('nothing-like-it');
  await expect(dialog.getByText('No results for “nothing-like-it”.')).toBeVisible();
  await dialog.getByRole('combobox').fill('0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b');
  await expect(dialog.getByText(/has no visit with this ID/)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  // On pages outside of projects, the palette searches the project that was opened last.
  await page.goto('/catalog');
  await expect(page.getByRole('heading', { name: 'Catalog' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(dialog.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('192.0.2.7');
  await expect(dialog.getByRole('option', { name: /^Visits from 192\.0\.2\.7/ })).toBeVisible();
});

test('preserves the page and time range when switching projects', async ({ signedIn: page, served }) => {
  await page.goto(`/projects/${served.projectId}/agents?range=7d&q=gpt`);
  const switcher = page.getByRole('button', { name: /^Project:/ });
  await switcher.focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('dialog', { name: 'Projects' });
  await expect(menu.getByRole('link', { name: OTHER })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(switcher).toBeFocused();
  await switcher.click();
  await menu.getByRole('link', { name: OTHER }).click();
  await expect(page).toHaveURL(new RegExp(`/projects/${other}/agents\\?range=7d$`));
  await expect(switcher).toContainText(OTHER);
  await switcher.click();
  await switcher.click();
  await expect(menu).toBeHidden();
  await page.goto(`/projects/${other}/settings?tab=members`);
  await switcher.click();
  // The menu may also list projects from other tests. It has a search field if there are many projects.
  const links = menu.getByRole('link');
  await expect(links.first()).toBeVisible();
  const field = menu.getByLabel('Find a project');
  await expect((await field.isVisible()) ? field : links.first()).toBeFocused();
  const first = (await links.first().getAttribute('href'))!;
  expect(first).toMatch(/\/settings\?tab=members$/);
  // On a slow machine, the menu may move the focus back to the first link while it's opening.
  await expect(async () => {
    await links.first().focus();
    await page.keyboard.press('ArrowDown');
    await expect(links.nth(1)).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press('ArrowUp');
  await expect(links.first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`${first.replace('?', '\\?')}$`));
});

test('searches the project switcher when there are many projects', async ({ signedIn: page, served }) => {
  const ids: string[] = [];
  for (let n = 0; n < 8; n += 1) {
    const body = { name: `Many ${n}` };
    ids.push((await served.client.api<{ id: string }>('/projects', { method: 'POST', body })).id);
  }
  await page.goto(`/projects/${served.projectId}/overview`);
  await page.getByRole('button', { name: /^Project:/ }).click();
  const menu = page.getByRole('dialog', { name: 'Projects' });
  await expect(menu.getByLabel('Find a project')).toBeFocused();
  await page.keyboard.type('many 3');
  await expect(menu.getByRole('link')).toHaveText(['Many 3', 'All projects']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(ids[3]!));
  for (const id of ids) await served.client.api(`/projects/${id}`, { method: 'DELETE' });
});

test('saves, applies, renames, and deletes filters while preserving the selected time range', async ({
  signedIn: page,
  served,
}) => {
  const under = `/projects/${served.projectId}`;
  await page.goto(`${under}/visits?agent=GPTBot&type=AI Data Scraper`);
  await page.getByRole('button', { name: 'Save these filters' }).click();
  const naming = page.getByRole('dialog', { name: 'Save these filters' });
  await expect(naming.getByLabel('Name')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type('GPTBot only');
  await page.keyboard.press('Enter');
  await expect(naming).toBeHidden();
  // The current filters are already saved, so the button is hidden.
  await expect(page.getByRole('button', { name: 'Save these filters' })).toBeHidden();

  const [from, to] = ['2026-01-01T00:00:00.000Z', '2026-12-31T00:00:00.000Z'];
  await page.goto(`${under}/visits?path=/shop&from=${from}&to=${to}`);
  await page.getByRole('button', { name: 'Save these filters' }).click();
  await expect(naming.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('gptbot ONLY');
  await page.keyboard.press('Enter');
  await expect(naming.getByText('This field must not be the name of another saved filter.')).toBeVisible();
  await page.keyboard.press('Escape');
  const open = page.getByRole('button', { name: 'Saved filters' });
  await open.click();
  const list = page.getByRole('dialog', { name: 'Saved filters' });
  await expect(list.getByRole('link', { name: 'GPTBot only' })).toBeVisible();
  await expectAccessible(page);
  await list.getByRole('link', { name: 'GPTBot only' }).click();
  await expect(page).toHaveURL(/agent=GPTBot/);
  await expect(page).toHaveURL(/from=2026-01-01/);
  await expect(page).not.toHaveURL(/path=/);

  await open.click();
  await list.getByRole('button', { name: 'Rename GPTBot only' }).click();
  const renaming = page.getByRole('dialog', { name: 'Rename “GPTBot only”' });
  await renaming.getByLabel('Name').fill('Only GPTBot');
  await page.keyboard.press('Enter');
  await expect(renaming).toBeHidden();
  await open.click();
  await list.getByRole('button', { name: 'Delete Only GPTBot' }).click();
  await page.getByRole('dialog', { name: 'Delete “Only GPTBot”?' }).getByRole('button', { name: 'Delete' }).click();
  await expect(open).toBeHidden();
});

test.describe('at a width of 320 px', () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test('fits the palette, project switcher, and navigation on a screen 320 px wide', async ({
    signedIn: page,
    served,
  }) => {
    await page.goto(`/projects/${served.projectId}/realtime?agent=GPTBot`);
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.keyboard.type('agent');
    await expect(palette(page).getByRole('option').first()).toBeVisible();
    await expectNoHorizontalScroll(page);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Project:/ }).click();
    await expect(page.getByRole('dialog', { name: 'Projects' }).getByRole('link').first()).toBeVisible();
    await expectNoHorizontalScroll(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Navigation' }).click();
    await expect(page.getByRole('group', { name: 'Instance' }).getByRole('link', { name: 'Catalog' })).toBeVisible();
    await expectAccessible(page);
  });
});

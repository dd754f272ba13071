import { expect, expectAccessible, expectLooks, test as base, type TestInstance } from './fixture.js';
import { addFilter, openFilterPanel } from './add-filter.js';
import type { Page } from '@playwright/test';

const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });

async function open(page: Page, demo: TestInstance, query: string): Promise<void> {
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/journeys?${query}`);
}

/** Adds a filter with one of the field's options. */
async function chooseFilter(page: Page, field: string, option: string): Promise<void> {
  const panel = await openFilterPanel(page, field);
  await panel.getByLabel('Value').selectOption(option);
  await panel.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(panel).toBeHidden();
}

const LOOKS: Record<string, { query: string; ready: string }> = {
  journeys: { query: 'range=7d', ready: 'role=region[name="Sessions"] >> role=row >> nth=2' },
  'journeys-filtered-out': { query: 'agent=nobody', ready: 'text=No sessions match' },
  'journeys-nothing': { query: 'from=2020-01-01&to=2020-01-02', ready: 'text=No sessions in this range' },
};

for (const [name, { query, ready }] of Object.entries(LOOKS)) {
  test(name, async ({ page, demo }) => {
    await open(page, demo, query);
    await expect(page.locator(ready)).toBeVisible();
    await expectLooks(page, name);
  });
}

test.describe('journeys', () => {
  test('opens a session with the keyboard, and links its steps to the visits', async ({ page, demo }) => {
    await open(page, demo, 'range=7d');
    const session = page
      .getByRole('region', { name: 'Sessions' })
      .getByRole('button', { name: /session that ended/ })
      .first();
    await session.press('Enter');
    const drawer = page.getByRole('dialog', { name: /^Session of / });
    await expect(drawer.getByRole('listitem').first()).toBeVisible();
    await expectAccessible(page);
    await expectLooks(page, 'journeys-session');
    await page.keyboard.press('Escape');
    await expect(drawer).toHaveCount(0);
    await expect(session).toBeFocused();
    await session.press('Enter');
    const step = drawer.getByRole('listitem').last().getByRole('link');
    const path = await step.innerText();
    await step.press('Enter');
    await expect(page).toHaveURL(/\/visits\?.*visit=/);
    await expect(page.getByRole('dialog').getByText(path).first()).toBeVisible();
  });

  test('filters by the cause of dead ends with the number that the row shows, and opens rows', async ({
    page,
    demo,
  }) => {
    await open(page, demo, 'range=7d');
    const cause = page.getByRole('tabpanel', { name: 'Dead ends' }).getByRole('listitem').first();
    const count = /[\d,]+$/.exec((await cause.innerText()).trim())![0];
    await cause.getByRole('link').click();
    await expect(page.getByText(new RegExp(`^${count} sessions got a \\d+ response in the last 7 days`))).toBeVisible();
    await expect(page.getByRole('radio', { name: `All ${count}`, exact: true })).toBeChecked();
    await page.getByRole('region', { name: 'Sessions' }).getByRole('row').nth(1).getByText(/error/).click();
    await expect(page.getByRole('dialog', { name: /^Session of / })).toBeVisible();
  });

  test('filters sessions by entry page, visitor and dead end, and resets the filters', async ({ page, demo }) => {
    await open(page, demo, 'range=7d');
    const entries = page.getByRole('tabpanel', { name: 'Entries' }).getByRole('link');
    const page1 = await entries.first().innerText();
    await entries.first().press('Enter');
    await expect(page).toHaveURL(/entry=/);
    await expect(page.getByRole('group', { name: 'Filters' })).toContainText(`Entry page is ${page1}`);
    await chooseFilter(page, 'Visitor', 'Coding agent');
    await chooseFilter(page, 'Dead end', 'reached');
    await expect(page).toHaveURL(/visitor=coding_agent.*deadEnd=yes/);
    await addFilter(page, 'Agent', 'nobody');
    await expect(page).toHaveURL(/agent=nobody/);
    await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).click();
    await expect(page).not.toHaveURL(/entry=|visitor=|deadEnd=|agent=/);
    await expect(page.getByRole('region', { name: 'Sessions' })).toBeVisible();
  });
});

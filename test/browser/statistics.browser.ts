import type { Page } from '@playwright/test';
import { expect, expectLooks, test as base, type TestInstance } from './fixture.js';

const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });

interface StatisticsPage {
  path: (projectId: string, agentId: string) => string;
  /** Selector that matches when the page has loaded. */
  ready: string;
}

const PLOT = '[data-chart="grid"] >> nth=0';

const PAGES: Record<string, StatisticsPage> = {
  overview: { path: (id) => `/projects/${id}/overview?range=7d`, ready: PLOT },
  'overview-unknown': { path: (id) => `/projects/${id}/overview?unknown=true&zone=browser`, ready: PLOT },
  'overview-table': { path: (id) => `/projects/${id}/overview?table=true`, ready: 'role=table' },
  'overview-nothing': {
    path: (id) => `/projects/${id}/overview?from=2020-01-01&to=2020-01-02`,
    ready: 'text=No visits in this range',
  },
  'overview-compared': { path: (id) => `/projects/${id}/overview?range=24h&compare=${day(-2)}`, ready: PLOT },
  'overview-compared-table': {
    path: (id) => `/projects/${id}/overview?range=24h&table=true`,
    ready: 'role=columnheader[name="The 24 hours before"]',
  },
  agents: { path: (id) => `/projects/${id}/agents?range=7d`, ready: 'role=row >> nth=3' },
  'agents-filtered-out': { path: (id) => `/projects/${id}/agents?q=nobody`, ready: 'text=No agents match' },
  agent: { path: (id, agentId) => `/projects/${id}/agents/${agentId}?range=7d`, ready: PLOT },
  verification: { path: (id) => `/projects/${id}/verification?range=30d`, ready: PLOT },
  referrals: { path: (id) => `/projects/${id}/referrals?range=30d`, ready: 'role=article[name="OpenAI"]' },
  'referrals-nothing': {
    path: (id) => `/projects/${id}/referrals?from=2020-01-01&to=2020-01-02`,
    ready: 'text=No visits in this range',
  },
  'referrals-assistants': {
    path: (id) => `/projects/${id}/referrals?assistants=all`,
    ready: 'role=dialog >> text=Recognized by',
  },
  'referrals-assistant': {
    path: (id) => `/projects/${id}/referrals?assistants=one&name=ChatGPT`,
    ready: 'role=dialog >> text=chat.openai.com',
  },
  'referrals-add': {
    path: (id) => `/projects/${id}/referrals?assistants=new`,
    ready: 'role=dialog >> text=Package names',
  },
  compliance: { path: (id) => `/projects/${id}/compliance?range=7d`, ready: 'role=row[name=/Scrapy/]' },
  'compliance-nothing': {
    path: (id) => `/projects/${id}/compliance?from=2020-01-01&to=2020-01-02`,
    ready: 'text=No visits judged in this range',
  },
  unlisted: { path: (id) => `/projects/${id}/unlisted?range=7d`, ready: 'role=row >> nth=2' },
  'unlisted-nothing': {
    path: (id) => `/projects/${id}/unlisted?from=2020-01-01&to=2020-01-02`,
    ready: 'text=No unknown bots in this range',
  },
  visits: {
    path: (id) => `/projects/${id}/visits?from=${day(-3)}&to=${day(0)}&result=verified`,
    ready: 'role=row >> nth=3',
  },
  'visits-filtered-out': {
    path: (id) => `/projects/${id}/visits?from=${day(-3)}&to=${day(0)}&agent=nobody`,
    ready: 'text=No visits in this range match the filters',
  },
};

function day(from: number): string {
  return new Date(Date.now() + from * 86_400_000).toISOString();
}

async function open(page: Page, demo: TestInstance, path: StatisticsPage['path']): Promise<void> {
  const { agents } = await demo.client.api<{ agents: { agent_id: string }[] }>(`/projects/${demo.projectId}/agents`);
  await page.context().addCookies([demo.session]);
  await page.goto(path(demo.projectId, agents[0]!.agent_id));
}

for (const [name, { path, ready }] of Object.entries(PAGES)) {
  test(name, async ({ page, demo }) => {
    await open(page, demo, path);
    // Wait for the chart, which is loaded as a separate chunk.
    await expect(page.locator(ready).first()).toBeVisible();
    await expectLooks(page, name);
  });
}

test.describe('statistics', () => {
  test.describe('on a phone', () => {
    test.use({ viewport: { width: 320, height: 700 } });

    for (const name of ['overview', 'agent', 'verification']) {
      test(`fits each cell in the chart table on one line (${name})`, async ({ page, demo }) => {
        const notes = `/projects/${demo.projectId}/chart-notes`;
        const body = { day: day(-1).slice(0, 10), text: 'Rules saved, and then saved again. '.repeat(5) };
        const { id } = await demo.client.api<{ id: string }>(notes, { method: 'POST', body });
        const path: StatisticsPage['path'] = (...ids) => `${PAGES[name]!.path(...ids)}&table=true`;
        await open(page, demo, path);
        const table = 'figure table';
        await expect(page.locator(`${table} td`).filter({ hasText: body.text.trim() })).toBeVisible();
        const lines = await page.evaluate<
          number[]
        >(`[...document.querySelectorAll('${table} tbody :is(td, th)')].map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell.querySelector("button") ?? cell);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      })`);
        await demo.client.api(`${notes}/${id}`, { method: 'DELETE' });
        expect(lines.length).toBeGreaterThan(10);
        expect(Math.max(...lines)).toBe(1);
      });
    }
  });

  test('links numbers to the visits or agents they count, with shareable URLs', async ({ page, demo }) => {
    for (const [label, heading] of [
      ['Agent visits', 'Visits'],
      ['Failed verification', 'Visits'],
      ['Unknown visitors', 'Visits'],
      ['Agents', 'Agents'],
    ] as const) {
      await open(page, demo, (id) => `/projects/${id}/overview?range=30d`);
      const link = page.getByRole('link', { name: new RegExp(`^[\\d,]+ ${label}: show them$`) });
      const { searchParams } = new URL((await link.getAttribute('href'))!, page.url());
      expect([...searchParams.keys()].filter((key) => !['result', 'chips'].includes(key))).toEqual(['range']);
      await link.click();
      await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
      await page.reload();
      await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
    }
  });

  test('links rows in the spoofed visits table to their visits', async ({ page, demo }) => {
    await open(page, demo, (id) => `/projects/${id}/verification?range=30d`);
    const link = page
      .getByRole('table')
      .getByRole('link', { name: / visits$/ })
      .first();
    const visits = /^[\d,]+/.exec(await link.innerText())![0];
    await link.click();
    await expect(page).toHaveURL(/address=/);
    await expect(page.getByText(`${visits} visits`, { exact: true })).toBeVisible();
  });

  test('links referrals to their visits and allows administrators to add and delete assistants', async ({
    page,
    demo,
  }) => {
    await open(page, demo, (id) => `/projects/${id}/referrals?range=7d&tab=assistants`);
    const people = page
      .getByRole('row', { name: /^ChatGPT/ })
      .getByRole('link')
      .first();
    const [visits] = /^[\d,]+/.exec(await people.innerText())!;
    await people.press('Enter');
    await expect(page).toHaveURL(/assistant=ChatGPT/);
    await expect(page.getByText(`${visits} visits`, { exact: true })).toBeVisible();

    await page.goBack();
    await page.getByRole('button', { name: 'Manage assistants' }).press('Enter');
    await page.getByRole('button', { name: 'Add assistant' }).press('Enter');
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await page.getByLabel('Operator', { exact: true }).fill('Us');
    await page.getByLabel('Hosts', { exact: true }).fill('claude.ai');
    await page.getByRole('button', { name: 'Save assistant' }).click();
    await expect(page.getByText('Line 1 already belongs to Claude')).toBeVisible();
    await page.getByLabel('Hosts', { exact: true }).fill('chat.mine.example');
    await page.getByRole('button', { name: 'Save assistant' }).click();
    await expect(page.getByText('added here')).toBeVisible();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete Mine?' }).getByRole('button', { name: 'Delete' }).click();
    const list = page.getByRole('dialog', { name: 'Assistants' });
    await expect(list.getByRole('link', { name: 'Claude' })).toBeVisible();
    await expect(list.getByRole('link', { name: 'Mine' })).toHaveCount(0);
  });

  test('links fetched pages to visits and explains which visits are included', async ({ page, demo }) => {
    await open(page, demo, (id) => `/projects/${id}/referrals?range=7d&tab=operators`);
    await page.getByRole('button', { name: 'About these numbers' }).click();
    await expect(
      page.getByText('Each number links to all visits by these agents with a status below 400'),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    const table = page.getByRole('region', { name: 'Crawl to referral' });
    await table
      .getByRole('link', { name: /pages fetched by OpenAI$/ })
      .first()
      .click();
    await expect(page).toHaveURL(/kind=page/);
    await expect(page.getByRole('group', { name: 'Filters' })).toContainText('Kind is Page');
  });

  test('narrows the time range in the chart, its table, and the dialog', async ({ page, demo }) => {
    await open(page, demo, (id) => `/projects/${id}/overview?range=7d`);
    await page.locator(PLOT).scrollIntoViewIfNeeded();
    const box = (await page.locator('[data-chart="grid"]').boundingBox())!;
    const at = (share: number): [number, number] => [box.x + box.width * share, box.y + box.height / 2];
    await page.mouse.move(...at(0.6));
    await page.mouse.down();
    await page.mouse.move(...at(0.7));
    await page.mouse.move(...at(0.8));
    await page.mouse.up();
    await expect(page).toHaveURL(/from=.*to=/);
    const hours = ({ searchParams }: URL): number =>
      (Date.parse(searchParams.get('to')!) - Date.parse(searchParams.get('from')!)) / 3_600_000;
    expect(hours(new URL(page.url()))).toBeGreaterThan(24);
    expect(hours(new URL(page.url()))).toBeLessThan(48);
    await page.goBack();
    await expect(page).toHaveURL(/range=7d/);

    await page.getByRole('button', { name: 'Show as table' }).click();
    await page.getByRole('row').nth(30).getByRole('button').click();
    await expect(page).toHaveURL(/from=.*to=/);
    expect(hours(new URL(page.url()))).toBe(1);

    await page.getByRole('button', { name: /^Custom/ }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Custom range' });
    await dialog.getByRole('spinbutton', { name: 'Start hour' }).press('End');
    await dialog.getByRole('spinbutton', { name: 'End hour' }).press('Home');
    await dialog.getByRole('spinbutton', { name: 'End minute' }).press('ArrowUp');
    await expect(dialog.getByText('The end must be after the start.')).toBeVisible();
    await dialog.getByText('Set times').click();
    await dialog
      .getByRole('button', { name: /^[A-Z][a-z]+ \d{4}$/ })
      .first()
      .click();
    await dialog
      .getByRole('button', { name: /^\d{4}$/ })
      .first()
      .click();
    await dialog.getByRole('button', { name: 'Previous decade' }).click();
    await dialog.getByRole('button', { name: '2019' }).click();
    await dialog.getByRole('button', { name: 'Dec', exact: true }).first().click();
    await dialog.getByRole('button', { name: 'December 31, 2019' }).click();
    await dialog.getByRole('button', { name: 'January 1, 2020' }).click();
    await dialog.getByRole('button', { name: 'Show range' }).click();
    await expect(page.getByText('No visits in this range')).toBeVisible();
    // This is midnight in Berlin, the project's time zone.
    expect(page.url()).toContain('from=2019-12-30T23%3A00%3A00.000Z');
  });

  test('compares with another period, turns the comparison off, and preserves the choice in links', async ({
    page,
    demo,
  }) => {
    await open(page, demo, (id) => `/projects/${id}/overview?range=24h`);
    const key = page.getByRole('listitem');
    await expect(key.getByText('The 24 hours before')).toBeVisible();
    const agents = page.getByRole('tabpanel', { name: 'Agents' });
    const changes = agents.getByText(/%$|^×|^from |^new$|^unchanged$|^about the same$/);
    await expect(changes.first()).toBeVisible();
    for (const name of ['Types', 'Verdicts', 'Pages']) {
      await page.getByRole('tab', { name, exact: true }).click();
      const rows = page.getByRole('tabpanel', { name, exact: true });
      await expect(rows.getByText(/%$|^×|^from |^new$|^unchanged$|^about the same$/).first()).toBeVisible();
    }
    const comparison = page.getByLabel('Compare with');
    await comparison.selectOption('vs. same period last year');
    await expect(page).toHaveURL(/compare=year/);
    await expect(key.getByText('The same period last year')).toBeHidden();
    await expect(page.getByText('Not enough history to compare: the first visit was recorded on')).toBeVisible();

    await comparison.scrollIntoViewIfNeeded();
    await comparison.selectOption('Custom start…');
    const dialog = page.getByRole('dialog', { name: 'Compare with' });
    await dialog.getByRole('button', { name: /^[A-Z][a-z]+ \d{4}$/ }).click();
    await dialog.getByRole('button', { name: /^\d{4}$/ }).click();
    await dialog.getByRole('button', { name: '2020' }).click();
    await dialog.getByRole('button', { name: 'Jan', exact: true }).click();
    await dialog.getByRole('button', { name: 'January 2, 2020' }).click();
    await expect(page).toHaveURL(/compare=2020-01-0[12]T/);
    await expect(page.getByText('Not enough history to compare: the first visit was recorded on')).toBeVisible();

    await comparison.selectOption('No comparison');
    await expect(page.getByText(/^Compared with/)).toBeHidden();
    await page.getByRole('tab', { name: 'Agents', exact: true }).click();
    await expect(agents.getByRole('link').first()).toBeVisible();
    await expect(changes).toHaveCount(0);
    await agents.getByRole('link').first().click();
    await expect(page).toHaveURL(/compare=none/);
    await expect(page.getByLabel('Compare with')).toHaveValue('none');
    await page.getByLabel('Compare with').selectOption('vs. previous period');
    await expect(page).not.toHaveURL(/compare/);
    await expect(key.getByText('The 24 hours before')).toBeVisible();
  });

  test('stores the agent search and sort order in the URL', async ({ page, demo }) => {
    await open(page, demo, (id) => `/projects/${id}/agents?range=30d`);
    await page.getByLabel('Agent or operator').fill('openai');
    await expect(page).toHaveURL(/q=openai/);
    await expect(page.getByRole('row', { name: /Googlebot/ })).toBeHidden();
    await page.getByRole('columnheader', { name: 'Agent', exact: true }).getByRole('button').press('Enter');
    await expect(page).toHaveURL(/sort=token/);
    const names = page.getByRole('rowheader');
    await expect(names.first()).toHaveText('ChatGPT Agent');
    await names.first().getByRole('link').click();
    await expect(page.getByRole('heading', { name: 'ChatGPT Agent', level: 1 })).toBeVisible();
    await expect(page.getByRole('tab', { name: 'How it’s verified' })).toBeVisible();
  });
});

test('lists unverifiable visits by agent and network', async ({ page, demo }) => {
  await open(page, demo, (id) => `/projects/${id}/verification?range=30d`);
  await page.getByRole('tab', { name: /^Not verifiable/ }).click();
  await expect(page).toHaveURL(/show=not_verifiable/);
  const tab = page.getByRole('tabpanel', { name: /^Not verifiable/ });
  await tab
    .getByRole('cell')
    .getByRole('link', { name: /visits$/ })
    .first()
    .click();
  await expect(page).toHaveURL(/result=not_verifiable/);
});

test('explains on the System page how to get network names', async ({ page, demo }) => {
  await open(page, demo, () => '/system#network-names');
  await expect(page.getByText(/Set ASN_FILE to one with network operators/)).toBeVisible();
});

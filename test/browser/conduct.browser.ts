import type { Page } from '@playwright/test';
import { expect, expectLooks, test as base, type TestInstance } from './fixture.js';

const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });

async function open(page: Page, demo: TestInstance, search: string): Promise<void> {
  const { agents } = await demo.client.api<{ agents: { agent_id: string; agent_token: string }[] }>(
    `/projects/${demo.projectId}/agents?search=GPTBot`,
  );
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/agents/${agents[0]!.agent_id}?${search}&about=conduct`);
}

test('shows facts about how an agent crawls, and links them to visits', async ({ page, demo }) => {
  await open(page, demo, 'range=7d');
  const table = page.getByRole('region', { name: 'Conduct by day' });
  await expect(table.getByRole('row').nth(3)).toBeVisible();
  await expect(table.getByText('so far')).toBeVisible();
  await expectLooks(page, 'agent-conduct');
  // The figure includes requests by the operator's other agents.
  const fetches = table.getByRole('link', { name: 'requested robots.txt' }).first();
  await expect(fetches).toHaveAttribute('href', /\?.*operator=OpenAI/);
  await expect(fetches).not.toHaveAttribute('href', /agent=/);
  const peak = table.getByRole('row').nth(2).getByRole('cell').last().getByRole('link');
  const count = (await peak.innerText()).split('.')[0]!.trim();
  await peak.focus();
  await expect(page.getByText(`Peak in 10 s: At most ${count} request`)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/visits\?.*agent=GPTBot/);
  await expect(page.getByText(new RegExp(`^${count} visits?`)).first()).toBeVisible();
});

test('explains that there are no visits', async ({ page, demo }) => {
  await open(page, demo, 'from=2020-01-01&to=2020-01-02');
  await expect(page.getByText('No visits in this range')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Conduct' })).toHaveCount(0);
});

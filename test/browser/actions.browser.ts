import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, test as base, type TestInstance } from './fixture.js';

const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });

interface Policy {
  rules: { id: string; name: string; mode: string; visitors?: object }[];
}

const readPolicy = ({ client, projectId }: TestInstance): Promise<Policy> =>
  client.api<Policy>(`/projects/${projectId}/policy`);
const notices = (page: Page): Locator => page.getByRole('status', { name: 'Notices' });

async function openMenu(page: Page, demo: TestInstance): Promise<Locator> {
  await page.context().addCookies([demo.session]);
  // A menu is hidden while its button is scrolled out of view, and accessibility checks scroll to the top.
  await page.setViewportSize({ width: 1280, height: 2_000 });
  await page.goto(`/projects/${demo.projectId}/verification?range=30d&by=agent`);
  await page
    .getByRole('button', { name: /^Actions for visits claiming to be/ })
    .first()
    .click();
  const menu = page.getByRole('dialog', { name: /^Actions for/ });
  await expect(menu).toBeVisible();
  return menu;
}

test('blocks spoofed visits in dry run and undoes it', async ({ page, demo }) => {
  const { rules: before } = await readPolicy(demo);
  const menu = await openMenu(page, demo);
  await expectAccessible(page, '[role=dialog]');
  await menu.getByRole('button', { name: 'Block…' }).press('Enter');
  const choice = page.getByRole('dialog', { name: /^Add a rule for/ });
  await expect(choice).toContainText('fail verification will get a 403 error');
  await expectAccessible(page, '[role=dialog]');
  await choice.getByRole('button', { name: 'Start as a dry run' }).press('Enter');
  await expect(notices(page)).toContainText('runs as a dry run. It only counts requests until you go live.');
  await expectAccessible(page);
  const { rules } = await readPolicy(demo);
  expect(rules).toHaveLength(before.length + 1);
  expect(rules[0]).toMatchObject({ mode: 'dry_run', visitors: { results: ['verification_failed'] } });

  await notices(page).getByRole('button', { name: 'Undo' }).click();
  await expect(notices(page)).toContainText('The policy is as it was before.');
  expect((await readPolicy(demo)).rules).toEqual(before);
  await notices(page).getByRole('button', { name: 'Dismiss' }).click();
  await expect(notices(page)).toBeEmpty();
});

test("retains other people's changes when undoing a rule", async ({ page, demo }) => {
  const { rules: before } = await readPolicy(demo);
  const menu = await openMenu(page, demo);
  await menu.getByRole('button', { name: 'Slow down…' }).click();
  await page.getByRole('button', { name: 'Slow down now' }).click();
  await expect(notices(page)).toContainText('is live.');
  const { rules } = await readPolicy(demo);
  const other = { ...rules[0]!, id: crypto.randomUUID(), name: 'Added by someone else', mode: 'off' };
  const save = (body: Policy): Promise<unknown> =>
    demo.client.api(`/projects/${demo.projectId}/policy`, { method: 'PUT', body });
  await save({ rules: [...rules, other] });

  await notices(page).getByRole('button', { name: 'Undo' }).click();
  await expect(notices(page)).toContainText('Someone else has changed the policy since');
  expect((await readPolicy(demo)).rules.map(({ name }) => name)).toEqual([
    ...before.map(({ name }) => name),
    'Added by someone else',
  ]);
  await save({ rules: before });
});

test('adds an alert and deletes it again', async ({ page, demo }) => {
  const countAlerts = async (): Promise<number> =>
    (await demo.client.api<{ alerts: object[] }>(`/projects/${demo.projectId}/alerts`)).alerts.length;
  const before = await countAlerts();
  const menu = await openMenu(page, demo);
  await menu.getByRole('button', { name: 'Alert me about failed verification' }).click();
  await expect(notices(page)).toContainText('Alert added. It fires when');
  expect(await countAlerts()).toBe(before + 1);
  await page
    .getByRole('button', { name: /^Actions for visits claiming to be/ })
    .first()
    .click();
  await expect(menu.getByRole('link', { name: 'You’re alerted about failed verification' })).toBeVisible();
  await page.keyboard.press('Escape');
  await notices(page).getByRole('button', { name: 'Undo' }).click();
  await expect(notices(page)).toContainText('The alert was deleted.');
  expect(await countAlerts()).toBe(before);
});

test('copies a summary and links to the visits', async ({ page, demo }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const menu = await openMenu(page, demo);
  await menu.getByRole('button', { name: 'Copy for a ticket' }).click();
  await expect(notices(page)).toContainText('Summary copied to the clipboard.');
  const text = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(text).toMatch(/^[\d,]+ visits? pretended to be .+$/m);
  expect(text).toContain('Project: ');
  expect(text).toMatch(/^Details: http.*result=verification_failed/m);
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('link', { name: 'Show visits' }).click();
  await expect(page.getByRole('heading', { name: 'Visits', level: 1 })).toBeVisible();
});

test('offers viewers only the visits, the rule and the summary', async ({ page, demo }) => {
  await page.route(new RegExp(`/api/projects/${demo.projectId}$`), async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), role: 'viewer' } });
  });
  const menu = await openMenu(page, demo);
  await expect(menu.getByRole('link')).toHaveText(['Show visits', 'View rule']);
  await expect(menu.getByRole('button')).toHaveText(['Copy for a ticket']);
});

test("shows the rule that blocks an agent on the agent's page", async ({ page, demo }) => {
  const { agents } = await demo.client.api<{ agents: { agent_id: string; agent_token: string }[] }>(
    `/projects/${demo.projectId}/agents`,
  );
  const { agent_id: id } = agents.find(({ agent_token: token }) => token === 'GPTBot')!;
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/agents/${id}`);
  const block = page.getByRole('button', { name: 'Block… GPTBot' });
  await block.click();
  await page.getByRole('button', { name: 'Block now' }).click();
  const state = page.getByRole('status').filter({ hasText: 'Blocked' });
  await expect(state.getByRole('link', { name: '“Block GPTBot”' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit rule' })).toBeVisible();
  await expect(block).toBeHidden();
  await expectAccessible(page);

  await notices(page).getByRole('button', { name: 'Undo' }).click();
  await expect(block).toBeVisible();
  await expect(state).toBeHidden();
});

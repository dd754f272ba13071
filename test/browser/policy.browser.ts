import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectLooks, expectNoHorizontalScroll, test } from './fixture.js';

const rule = (name: string, parts: object = {}) => ({
  id: crypto.randomUUID(),
  name,
  mode: 'dry_run',
  action: { kind: 'refuse' },
  ...parts,
});

async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review and publish' }).click();
  await publishReviewed(page);
}

async function publishReviewed(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Publish/ })
    .first()
    .click();
  await expect(page.getByRole('region', { name: 'Unpublished changes' })).toHaveCount(0);
}

test('adds, reorders, edits and deletes rules', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Ruled' } });
  await page.goto(`/projects/${id}/policy?view=advanced`);
  await expect(page.getByRole('heading', { name: 'No rules' })).toBeVisible();
  await expectLooks(page, 'policy-empty');

  await page.getByRole('button', { name: 'Add rule' }).click();
  const form = page.locator('form');
  await expect(form.getByLabel('Name')).toBeFocused();
  await expect(form.getByText('Rules never apply to /robots.txt')).toBeVisible();
  await form.getByRole('button', { name: 'Save and publish' }).click();
  await expect(form.getByText('Enter a name.')).toBeVisible();
  await form.getByLabel('Name').fill('Training crawlers');
  await form.getByText('Purposes', { exact: true }).click();
  await form.getByLabel('AI training', { exact: true }).check();
  await form.getByLabel('Requests per minute').fill('30');
  await form.getByRole('button', { name: 'Add exception' }).click();
  const exception = form.getByRole('group', { name: 'Exception 1' });
  await exception.getByText('Paths, methods, and hosts').click();
  await exception.getByLabel('Paths').fill('/docs/');
  await expect(form.getByLabel('Mode')).toHaveValue('dry_run');
  await expect(form.getByRole('status')).toContainText('None of the 0 requests in the last 7 days match.');
  await expectLooks(page, 'policy-form');
  await form.getByRole('button', { name: 'Save and publish' }).click();
  const items = page.locator('main ol > li');
  await expect(items).toHaveCount(1);
  await expect(items.first()).toContainText('Agents for AI training: slow down to 30 a minute');
  await expect(items.first()).toContainText('These visitors on /docs/: allow');
  await expect(items.first()).toContainText('Just added');

  const choose = async (action: string): Promise<void> => {
    await page.getByRole('button', { name: 'Actions for Training crawlers' }).click();
    await page.getByRole('dialog').getByRole('button', { name: action }).click();
  };
  await choose('Edit');
  await form.getByLabel('Requests per minute').fill('10');
  await form.getByRole('button', { name: 'Save and publish' }).click();
  await expect(items.first()).toContainText('slow down to 10 a minute');
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(items.first()).toContainText('slow down to 30 a minute');
  await choose('Delete');
  await publish(page);
  await expect(page.getByRole('heading', { name: 'No rules' })).toBeVisible();

  await page
    .getByRole('button', { name: /^Restore the version of/ })
    .first()
    .click();
  await expect(items.first()).toContainText('Agents for AI training: slow down to 30 a minute');
  await publish(page);
});

test('moves rules with the menu and by dragging', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Ordered' } });
  const body = { rules: [rule('First', { mode: 'live' }), rule('Second'), rule('Third')] };
  await served.client.api(`/projects/${id}/policy`, { method: 'PUT', body });
  await page.goto(`/projects/${id}/policy?view=advanced`);
  const items = page.locator('main ol > li');
  await expect(items).toHaveText([/First/, /Second/, /Third/]);
  await expectLooks(page, 'policy');
  const menu = page.getByRole('button', { name: 'Actions for First' });
  const moveDown = page.getByRole('dialog').getByRole('button', { name: 'Move down' });
  await menu.press('Enter');
  await moveDown.press('Enter');
  await expect(items).toHaveText([/Second/, /First/, /Third/]);
  await expect(page.getByRole('status').filter({ hasText: 'First is now rule 2 of 3.' })).toHaveCount(1);
  await expect(menu).toBeFocused();
  await menu.press('Enter');
  await moveDown.press('Enter');
  await expect(items).toHaveText([/Second/, /Third/, /First/]);
  await menu.press('Enter');
  await expect(moveDown).toBeDisabled();
  await page.keyboard.press('Escape');

  const handle = items.nth(2).getByTitle('Drag to reorder');
  await handle.scrollIntoViewIfNeeded();
  const [from, to] = [(await handle.boundingBox())!, (await items.first().boundingBox())!];
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width / 2, to.y + 5, { steps: 10 });
  await page.mouse.up();
  await expect(items).toHaveText([/First/, /Second/, /Third/]);

  await page.getByLabel('Mode of Second').selectOption('Live');
  await publish(page);
  await page.reload();
  await expect(page.getByLabel('Mode of Second')).toHaveValue('live');
});

test('shows that someone else has changed the policy', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Contested' } });
  const save = (name: string) =>
    served.client.api(`/projects/${id}/policy`, { method: 'PUT', body: { rules: [rule(name)] } });
  await save('Mine');
  await page.goto(`/projects/${id}/policy?view=advanced`);
  await page.getByLabel('Mode of Mine').selectOption('Off');
  await save('Theirs');
  await page.getByRole('button', { name: 'Review and publish' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Someone else published a version with 1 rule while you were editing.')).toBeVisible();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByLabel('Mode of Theirs')).toBeVisible();
});

interface SavedPolicy {
  rules: { name: string; mode: string; action: { kind: string } }[];
}

test('blocks a type of agent in dry run, then live, and undoes it', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Blocking' } });
  const readPolicy = () => served.client.api<SavedPolicy>(`/projects/${id}/policy`);
  const readVersions = () =>
    served.client.api<{ versions: { selection: { agent_types: string[] } }[] }>(`/projects/${id}/rules-versions`);
  await page.goto(`/projects/${id}/policy`);
  await expect(page.getByText('No agents visited in the last 30 days.')).toBeVisible();
  await page.getByRole('button', { name: 'Show 17 types without visits' }).click();
  const response = page.getByLabel('Response to AI Data Scraper');
  await response.selectOption('Block');
  await page.getByRole('button', { name: 'Review and publish' }).click();
  const changes = page.getByRole('region', { name: 'Unpublished changes' });
  await expect(changes).toContainText('+ AI Data Scraper (live) · AI Data Scraper: block');
  await expectLooks(page, 'policy-publish');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Publish as a dry run' }).click();
  await expect(page.getByText('Dry run: counted, not enforced.')).toBeVisible();
  expect((await readPolicy()).rules).toMatchObject([{ mode: 'dry_run', action: { kind: 'refuse' } }]);
  expect((await readVersions()).versions).toEqual([]);

  await page.getByRole('button', { name: 'Go live with AI Data Scraper' }).click();
  await expect(changes).toContainText('wouldn’t affect any more requests: still 0 of 0 in the last 7 days');
  await changes.getByText(/^Show the \d+ changed lines$/).click();
  await expect(page.getByRole('region', { name: 'Changed lines' })).toContainText('+ User-agent: GPTBot');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Published. It takes effect within a few seconds.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Prove it' }).last()).toHaveAttribute('href', /prove=%5B%22GPTBot%22%5D/);
  expect((await readPolicy()).rules).toMatchObject([{ mode: 'live', action: { kind: 'refuse' } }]);
  expect((await readVersions()).versions).toMatchObject([{ selection: { agent_types: ['AI Data Scraper'] } }]);

  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Dry run: counted, not enforced.')).toBeVisible();
  // The rules are restored before robots.txt.
  await expect(page.getByRole('region', { name: 'Published changes' })).toBeHidden();
  expect((await readVersions()).versions[0]).toMatchObject({ selection: { agent_types: [] } });
});

test('only switches the chosen type to live', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Going live' } });
  const dry = rule('Dry', { visitors: { agent_types: ['Archiver'] } });
  await served.client.api(`/projects/${id}/policy`, { method: 'PUT', body: { rules: [dry] } });
  await page.goto(`/projects/${id}/policy`);
  await page.getByRole('button', { name: /^Show \d+ types/ }).click();
  await page.getByLabel('Response to Scraper').selectOption('Block');
  await page.getByRole('button', { name: 'Go live with Archiver' }).click();
  await publishReviewed(page);
  const { rules } = await served.client.api<SavedPolicy>(`/projects/${id}/policy`);
  expect(rules).toMatchObject([
    { name: 'Dry', mode: 'live' },
    { name: 'Scraper', mode: 'dry_run' },
  ]);
});

test('restores a colleague’s version after replacing it, and never discards a later one', async ({
  signedIn: page,
  served,
}) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Restored' } });
  const readNames = async () =>
    (await served.client.api<SavedPolicy>(`/projects/${id}/policy`)).rules.map(({ name }) => name);
  const save = (name: string) =>
    served.client.api(`/projects/${id}/policy`, { method: 'PUT', body: { rules: [rule(name)] } });
  await save('Mine');
  await page.goto(`/projects/${id}/policy?view=advanced`);
  await page.getByLabel('Mode of Mine').selectOption('Off');
  await save('Theirs');
  await page.getByRole('button', { name: 'Review and publish' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Publish mine anyway' }).click();
  await expect.poll(readNames).toEqual(['Mine']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(readNames).toEqual(['Theirs']);

  await page.getByLabel('Mode of Theirs').selectOption('Off');
  await publish(page);
  await save('Later');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Someone else has published a newer version since.')).toBeVisible();
  expect(await readNames()).toEqual(['Later']);
});

test('restores the rules after robots.txt failed at first', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Retried' } });
  await page.goto(`/projects/${id}/policy`);
  await page.getByRole('button', { name: /^Show \d+ types/ }).click();
  await page.getByLabel('Response to Scraper').selectOption('Ask not to visit');
  await page.getByLabel('Response to Archiver').selectOption('Block');
  await page.getByRole('button', { name: 'Review and publish' }).click();
  await page.route('**/rules-versions', (request) => request.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Publish live' }).click();
  await expect(page.getByText('Can’t reach the server.')).toBeVisible();
  await page.getByRole('button', { name: 'Publish live' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  expect((await served.client.api<SavedPolicy>(`/projects/${id}/policy`)).rules).toEqual([]);
});

test('blocks one agent of a type with a short form', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Excepting' } });
  await page.goto(`/projects/${id}/policy`);
  const add = page.getByRole('button', { name: 'Add exception' });
  await add.click();
  const form = page.locator('form');
  await form.getByLabel('Agent', { exact: true }).fill('GPTBot');
  await form.getByRole('button', { name: 'More conditions' }).click();
  await expect(form.getByText('GPTBot', { exact: true })).toBeVisible();
  await form.getByRole('combobox', { name: 'Operators' }).fill('Anthr');
  await page.getByRole('option', { name: 'Anthropic' }).click();
  await expect(form.getByText('Anthropic', { exact: true })).toBeVisible();
  await form.getByRole('button', { name: 'Cancel' }).click();
  await add.click();
  await form.getByLabel('Agent', { exact: true }).fill('GPTBot');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save and publish' }).click();
  await expect(page.getByRole('region', { name: 'Policy by agent type' })).toContainText('Block GPTBot');
  const { rules } = await served.client.api<SavedPolicy>(`/projects/${id}/policy`);
  expect(rules).toMatchObject([{ name: 'GPTBot', mode: 'live', action: { kind: 'refuse' } }]);
});

test('only publishes complete prices', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Charging' } });
  await page.goto(`/projects/${id}/policy`);
  await page.getByRole('button', { name: /^Show \d+ types/ }).click();
  await page.getByLabel('Response to AI Assistant').selectOption('Charge');
  await expect(page.getByRole('button', { name: 'Review and publish' })).toBeDisabled();
  await page.getByLabel('URL of the price list for AI Assistant').fill('https://shop.example/prices');
  await publish(page);
  await expect(page.getByLabel('Price for AI Assistant')).toHaveValue('USD 0.01');
});

test('compares the site’s responses with the policy', async ({ signedIn: page, served }) => {
  const site = createServer((request, response) => response.writeHead(request.url!.startsWith('/a') ? 403 : 200).end());
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const siteAddress = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const project = { name: 'Proven', site_address: siteAddress };
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: project });
  const blocked = rule('No GPTBot', { mode: 'live', visitors: { agent_tokens: ['GPTBot'] } });
  await served.client.api(`/projects/${id}/policy`, { method: 'PUT', body: { rules: [blocked] } });
  await page.goto(`/projects/${id}/policy?view=proof`);
  await expect(page.getByText('GPTBot is blocked (403). Googlebot is let through.')).toBeVisible();
  await expect(page.getByText('hasn’t asked for any decision')).toBeVisible();
  const address = page.getByRole('textbox', { name: 'From address' });
  await address.fill('198.51.100.7');
  await expect(page.getByText('198.51.100.7 is treated like any other address.')).toBeVisible();
  await address.fill('198.51.100.');
  await expect(page.getByText('Enter an address such as 203.0.113.7.')).toBeVisible();
  await address.fill('');
  await page.getByRole('button', { name: 'Send requests' }).click();
  await expect(page.getByText('Not proven: the response to GPTBot isn’t as expected.')).toBeVisible();
  await expect(page.getByRole('note').getByRole('link', { name: 'Connect your proxy' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove Googlebot' }).click();
  await page.getByRole('textbox', { name: 'Page' }).fill('/a');
  await expect(page).toHaveURL(/page=%2Fa/);
  await page.getByRole('button', { name: 'Send requests' }).click();
  await expect(page.getByText('Proven: GPTBot was blocked (403).')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoHorizontalScroll(page);
  site.close();
});

test.describe('with visits', () => {
  test.use({ baseURL: async ({ demo }, use) => use(demo.url) });

  test('blocks an agent and simulates the proof in four clicks', async ({ page, demo }) => {
    await page.context().addCookies([demo.session]);
    const path = `/projects/${demo.projectId}/policy`;
    const { rules: before } = await demo.client.api<{ rules: object[] }>(path);
    await page.goto(path);
    await page.getByLabel('Response to AI Data Scraper').selectOption('Block');
    await page.getByRole('button', { name: 'Review and publish' }).click();
    await page.getByRole('button', { name: 'Publish live' }).click();
    await page.getByRole('link', { name: 'Prove it' }).last().click();
    await expect(page.getByText(/^Simulated: .* blocked \(403\)\. .*Googlebot are let through\.$/)).toBeVisible();
    await expectAccessible(page);
    await demo.client.api(path, { method: 'PUT', body: { rules: before } });
  });

  test('shows who ignores the policy, and replays visits in the lab', async ({ page, demo }) => {
    await page.context().addCookies([demo.session]);
    await page.goto(`/projects/${demo.projectId}/policy`);
    await expect(page.getByText(/^\d+ of \d+ crawlers ignored robots.txt in the last 30 days/)).toBeVisible();
    const table = page.getByRole('region', { name: 'Policy by agent type' });
    await expectLooks(page, 'policy-agents');
    await expectAccessible(page);
    await table.getByRole('link', { name: /despite robots.txt by Scrapy$/ }).click();
    await expect(page).toHaveURL(/robots=disallowed/);
    await page.goBack();
    await page.getByRole('link', { name: 'Lab' }).click();
    const tabs = page.getByRole('navigation', { name: 'Policy' });
    await expect(tabs.locator('[aria-current=page]')).toHaveText('Lab');
    await expect(page.getByText(/^With all rules live, .* in the last 7 days would have been .*blocked/)).toBeVisible();
    await page.getByLabel('Period').selectOption('Last 24 hours');
    await expect(
      page.getByText(/^With all rules live, .* in the last 24 hours would have been .*blocked/),
    ).toBeVisible();
    await expect(page.getByRole('region', { name: 'Forecast by rule' })).toContainText('Training crawlers');
    await expect(page.getByText(/“Impostors” can go live\./)).toBeVisible();
    await page.getByRole('button', { name: 'Go live with Impostors' }).click();
    await expect(page.getByRole('heading', { name: 'Go live with “Impostors”' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expectLooks(page, 'policy-lab');
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'By agent' }).click();
    await expect(page.getByRole('region', { name: 'Forecast by agent' })).toContainText('Scrapy');
    await page.setViewportSize({ width: 320, height: 700 });
    await expectNoHorizontalScroll(page);
  });

  test('shows the effect of rules', async ({ page, demo }) => {
    await page.context().addCookies([demo.session]);
    await page.goto(`/projects/${demo.projectId}/policy?view=advanced`);
    await page.getByRole('link', { name: 'See the effect of Unwanted crawlers' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Unwanted crawlers' })).toBeVisible();
    await expect(page.getByText(/^\d+ requests in the last 30 days were blocked\./)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Visitors that came back' })).toContainText('Scrapy');
    await expectLooks(page, 'policy-effect');
    await expectAccessible(page);
    await page.getByRole('tab', { name: /^Under another name/ }).click();
    const others = page.getByRole('region', { name: 'Visits under another name' });
    await expect(others.getByRole('row', { name: /Scrapy.*Unknown visitors/ })).toHaveCount(1);
    await page.getByRole('tab', { name: 'Saved' }).click();
    await expect(page.getByText(/^These visitors were never served/)).toBeVisible();
    await page.getByRole('tab', { name: 'Came back' }).click();
    await page.getByRole('link', { name: /requests by Scrapy$/ }).click();
    await expect(page).toHaveURL(/decision/);
    await page.goBack();

    await page.getByRole('link', { name: 'All rules' }).click();
    await page.getByRole('link', { name: 'See the effect of Perplexity' }).click();
    await page.getByRole('tab', { name: 'Saved' }).click();
    await expect(page.getByText(/^The rule saved about [\d.]+ \w+ and [\d.]+ \w+ of server time\./)).toBeVisible();

    await page.getByRole('link', { name: 'All rules' }).click();
    await page.getByRole('link', { name: 'See the effect of Bots without a name' }).click();
    await expect(
      page.getByRole('region', { name: 'Visits by possible people' }).getByRole('link').first(),
    ).toBeVisible();
    await page.setViewportSize({ width: 320, height: 700 });
    await expectNoHorizontalScroll(page);
  });
});

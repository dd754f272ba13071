import { readFile } from 'node:fs/promises';
import type { Page, Route } from '@playwright/test';
import { expect, expectAccessible, expectLooks, test as base, type TestInstance } from './fixture.js';
import { getDay, selectDay } from './select-day.js';

/** Uses the demo instance, where some agents ignore robots.txt. */
const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });

async function open(page: Page, demo: TestInstance, search = 'range=7d'): Promise<void> {
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/compliance?${search}`);
  await expect(page.getByRole('heading', { name: 'Compliance', level: 1 })).toBeVisible();
}

test('answers who ignored robots.txt, and hides agents without findings', async ({ page, demo }) => {
  await open(page, demo);
  await expect(page.getByText(/^\d+ of \d+ crawlers ignored robots\.txt in the last 7 days: .*Scrapy/)).toBeVisible();
  await expect(page.getByRole('figure').getByRole('heading', { name: 'Disallowed visits by agent' })).toBeVisible();
  const table = page.getByRole('region', { name: 'Agents and robots.txt' });
  await expect(table.getByRole('link', { name: 'Googlebot', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: /^Show \d+ agents without findings$/ }).click();
  await expect(table.getByRole('link', { name: 'Googlebot', exact: true })).toBeVisible();
  await expectLooks(page, 'compliance');
  await page.getByRole('button', { name: 'About these numbers' }).click();
  await expect(page.getByText('Blocked: disallowed, with status 403.')).toBeVisible();
});

test('shows the robots.txt lines that an agent violated', async ({ page, demo }) => {
  await open(page, demo);
  await page.getByRole('link', { name: 'Scrapy', exact: true }).first().click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText(/^Disallow: \/ line \d+$/)).toBeVisible();
  await expect(drawer.getByText(/within 24 hours of a robots.txt fetch|didn’t fetch robots.txt/)).toBeVisible();
  await expectLooks(page, 'compliance-agent');
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  await expect(page).not.toHaveURL(/agent=/);
});

test('shows the signals and changes in a robots.txt version', async ({ page, demo }) => {
  await open(page, demo, 'range=7d&tab=versions');
  await page
    .getByRole('button', { name: /^Show the version for demo-shop\.example from/ })
    .first()
    .click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText('search: yes, ai-train: no')).toBeVisible();
  await expect(drawer.getByText('https://demo-shop.example/license.xml').first()).toBeVisible();
  await expect(drawer.getByText('+ User-agent: Bytespider')).toBeVisible();
  await expectLooks(page, 'compliance-version');
});
test('links each figure to the visits it counts', async ({ page, demo }) => {
  await open(page, demo);
  const figure = page.getByRole('link', { name: /^[\d,]+ Disallowed visits: show them$/ });
  const count = /^[\d,]+/.exec(await figure.innerText())![0];
  await figure.click();
  await expect(page).toHaveURL(/robots=disallowed/);
  await expect(page.getByText(new RegExp(`^${count} visits`)).first()).toBeVisible();
});

test("explains what to do when there's no host name or version", async ({ page, served }) => {
  const { client } = served;
  const projects: string[] = [];
  const createProject = async (body: object): Promise<string> => {
    const { id } = await client.api<{ id: string }>('/projects', { method: 'POST', body });
    projects.push(id);
    return `${served.url}/projects/${id}/compliance`;
  };
  await page.context().addCookies([served.session]);
  await page.goto(await createProject({ name: 'Nowhere' }));
  await expect(page.getByText('No host name yet')).toBeVisible();
  // A version already exists if the instance fetches robots.txt before the page loads. In this case, retry with a new
  // project.
  await expect(async () => {
    await page.goto(await createProject({ name: 'Somewhere', host_names: ['shop.invalid'] }));
    await expect(page.getByText('No version yet')).toBeVisible({ timeout: 5_000 });
    await expect(page.getByRole('button', { name: 'Fetch now' })).toBeVisible();
    await expect(page.getByText(/agent-traffic robots record/)).toBeVisible();
    await expectAccessible(page);
  }).toPass();
  for (const id of projects) await client.api(`/projects/${id}`, { method: 'DELETE' });
});

test('lists files for agents with the answers, and warns about refused robots.txt requests', async ({ page, demo }) => {
  await open(page, demo, 'range=7d&tab=files');
  const warning = page.getByRole('note').filter({ hasText: 'Agents can’t read robots.txt' });
  await expect(warning).toContainText('Amazonbot');
  const table = page.getByRole('region', { name: 'Files for agents' });
  await expect(table.getByRole('row', { name: /llms\.txt Content for models/ })).toBeVisible();
  await table.scrollIntoViewIfNeeded();
  await expectLooks(page, 'compliance-files');
  const refusals = warning.getByRole('link', { name: /^[\d,]+ requests by Amazonbot/ });
  const count = /^[\d,]+/.exec(await refusals.innerText())![0];
  await refusals.click();
  await expect(page).toHaveURL(/robots\.txt/);
  await expect(page.getByText(new RegExp(`^${count} visits`)).first()).toBeVisible();
});

test('links missing files to the requests for them', async ({ page, demo }) => {
  await open(page, demo, 'range=7d&tab=files');
  const missing = page.getByRole('link', { name: /^[\d,]+ requests without \/\.well-known\/mcp\/\*$/ });
  const count = /^[\d,]+/.exec(await missing.innerText())![0];
  await missing.click();
  await expect(page.getByText(new RegExp(`^${count} visits?`)).first()).toBeVisible();
});

test('downloads a signed statement of an operator, which is an accessible document', async ({ page, demo }) => {
  await open(page, demo);
  await page.getByRole('button', { name: 'Statement…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a statement' });
  await dialog.getByRole('combobox', { name: 'Operator' }).fill('');
  await dialog.getByRole('button', { name: 'Download statement' }).click();
  await expect(dialog.getByText('Enter an operator.')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Operator' }).fill('OpenAI');
  await expectLooks(page, 'statement-dialog');
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download statement' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^demo-shop-statement-openai-[\d-]+\.html$/);
  const result = page.getByRole('dialog', { name: 'Statement downloaded' });
  await expect(result.getByRole('region', { name: 'command' })).toContainText(
    'agent-traffic statement verify demo-shop-',
  );
  await expectAccessible(page);
  await result.getByRole('button', { name: 'Done' }).click();
  const html = await readFile(await download.path(), 'utf8');
  expect(html).toMatch(/"signature":"[\da-f]{128}"\}-->\n$/);
  // The dashboard's Content-Security-Policy would apply to the document, too.
  const statement = await page.context().newPage();
  await statement.setContent(html);
  await expect(statement.getByRole('heading', { name: 'Statement of fetches by OpenAI' })).toBeVisible();
  await expectAccessible(statement);
});

test('explains why a statement cannot be created', async ({ page, demo }) => {
  await open(page, demo);
  await page.getByRole('button', { name: 'Statement…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a statement' });
  const expectError = async (message: string): Promise<void> => {
    await dialog.getByRole('button', { name: 'Download statement' }).click();
    await expect(dialog.getByText(message)).toBeVisible();
  };
  await dialog.getByRole('combobox', { name: 'Operator' }).fill('OpenAI');
  const [first, last] = [
    dialog.getByRole('button', { name: 'First day (UTC):' }),
    dialog.getByRole('button', { name: 'Last day (UTC):' }),
  ];
  const [firstDay, lastDay] = [await getDay(first), await getDay(last)];
  const longAgo = `${Number(firstDay.slice(0, 4)) - 2}-12-31`;
  await selectDay(last, longAgo);
  await expectError('Must not be before the first day.');
  await selectDay(last, lastDay);
  await selectDay(first, longAgo);
  await expectError('Select a range of at most 366 days.');
  await expectLooks(page, 'statement-dialog-invalid');
  await selectDay(first, firstDay);

  let respond = (route: Route): Promise<void> =>
    route.fulfill({ status: 504, json: { detail: 'Reading the visits took too long.', instance: 'request-1' } });
  await page.route('**/statement?*', (route) => respond(route));
  await expectError('Reading the visits took too long.');
  await expect(dialog.getByRole('alert')).toContainText('Search the log for request ID request-1');
  respond = (route) => route.abort();
  await expectError('Can’t reach the server.');
  await expectLooks(page, 'statement-dialog-failed');
  respond = (route) =>
    route.fulfill({ status: 422, json: { errors: [{ pointer: '/operator', detail: 'must be one line' }] } });
  await expectError('This field must be one line.');
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await page.unroute('**/statement?*');
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download statement' }).click();
  await downloading;
  await expect(dialog).toHaveCount(0);
});

test('compares the formats that agents asked for with those they got', async ({ page, demo }) => {
  await open(page, demo);
  await page.getByRole('tab', { name: 'Formats' }).click();
  await expect(page).toHaveURL(/tab=formats/);
  const section = page.getByRole('tabpanel');
  await expect(section.getByText(/asked for Markdown [\d,]+ times, and got another format/)).toBeVisible();
  await section.scrollIntoViewIfNeeded();
  await expectLooks(page, 'compliance-formats');
  const cell = section.getByRole('link', { name: /of requests for Markdown got HTML$/ });
  const count = /^[\d,]+/.exec(await cell.innerText())![0];
  await cell.click();
  await expect(page).toHaveURL(/requested_format=markdown/);
  await expect(page.getByText(new RegExp(`^${count} visits`)).first()).toBeVisible();
});

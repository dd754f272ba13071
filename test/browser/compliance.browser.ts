import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectLooks, test as base, type TestInstance } from './fixture.js';

/** Uses the demo instance, where some agents ignore robots.txt. */
const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });

async function open(page: Page, demo: TestInstance, search = 'range=7d'): Promise<void> {
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/compliance?${search}`);
  await expect(page.getByRole('heading', { name: 'Compliance', level: 1 })).toBeVisible();
}

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
  await open(page, demo);
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

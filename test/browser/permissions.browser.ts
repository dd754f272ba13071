import { expect, expectLooks, test as base } from './fixture.js';

/** Uses the demo instance, whose robots.txt contradicts itself. */
const test = base.extend({ baseURL: async ({ demo }, use) => use(demo.url) });

test('compares permissions and links to the visits that show contradictions', async ({ page, demo }) => {
  await page.context().addCookies([demo.session]);
  await page.goto(`/projects/${demo.projectId}/robots#permissions`);
  const table = page.getByRole('region', { name: 'Permissions by mechanism' });
  await page.getByText('Specifications', { exact: true }).click();
  await expect(page.getByRole('link', { name: 'draft-ietf-aipref-vocab-08' }).first()).toBeVisible();
  await expect(page.getByText(/2026-09-13/).first()).toBeVisible();
  await expect(table.getByText('Contradicted')).toBeVisible();
  const contradiction = page.getByText('AI training: allowed by Content-Usage in robots.txt, not by Content-Signal');
  await page.getByText('Details of the contradiction').click();
  await expect(contradiction).toBeVisible();
  await expectLooks(page, 'robots-permissions');

  const version = page.getByLabel('Version of robots.txt');
  await version.focus();
  await version.selectOption({ index: 1 });
  await expect(page.getByText('No statement contradicts another one.')).toBeVisible();
  await expect(page).toHaveURL(/view=signals/);
  await expect(page).toHaveURL(/version=/);
  await version.selectOption({ index: 0 });
  await page.getByText('Details of the contradiction').click();
  const visit = page.getByRole('listitem').filter({ has: contradiction }).getByRole('link').first();
  await visit.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
});

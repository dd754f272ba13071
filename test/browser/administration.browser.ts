import { expect, expectAccessible, test } from './fixture.js';

test('adds, tests, changes, and deletes a custom agent, and shows errors next to invalid fields', async ({
  signedIn: page,
}) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Catalog' }).click();
  await page.getByRole('button', { name: 'Add agent' }).click();
  const form = page.getByRole('dialog', { name: 'Add agent' });
  await form.getByLabel('Name').fill('ShopChecker');
  await expect(form.getByLabel('robots.txt token')).toHaveValue('ShopChecker');
  await form.getByLabel('Operator').fill('The Shop');
  await form.getByLabel('User-Agent patterns').fill('Shop(Checker');
  await form.getByLabel('Address ranges').fill('192.0.2.0/24\n10.0.0.0/4');
  await form.getByRole('button', { name: 'Save agent' }).click();
  await expect(form.getByText(/Line 1 has a capturing group/)).toBeVisible();
  await expect(form.getByText(/Line 2 is too wide/)).toBeVisible();

  await form.getByLabel('User-Agent patterns').fill('ShopChecker');
  await form.getByLabel('Address ranges').fill('192.0.2.0/24');
  await form.getByRole('button', { name: 'Save agent' }).click();
  const details = page.getByRole('dialog', { name: 'ShopChecker' });
  await expect(details.getByText('added here')).toBeVisible();
  await expect(page).toHaveURL(/agent=ShopChecker/);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Test a User-Agent' }).click();
  await page.getByLabel('User-Agent from a log').fill('Mozilla/5.0 (compatible; shopchecker/3)');
  await expect(page.locator('mark')).toHaveText('shopchecker');
  await expect(page).toHaveURL(/try=/);
  await page.getByRole('status').getByRole('link', { name: 'ShopChecker' }).click();
  await details.getByRole('button', { name: 'Edit' }).click();
  const change = page.getByRole('dialog', { name: 'Edit ShopChecker' });
  await change.getByLabel('Documentation').fill('ftp://shop.example');
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(change.getByText('This field must be an http or https URL.')).toBeVisible();
  await change.getByLabel('Documentation').fill('https://shop.example/bot');
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(details.getByRole('link', { name: 'https://shop.example/bot' })).toBeVisible();

  await details.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete ShopChecker?' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('textbox', { name: 'Search' }).fill('ShopChecker');
  await expect(page.getByText('No agents match the filters')).toBeVisible();
});

test('saves robots.txt rules, compares them with a larger catalog, and tests them', async ({
  signedIn: page,
  served,
}) => {
  await page.goto(`/projects/${served.projectId}/robots`);
  const file = page.getByRole('region', { name: 'Rendered file' });
  await page.getByRole('checkbox', { name: /^AI Data Scraper/ }).check();
  await expect(file).toContainText('User-agent: GPTBot');
  await page.getByRole('button', { name: 'Save to policy' }).click();
  await expect(page.getByText(/Nothing has changed since/)).toBeVisible();
  for (const token of ['GrownBot', 'GrownToo']) {
    const agent = {
      token,
      type: 'AI Data Scraper',
      operator: null,
      url: null,
      user_agent_patterns: [token],
      robots_token: token,
      verification: {},
    };
    await served.client.api('/agents', { method: 'POST', body: agent });
  }
  await page.reload();
  await expect(page.getByText(/^Since .+: 2 agents added\.$/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Changed lines' })).toContainText('+ User-agent: GrownBot');

  await page.getByLabel('User-Agent or robots.txt token').fill('Mozilla/5.0 (compatible; GrownBot/1)');
  await expect(page.getByText('Not allowed for GrownBot')).toBeVisible();
  await page.getByLabel('Disallowed path').fill('/private/');
  await expect(page.getByText('Allowed for GrownBot', { exact: true })).toBeVisible();
  await page.getByLabel('Path', { exact: true }).fill('/private/x');
  await expect(page.getByText('Not allowed for GrownBot')).toBeVisible();
  await expect(page.getByText(/Line \d+ decides/)).toBeVisible();

  await page.getByRole('button', { name: 'Select all types' }).click();
  await expect(file).toContainText('User-agent: 2GDPR');
  await page.getByLabel('Format').selectOption('grouped');
  await expect(file).toContainText(/User-agent: \S+\s+User-agent: /);
  await page.getByText('Update the file automatically').click();
  await expect(page.getByText('./agent-traffic robots render --all-types')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Format')).toHaveValue('grouped');
  for (const token of ['GrownBot', 'GrownToo']) await served.client.api(`/agents/${token}`, { method: 'DELETE' });
});

test('shows failed visits and changes the retention period', async ({ signedIn: page, served }) => {
  await served.client.post('/visits', [{ request_path: '/without-headers' }]);
  await page.goto('/');
  await page.getByRole('link', { name: 'System' }).click();
  const sections = page.getByRole('navigation', { name: 'System' });
  await sections.getByRole('link', { name: 'Failed visits' }).click();
  await page.getByRole('region', { name: 'Failed visits' }).getByRole('link').first().click();
  const letter = page.getByRole('dialog', { name: 'Failed visit' });
  await expect(letter.getByRole('region', { name: 'Bytes' })).toContainText('/without-headers');
  await expect(letter.getByText('Reason')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(letter).toBeHidden();
  await expect(page.getByRole('region', { name: 'Failed visits' })).toBeVisible();
  await sections.getByRole('link', { name: 'Disk and retention' }).click();
  const days = page.getByLabel('Visit retention (days)');
  const save = page.locator('form', { has: days }).getByRole('button', { name: 'Save' });
  const auditDays = page.getByLabel('Audit log retention (days)');
  await auditDays.fill('400');
  await days.fill('120');
  await save.click();
  await expect(page.getByText('Overrides RETENTION_DAYS (90)')).toBeVisible();
  await expect(page.locator('form', { has: days }).getByText('Saved.')).toBeVisible();
  await expect(auditDays).toHaveValue('400');
  await days.fill('30');
  await save.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Use RETENTION_DAYS' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete older visits' }).click();
  await expect(page.getByText('Set by RETENTION_DAYS (90)')).toBeVisible();
});

test('validates and saves project settings, and lists a new invitation', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Words' } });
  await page.goto(`/projects/${id}/settings`);
  const general = page.locator('section', { hasText: 'General' });
  await general.getByLabel('Site address').fill('my shop');
  await general.getByRole('button', { name: 'Save' }).click();
  await expect(general.getByText('Enter an address such as https://www.example.com.')).toBeVisible();
  await general.getByLabel('Site address').fill('');
  await general.getByLabel('Name').fill('More words');
  await general.getByRole('button', { name: 'Save' }).click();
  await expect(general.getByText('Saved.', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Create invitation' }).click();
  const pending = page.getByRole('listitem').filter({ hasText: 'Pending invitation' });
  await expect(pending).toContainText('just now');
  await expect(pending).toContainText('expires in 7 days');
});

test('reports when all address lists fail to load', async ({ signedIn: page }) => {
  const fault = 'unreachable: getaddrinfo ENOTFOUND lists.example';
  // The server rejects requests without JSON.
  await page.route('**/api/address-lists/refresh', (route) =>
    route.fulfill({ status: route.request().postData() === '{}' ? 202 : 415 }),
  );
  await page.route('**/api/system', async (route) => {
    const response = await route.fetch();
    const system = (await response.json()) as { catalog: { lists: object[] } };
    system.catalog.lists = ['a', 'b'].map((name) => ({
      url: `https://lists.example/${name}`,
      operators: ['Acme'],
      ranges: null,
      fetched_at: null,
      // This list hasn't been fetched yet.
      fault: name === 'a' ? null : fault,
      next_try_at: new Date().toISOString(),
    }));
    await route.fulfill({ response, json: system });
  });
  await page.goto('/system');
  await page.getByRole('link', { name: '1 of 2 address lists can’t be fetched' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'No address list can be fetched' });
  await expect(alert).toContainText('Couldn’t connect to the server');
  await page.getByRole('button', { name: 'Update lists now' }).click();
  await expect(page.getByRole('button', { name: 'Updating, 2 left…' })).toBeVisible();
});

test('configures how visits by unknown visitors are stored', async ({ signedIn: page, served }) => {
  await page.goto(`/projects/${served.projectId}/settings?tab=visits`);
  const section = page.locator('section', { hasText: 'Visits by unknown visitors' });
  await section.getByRole('radio', { name: 'Only counted' }).check();
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(section.getByText('Saved. Applies to new visits.')).toBeVisible();
  const url = `/projects/${served.projectId}`;
  expect(await served.client.api(url)).toMatchObject({ unknown_visitors: 'counted' });
  await page.goto(`/projects/${served.projectId}/realtime`);
  await expect(page.getByText('Visits by unknown visitors are only counted')).toBeVisible();
  await served.client.api(url, { method: 'PATCH', body: { unknown_visitors: 'kept' } });
});

test('changes the retention period for unknown visitors', async ({ signedIn: page, served }) => {
  await page.goto('/system#storage');
  const days = page.getByLabel('Unknown visitor retention (days)');
  await expect(days).toHaveValue('7');
  await expectAccessible(page);
  const form = page.locator('form', { has: days });
  await days.fill('5');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete older visits' }).click();
  await expect(form.getByText('Saved.')).toBeVisible();
  await expect(days).toHaveValue('5');
  expect(await served.client.api('/system/retention')).toMatchObject({ unknown_days: 5 });
  await served.client.api('/system/retention', { method: 'PUT', body: { unknown_days: 7 } });
});

test('preserves unsaved input in one retention form when another form is saved', async ({ signedIn: page, served }) => {
  await page.goto('/system#storage');
  const days = page.getByLabel('Unknown visitor retention (days)');
  const auditDays = page.getByLabel('Audit log retention (days)');
  await auditDays.fill('400');
  await days.fill('6');
  const form = page.locator('form', { has: days });
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete older visits' }).click();
  await expect(form.getByText('Saved.')).toBeVisible();
  await expect(auditDays).toHaveValue('400');
  await served.client.api('/system/retention', { method: 'PUT', body: { unknown_days: 7 } });
});

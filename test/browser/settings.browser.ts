import { ADMIN } from './admin.js';
import { expect, startInstance, test } from './fixture.js';

test('stores the selected section in the URL and preserves input when switching sections', async ({
  signedIn: page,
  served,
}) => {
  await page.goto(`/projects/${served.projectId}/settings`);
  const section = (name: string) => page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name });
  await expect(section('General')).toHaveAttribute('aria-current', 'page');
  // This input must still be there after switching sections.
  await page.getByLabel('Site address').fill('https://typed.example');
  await section('Tokens').press('Enter');
  await expect(page).toHaveURL(/settings\?tab=tokens$/);
  await expect(page.getByRole('heading', { name: 'Access tokens' })).toBeVisible();
  await expect(section('Tokens')).toBeFocused();
  await section('Danger zone').click();
  await expect(page.getByRole('heading', { name: 'Delete project' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Access tokens' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/settings$/);
  await expect(page.getByLabel('Site address')).toHaveValue('https://typed.example');
});

test('deletes a project only after its name has been typed', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Old shop' } });
  await page.goto(`/projects/${id}/settings?tab=danger`);
  const button = page.getByRole('button', { name: 'Delete project' });
  const field = page.getByLabel("Type the project's name to confirm");
  await expect(button).toBeDisabled();
  await field.fill('old shop');
  await expect(button).toBeDisabled();
  await field.fill('Old shop');
  await button.click();
  await expect(page.getByText('“Old shop” was deleted.')).toBeVisible();
  await expect(page).toHaveURL(/\/projects$/);
  await expect(page.getByRole('link', { name: 'Old shop' })).toBeHidden();
  await page.goto(`/projects/${id}/overview`);
  await expect(page.getByText('Page not found')).toBeVisible();
});

test('revokes a token and hides a project from a user who leaves it', async ({ page, served }) => {
  const { client, url } = served;
  const { id } = await client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Left shop' } });
  await client.api(`/projects/${id}/tokens`, { method: 'POST', body: { name: 'Edge' } });
  // The project needs two owners, because the last owner can't leave.
  for (const name of ['Olga', 'Otto']) {
    const body = { role: 'owner' };
    const invitation = await client.api<{ url: string }>(`/projects/${id}/invitations`, { method: 'POST', body });
    await page.context().clearCookies();
    await page.request.post(`${url}/api${new URL(invitation.url).pathname}`, {
      data: { name, email: `${name}-${Date.now()}@example.com`, password: ADMIN.password },
      headers: { origin: url },
    });
  }
  await page.goto(`/projects/${id}/settings?tab=tokens`);
  await page.getByRole('button', { name: 'Revoke Edge' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText(/^revoked/)).toBeVisible();
  // Revoking removed the focused button, so the focus moves to the list item.
  await expect(page.locator('li:focus-within')).toContainText('Edge');

  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Leave project' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave project' }).click();
  await expect(page.getByRole('heading', { name: 'Projects', exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Page not found')).toBeVisible();
});

test('hides project deletion and filter saving from viewers', async ({ page, served: { client, projectId, url } }) => {
  const { url: invitation } = await client.api<{ url: string }>(`/projects/${projectId}/invitations`, {
    method: 'POST',
    body: { role: 'viewer' },
  });
  const email = `viewer-${Date.now()}@example.com`;
  const body = { name: 'Vera', email, password: ADMIN.password };
  await page.request.post(`${url}/api${new URL(invitation).pathname}`, { data: body, headers: { origin: url } });
  await page.goto(`/projects/${projectId}/settings?tab=danger`);
  await expect(page.getByText('Only administrators can delete a project.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete project' })).toBeHidden();
  await page.goto(`/projects/${projectId}/realtime?agent=GPTBot`);
  await expect(page.getByRole('heading', { name: 'Realtime' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Clear filters', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save these filters' })).toBeHidden();
});

test('changes the profile, ends a session, and creates and revokes an API key', async ({ page }) => {
  const { url, session, dispose } = await startInstance();
  await page.context().addCookies([session]);
  await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, 'user-agent': 'Mozilla/5.0 (iPhone) Safari/604.1' },
    body: JSON.stringify(ADMIN),
  });
  await page.goto(`${url}/account`);
  const profile = page.locator('section#profile');
  await expect(profile.getByRole('button', { name: 'Save' })).toBeHidden();
  await profile.getByLabel('Name').fill('Ada Lovelace');
  await profile.getByLabel('Email address').fill('lovelace@example.com');
  await profile.getByRole('button', { name: 'Save' }).click();
  await expect(profile.getByText('Enter your current password.')).toBeVisible();
  await profile.getByLabel('Your password').fill('not my password');
  await profile.getByRole('button', { name: 'Save' }).click();
  await expect(profile.getByText('This field is incorrect.')).toBeVisible();
  await profile.getByLabel('Your password').fill(ADMIN.password);
  await profile.getByRole('button', { name: 'Save' }).click();
  await expect(profile.getByText('Saved.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Account:/ })).toBeVisible();

  const sessions = page.locator('section#sessions').getByRole('listitem');
  await expect(sessions.filter({ hasText: 'this session' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Sign out Safari on iPhone' }).click();
  await expect(sessions.filter({ hasText: 'iPhone' })).toHaveCount(0);

  const keys = page.locator('section#api-keys');
  await keys.getByRole('button', { name: 'New API key' }).click();
  await keys.getByLabel('Key name').fill('laptop');
  await keys.getByLabel('Limit to specific projects').check();
  await keys.getByRole('button', { name: 'Create API key' }).click();
  await expect(keys.getByText('Choose at least one project.')).toBeVisible();
  await keys.getByRole('group', { name: 'Projects' }).getByRole('checkbox').first().check();
  await keys.getByRole('button', { name: 'Create API key' }).click();
  const createdKey = keys.getByRole('status');
  await expect(createdKey).toContainText("It won't be shown again.");
  const key = (await createdKey.locator('pre').textContent())!;
  await expect(keys.getByRole('listitem').filter({ hasText: 'laptop' })).toContainText('Read in 1 project; created');
  await expect(keys.getByRole('listitem').filter({ hasText: 'laptop' })).toContainText('never used');
  const read = (): Promise<Response> => fetch(`${url}/api/projects`, { headers: { authorization: `Bearer ${key}` } });
  expect((await read()).status).toBe(200);
  await expect(async () => {
    await page.reload();
    await expect(keys.getByRole('listitem').filter({ hasText: 'laptop' })).toContainText('last used', {
      timeout: 5_000,
    });
  }).toPass();
  await keys.getByRole('button', { name: 'Revoke laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(keys.getByText(/^revoked/)).toBeVisible();
  await expect.poll(async () => (await read()).status).toBe(401);
  await dispose();
});

test('saves named path patterns, and suggests visited folders', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Patterns' } });
  await page.goto(`/projects/${id}/settings`);
  const section = page.locator('#path-patterns');
  const field = section.getByLabel('Patterns');
  await field.fill('/docs/* Documentation\n*.pdf');
  await section.getByRole('button', { name: 'Suggest patterns' }).click();
  await expect(section.getByText('No other folder had 10 visits in the last 7 days.')).toBeVisible();
  await section.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await served.client.api<{ path_patterns: object[] }>(`/projects/${id}`)).path_patterns)
    .toEqual([
      { name: 'Documentation', pattern: '/docs/*' },
      { name: '*.pdf', pattern: '*.pdf' },
    ]);
});

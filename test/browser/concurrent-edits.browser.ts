import { expect, expectLooks, test } from './fixture.js';

test('shows conflicting changes to project settings and overwrites them only on request', async ({
  signedIn: page,
  served,
}) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Shared' } });
  await page.goto(`/projects/${id}/settings`);
  const general = page.locator('section', { hasText: 'General' });
  await general.getByLabel('Name').fill('Mine');
  await served.client.api(`/projects/${id}`, { method: 'PATCH', body: { name: 'Theirs' } });
  await general.getByRole('button', { name: 'Save', exact: true }).click();
  const conflict = general.getByRole('alert');
  await expect(conflict).toContainText('Someone else changed this while you were editing');
  await expect(conflict.getByRole('row', { name: 'name Shared Theirs' })).toBeVisible();
  await expectLooks(page, 'settings-conflict');
  await conflict.getByRole('button', { name: 'Save mine anyway' }).click();
  await expect(general.getByText('Saved.')).toBeVisible();
  expect(await served.client.api(`/projects/${id}`)).toMatchObject({ name: 'Mine' });

  // Consecutive changes by the same user don't conflict, even in different forms.
  await general.getByLabel('Name').fill('Mine again');
  await general.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(general.getByText('Saved.')).toBeVisible();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Visits' }).click();
  const headers = page.locator('section', { has: page.getByRole('heading', { name: 'Redacted values' }) });
  await headers.getByRole('textbox').first().fill('x-secret');
  await headers.getByRole('button', { name: 'Save' }).click();
  await expect(headers.getByText('Saved. Applies to new visits.')).toBeVisible();

  await page.getByRole('link', { name: 'General' }).click();
  await general.getByLabel('Name').fill('Mine at last');
  await served.client.api(`/projects/${id}`, { method: 'PATCH', body: { name: 'Theirs again' } });
  await general.getByRole('button', { name: 'Save', exact: true }).click();
  await conflict.getByRole('button', { name: 'Discard my changes' }).click();
  await expect(general.getByLabel('Name')).toHaveValue('Theirs again');
});

test('detects conflicting changes to an agent and to robots.txt rules', async ({ signedIn: page, served }) => {
  const record = (operator: string) => ({
    token: 'SharedBot',
    type: 'Fetcher',
    operator,
    url: null,
    user_agent_patterns: ['SharedBot'],
    sample_user_agents: ['SharedBot/1.0'],
    robots_token: null,
    verification: {},
  });
  await served.client.api('/agents', { method: 'POST', body: record('Nobody') });
  await page.goto('/catalog?agent=SharedBot&edit=true');
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Operator').fill('Mine');
  await served.client.api('/agents/SharedBot', { method: 'PUT', body: record('Theirs') });
  await drawer.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(drawer.getByRole('row', { name: 'operator Nobody Theirs' })).toBeVisible();
  await drawer.getByRole('button', { name: 'Discard my changes' }).click();
  await expect(drawer.getByLabel('Operator')).toHaveValue('Theirs');
  await served.client.api('/agents/SharedBot', { method: 'DELETE' });

  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Ruled' } });
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/rules-versions', async (route) => {
    if (route.request().method() === 'GET') await released;
    await route.continue();
  });
  await page.goto(`/projects/${id}/robots?type=["Scraper"]`);
  const save = page.getByRole('button', { name: 'Save to policy' });
  // Saving isn't possible until the versions have loaded, because the form's base version is still unknown.
  await expect(save).toBeDisabled();
  release();
  await expect(save).toBeEnabled();
  const rules = { agent_types: ['Scraper'], format: 'text' };
  await served.client.api(`/projects/${id}/rules-versions`, { method: 'POST', body: rules });
  await save.click();
  await expect(page.getByRole('alert')).toContainText('There’s a newer version');
  await page.getByRole('button', { name: 'Save mine anyway' }).click();
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
});

test('detects conflicting changes to an assistant and to the retention period', async ({ signedIn: page, served }) => {
  const record = (operator: string) => ({
    name: 'SharedChat',
    operator,
    hosts: ['chat.shared.example'],
    query_values: [],
    android_apps: [],
  });
  await served.client.api('/assistants', { method: 'POST', body: record('Nobody') });
  await page.goto(`/projects/${served.projectId}/referrals?assistants=one&name=SharedChat`);
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Edit' }).click();
  await drawer.getByLabel('Operator').fill('Mine');
  await served.client.api('/assistants/SharedChat', { method: 'PUT', body: record('Theirs') });
  await drawer.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(drawer.getByRole('row', { name: 'operator Nobody Theirs' })).toBeVisible();
  await drawer.getByRole('button', { name: 'Discard my changes' }).click();
  await expect(drawer.getByLabel('Operator')).toHaveValue('Theirs');
  await served.client.api('/assistants/SharedChat', { method: 'DELETE' });

  await page.goto('/system#storage');
  const days = page.getByLabel('Visit retention (days)');
  const form = page.locator('form', { has: days });
  await days.fill('60');
  await served.client.api('/system/retention', { method: 'PUT', body: { days: 100 } });
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete older visits' }).click();
  await expect(form.getByRole('row', { name: 'set days none 100' })).toBeVisible();
  await form.getByRole('button', { name: 'Discard my changes' }).click();
  await expect(days).toHaveValue('100');
  await days.fill('110');
  await form.getByRole('button', { name: 'Save' }).click();
  const getRetentionDays = async () => (await served.client.api<{ days: number }>('/system/retention')).days;
  await expect.poll(getRetentionDays).toBe(110);
  await served.client.api('/system/retention', { method: 'PUT', body: { days: null } });
});

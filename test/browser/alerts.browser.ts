import { expect, expectLooks, test } from './fixture.js';

test('an alert and a channel are added, turned off and deleted', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Alerted' } });
  await page.goto(`/projects/${id}/alerts`);
  await page.getByRole('button', { name: 'Add alert' }).click();
  const form = page.locator('form');
  await form.getByLabel('Kind').selectOption('Spoofing of an agent');
  await form.getByLabel('About').selectOption('One operator');
  await form.getByRole('button', { name: 'Add alert' }).click();
  await expect(form.getByText('Enter an operator.')).toBeVisible();
  await form.getByLabel('Operator').fill('OpenAI');
  await expect(form.getByRole('status')).toHaveText('Would not have fired in the last 30 days.');
  await expectLooks(page, 'alert-form');
  await form.getByRole('button', { name: 'Add alert' }).click();
  const alert = page.getByRole('listitem').filter({ hasText: 'Spoofing of an agent: OpenAI' });
  await expect(alert.getByText('OK', { exact: true })).toBeVisible();
  await alert.getByRole('button', { name: 'Turn off' }).click();
  await expect(alert.getByText('Off', { exact: true })).toBeVisible();
  await page.reload();
  await alert.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(alert).toHaveCount(0);

  await page.goto(`/projects/${id}/settings?tab=alerts`);
  const channels = page.locator('section', { has: page.getByRole('heading', { name: 'Alert channels' }) });
  await expect(channels.getByText('Alerts are sent to nobody yet.')).toBeVisible();
  await channels.getByLabel('Channel name').fill('Web team');
  await channels.getByRole('button', { name: 'Add channel' }).click();
  await expect(channels.getByText('Enter the URL.')).toBeVisible();
  await channels.getByLabel('URL').fill('https://hooks.example/secret-path');
  await channels.getByRole('button', { name: 'Add channel' }).click();
  const channel = channels.getByRole('listitem').filter({ hasText: 'Web team' });
  await expect(channel).toContainText('https://hooks.example/…');
  await expect(page.getByText('secret-path')).toHaveCount(0);
  await page.goto(`/projects/${id}/alerts`);
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Nothing reported' })
    .getByRole('button', { name: 'Edit' })
    .click();
  await form.getByLabel('Sent to').selectOption('Chosen channels');
  await form.getByRole('button', { name: 'Save alert' }).click();
  await expect(form.getByText('Choose at least one channel.')).toBeVisible();
  await form.getByLabel('Web team').check();
  await form.getByRole('button', { name: 'Save alert' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Nothing reported' })).toContainText('sent to 1 channel');
  await page.goto(`/projects/${id}/settings?tab=alerts`);
  await channel.getByRole('button', { name: 'Turn off' }).click();
  await expect(channel.getByRole('button', { name: 'Turn on' })).toBeVisible();
  await page.reload();
  await channel.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(channels.getByText('Alerts are sent to nobody yet.')).toBeVisible();
});

import { MailServer } from '../kit/mail-server.js';
import { ADMIN } from './admin.js';
import { expect, expectAccessible, expectLooks, startInstance, test } from './fixture.js';

test('sets up email, explains a failed test, and sends a test email', async ({ page }) => {
  const [started, mail] = await Promise.all([startInstance(), MailServer.start()]);
  try {
    await page.context().addCookies([started.session]);
    // The reports page links to the settings.
    await page.goto(`${started.url}/projects/${started.projectId}/reports`);
    await page.getByRole('link', { name: 'Set up email' }).click();
    await expect(page).toHaveURL(/\/system#email$/);
    const section = page.locator('section#email');
    await expect(section.getByRole('button', { name: 'Save' })).toBeHidden();
    await section.getByLabel('Encryption').selectOption('TLS');
    await expect(section.getByLabel('Port')).toHaveValue('465');
    await section.getByLabel('Encryption').selectOption('None (plain text)');
    await section.getByLabel('Host').fill('127.0.0.1:25');
    await section.getByLabel('From').fill('Agent Traffic <alerts@example.com>');
    await section.getByRole('button', { name: 'Save' }).click();
    await expect(section.getByText('must not contain a port')).toBeVisible();

    // Nothing listens on port 9.
    await section.getByLabel('Host').fill('127.0.0.1');
    await section.getByLabel('Port').fill('9');
    await section.getByRole('button', { name: 'Save' }).click();
    await section.getByRole('button', { name: 'Send a test email' }).click();
    await expect(section.getByRole('alert')).toContainText('127.0.0.1:9 refused the connection');
    await expectLooks(page, 'email');

    await section.getByLabel('Port').fill(String(mail.settings.port));
    await expect(section.getByRole('button', { name: 'Send a test email' })).toBeDisabled();
    await section.getByRole('button', { name: 'Save' }).click();
    await expect(section.getByText('Saved. The next email uses this server.')).toBeVisible();
    await section.getByRole('button', { name: 'Send a test email' }).click();
    await expect(section.getByRole('alert')).toContainText(`accepted the email to ${ADMIN.email}`);
    await expect.poll(() => mail.mails.at(-1)?.to).toEqual([ADMIN.email]);

    await section.getByRole('button', { name: 'Remove mail server' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove mail server' }).click();
    await expect(section.getByLabel('Host')).toHaveValue('');
    await expect(section.getByRole('button', { name: 'Send a test email' })).toBeHidden();
  } finally {
    await Promise.all([started.dispose(), mail.dispose()]);
  }
});

test('shows which environment variables set the mail server', async ({ signedIn: page }) => {
  await page.route('**/api/system/mail-server', async (route) => {
    const json = {
      source: 'environment',
      host: 'smtp.example.com',
      port: 587,
      security: 'starttls',
      user: 'ada',
      has_password: true,
      from: 'alerts@example.com',
    };
    await route.fulfill({ response: await route.fetch(), json });
  });
  await page.goto('/system#email');
  const section = page.locator('section#email');
  await expect(section.getByLabel('Host')).toBeDisabled();
  await expect(section.getByLabel('Host')).toHaveValue('smtp.example.com');
  for (const name of ['SMTP_HOST', 'SMTP_PORT', 'SMTP_SECURITY', 'SMTP_USER', 'SMTP_PASSWORD', 'SMTP_FROM']) {
    await expect(section.getByText(`Set by ${name}`)).toBeVisible();
  }
  await expect(section.getByRole('button', { name: 'Save' })).toBeHidden();
  await expect(section.getByRole('button', { name: 'Send a test email' })).toBeEnabled();
  await expectAccessible(page);
});

import type { Page } from '@playwright/test';
import { expect, expectLooks, startInstance, test } from './fixture.js';

let instance: Awaited<ReturnType<typeof startInstance>>;

test.beforeAll(async () => {
  instance = await startInstance();
});
test.afterAll(() => instance?.dispose());

/** Adds a virtual authenticator that approves every request. */
async function addVirtualAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('adds, renames, and removes a passkey and signs in with it on localhost', async ({ page }) => {
  const { url, session } = instance;
  const local = url.replace('127.0.0.1', 'localhost');
  await page.context().addCookies([{ ...session, url: local }]);
  await addVirtualAuthenticator(page);
  await page.goto(`${local}/account#passkeys`);
  const section = page.locator('section#passkeys');
  await section.getByLabel('Passkey name').fill('Laptop');
  await section.getByRole('button', { name: 'Add passkey' }).click();
  const item = section.getByRole('listitem').filter({ hasText: 'Laptop' });
  await expect(item).toContainText('at localhost');
  await expect(item).toContainText('never used');
  await expectLooks(page, 'passkeys');

  await page.context().clearCookies();
  await page.goto(`${local}/sign-in`);
  await expectLooks(page, 'sign-in-passkey');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL(/\/projects$/);

  await page.goto(`${local}/account#passkeys`);
  await expect(item).toContainText('last used');
  await item.getByRole('button', { name: 'Rename' }).click();
  await section.getByRole('button', { name: 'Cancel' }).click();
  await expect(item.getByRole('button', { name: 'Rename' })).toBeFocused();
  await item.getByRole('button', { name: 'Rename' }).click();
  await section.getByLabel('New name').fill('Old laptop');
  await section.getByRole('button', { name: 'Save name' }).click();
  const rename = section.getByRole('button', { name: 'Rename Old laptop' });
  await expect(rename).toBeFocused();
  await rename.click();
  await section.getByLabel('New name').fill('Nothing');
  await section.getByRole('button', { name: 'Cancel' }).click();
  await rename.click();
  await expect(section.getByLabel('New name')).toHaveValue('Old laptop');
  await section.getByRole('button', { name: 'Cancel' }).click();
  await section.getByRole('button', { name: 'Remove Old laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(section.getByRole('listitem')).toHaveCount(0);
  await expect(page.locator('section:focus-within')).toContainText('Passkeys');

  await page.context().clearCookies();
  await page.goto(`${local}/sign-in`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('This passkey was not accepted')).toBeVisible();
  // Passkeys aren't available when the host is an IP address.
  await page.goto(`${url}/sign-in`);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeHidden();
});

test("allows an administrator to remove another user's passkeys", async ({ page }) => {
  const { url, session, client, projectId } = instance;
  const local = url.replace('127.0.0.1', 'localhost');
  const invitation = await client.api<{ url: string }>(`/projects/${projectId}/invitations`, {
    method: 'POST',
    body: { role: 'viewer' },
  });
  await addVirtualAuthenticator(page);
  await page.goto(local + new URL(invitation.url).pathname);
  await page.getByLabel('Your name').fill('Grace');
  await page.getByLabel('Email address').fill('grace@example.com');
  await page.getByLabel('Password', { exact: true }).fill('another horse battery');
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await expect(page).toHaveURL(/\/projects\//);
  await page.goto(`${local}/account#passkeys`);
  const section = page.locator('section#passkeys');
  await section.getByLabel('Passkey name').fill('Phone');
  await section.getByRole('button', { name: 'Add passkey' }).click();
  await expect(section.getByRole('listitem')).toHaveCount(1);

  await page.context().clearCookies();
  await page.context().addCookies([session]);
  await page.goto(`${url}/system#accounts`);
  await page.getByRole('button', { name: 'Remove passkeys Grace' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('grace@example.com is signed out of sessions started with a passkey');
  await dialog.getByRole('button', { name: 'Remove passkeys' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Remove passkeys Grace' })).toBeHidden();
});

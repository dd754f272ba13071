import type { Page } from '@playwright/test';
import { CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance } from '../kit/instance.js';
import { expect, expectAccessible, test } from './fixture.js';

const PASSWORD = 'correct horse battery staple';
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

async function fillInAccount(page: Page, name: string, email: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
}

test.use({ timezoneId: 'America/New_York' });

test('creates an administrator from the setup link only once', async ({ page, context }) => {
  const instance = await Instance.start({ env: CREDENTIALS_ENV });
  const [address] = /http:\S+\/setup#\S+/.exec(instance.output)!;
  await page.goto(address);
  await fillInAccount(page, 'Ada', 'ada@example.com');
  await page.getByRole('button', { name: 'Create account' }).click();

  // The first project is named after the site address and uses the browser's time zone.
  await expect(heading(page, 'Your site')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Site address').fill('www.shop.example');
  await expect(page.getByLabel('Project name')).toHaveValue('shop.example');
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('America/New York');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(heading(page, 'Get started')).toBeVisible();
  await expect(page.getByRole('region', { name: 'the lines for Node.js' })).toContainText(CREDENTIALS.accessToken);
  await page.getByRole('group', { name: 'Setup' }).getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByLabel('Site address')).toHaveValue('https://www.shop.example');

  // The setup link no longer offers to create an account.
  await page.goto(address);
  await expect(heading(page, 'Projects')).toBeVisible();
  await context.clearCookies();
  await page.goto(address);
  await page.reload();
  await expect(heading(page, 'Sign in')).toBeVisible();
  await instance.dispose();
});

test('creates an account from an invitation, and sets a new password from a reset link', async ({
  page,
  context,
  served: { client, projectId },
}) => {
  const email = `grace-${Date.now()}@example.com`;
  const invitation = await client.api<{ url: string }>(`/projects/${projectId}/invitations`, {
    method: 'POST',
    body: { role: 'viewer' },
  });
  await page.goto(new URL(invitation.url).pathname);
  await fillInAccount(page, 'Grace', email);
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await expect(page.getByRole('link', { name: 'Realtime' })).toBeVisible();
  await page.getByRole('link', { name: 'Realtime' }).click();
  await expect(heading(page, 'Realtime')).toBeVisible();

  await page.goto(new URL(invitation.url).pathname);
  await expect(page.getByText('This invitation has already been used or withdrawn, or it has expired.')).toBeVisible();

  await context.clearCookies();
  await page.goto('/sign-in');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('not this one');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('The email address or password is wrong.')).toBeVisible();
  // Request IDs are shown only for server errors.
  await expect(page.getByText('Request ID')).toHaveCount(0);

  const reset = await client.api<{ url: string }>('/password-resets', { method: 'POST', body: { email } });
  await page.goto(new URL(reset.url).pathname);
  await page.getByLabel('New password').fill(`${PASSWORD} again`);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(heading(page, 'Projects')).toBeVisible();
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(heading(page, 'Sign in')).toBeVisible();
});

test("explains why a signed-in user couldn't be confirmed", async ({ signedIn: page }) => {
  await page.goto('/sign-in?error=not_confirmed');
  await expect(page.getByRole('alert')).toContainText("The provider didn't ask you to sign in again");
  await page.getByRole('alert').getByRole('link', { name: 'Go back' }).click();
  await expect(page).toHaveURL(/\/projects/);
});

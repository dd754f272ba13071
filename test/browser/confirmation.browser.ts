import { ADMIN } from './admin.js';
import { expect, expectLooks, test } from './fixture.js';

/**
 * Simulates server responses more than 10 minutes after sign-in. Sensitive requests fail until the password is entered.
 */
test('asks for the password once and then completes the requested action', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Guarded' } });
  await served.client.api(`/projects/${id}/tokens`, { method: 'POST', body: { name: 'Edge' } });
  let isConfirmed = false;
  const problem = {
    type: '/docs/problems#confirmation-required',
    title: 'Confirm your identity',
    status: 403,
    detail: 'You signed in more than 10 minutes ago.',
    instance: 'x',
  };
  await page.route(/\/(tokens|shared-links)(\/|$)/, async (route) => {
    const requiresConfirmation =
      route.request().method() !== 'GET' || /tokens\/[0-9a-f-]{36}$/.test(route.request().url());
    if (isConfirmed || !requiresConfirmation) await route.fallback();
    else await route.fulfill({ status: 403, contentType: 'application/problem+json', json: problem });
  });
  await page.route('**/api/session/confirmation', async (route) => {
    const response = await route.fetch();
    isConfirmed = response.ok();
    await route.fulfill({ response });
  });
  const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' });

  // Opening a page doesn't trigger the confirmation dialog.
  await page.goto(`/projects/${id}/get-started`);
  await expect(page.getByRole('button', { name: 'Fill in the access token' })).toBeVisible();
  await expect(dialog).toBeHidden();

  await page.goto(`/projects/${id}/settings?tab=tokens`);
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(dialog).toBeVisible();
  await expectLooks(page, 'confirm-identity');
  await dialog.getByLabel('Password', { exact: true }).fill('not the password');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByText('is incorrect')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('You signed in more than 10 minutes ago.')).toBeVisible();

  await page.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Show Access token' })).toBeVisible();
  await page.getByRole('button', { name: 'Show Edge' }).click();
  await expect(page.getByText(/^agt_/)).toBeVisible();

  // After the dialog is canceled, refocusing the page doesn't request the secret again.
  await page.getByRole('button', { name: 'Hide Edge' }).click();
  isConfirmed = false;
  await page.getByRole('button', { name: 'Show Edge' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  const requestedUrls: string[] = [];
  page.on('request', (request) => requestedUrls.push(request.url()));
  const list = page.waitForResponse(/\/tokens$/);
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  await list;
  expect(requestedUrls.filter((url) => /\/tokens\/./.test(url))).toEqual([]);

  await page.goto(`/projects/${id}/settings?tab=sharing`);
  await page.getByLabel('Link name').fill('Board');
  await page.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Copy the link now')).toBeVisible();
});

test('offers sign-in with the provider and warns that typed input will be lost', async ({ signedIn: page, served }) => {
  await page.route('**/api/account', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), has_password: false, provider: 'Okta' } });
  });
  await page.goto('/account#passkeys');
  await expect(page.locator('section#passkeys')).toContainText(
    'You sign in with Okta. Passkeys are only available for accounts with a password.',
  );
  await page.route('**/tokens', (route) =>
    route.request().method() === 'GET'
      ? route.fallback()
      : route.fulfill({
          status: 403,
          contentType: 'application/problem+json',
          json: { type: '/docs/problems#confirmation-required', title: 'x', status: 403, detail: 'x', instance: 'x' },
        }),
  );
  await page.goto(`/projects/${served.projectId}/settings?tab=tokens`);
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' });
  await expect(dialog).toContainText('anything you typed will be lost.');
  await expect(dialog.getByRole('link', { name: 'Sign in with Okta' })).toBeVisible();
});

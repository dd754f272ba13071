import { Authenticator, TestClock } from '../kit/authenticator.js';
import { ADMIN } from './admin.js';
import { expect, expectLooks, startInstance, test } from './fixture.js';

test('sets up two-factor authentication, requires it at sign-in, and turns it off', async ({ page }) => {
  const { url, session, dispose } = await startInstance();
  await page.context().addCookies([session]);
  await page.goto(`${url}/account#second-factor`);
  const section = page.locator('section#second-factor');
  await section.getByRole('button', { name: 'Set up an authenticator app' }).click();
  await expect(section.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expectLooks(page, 'second-factor-setup');
  const phone = new Authenticator((await section.locator('code').textContent())!, new TestClock());
  await section.getByRole('textbox', { name: 'Code' }).fill('000000');
  await section.getByRole('button', { name: 'Turn on' }).click();
  await expect(section.getByText('must be the current code from your app')).toBeVisible();
  await section.getByRole('textbox', { name: 'Code' }).fill(await phone.code());
  await section.getByRole('button', { name: 'Turn on' }).click();
  await expect(section.getByText('10 recovery codes left')).toBeVisible();
  const codes = (await section.getByRole('region', { name: 'the recovery codes' }).textContent())!.split('\n');
  expect(codes).toHaveLength(10);
  await expectLooks(page, 'second-factor');

  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  const signIn = async (code: string): Promise<void> => {
    // The account page has the same field, so wait for the sign-in page.
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await page.getByLabel('Email address').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible();
    await page.getByLabel('Code', { exact: true }).fill(code);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  await signIn('000000');
  await expect(page.getByText('must be the current code from your app')).toBeVisible();
  await expectLooks(page, 'second-step');
  // There's no valid session before the second step.
  await page.goto(`${url}/projects`);
  await expect(page).toHaveURL(/\/sign-in/);
  // Use the next time step's code, because setup used up the current one.
  await signIn(await phone.code(1));
  await expect(page).toHaveURL(/\/projects/);

  await page.goto(`${url}/account`);
  await section.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await expect(section.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible();
  await dispose();
});

test("makes administrators set up two-factor authentication first when it's required", async ({ page }) => {
  const { url, session, dispose } = await startInstance({ SECOND_FACTOR_REQUIRED: 'administrators' });
  await page.context().addCookies([session]);
  await page.goto(`${url}/account`);
  await expect(page).toHaveURL(/\/second-factor\?return_to=%2Faccount$/);
  await expectLooks(page, 'second-factor-due');
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const phone = new Authenticator((await page.locator('main code').textContent())!, new TestClock());
  await page.getByLabel('Code', { exact: true }).fill(await phone.code());
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('region', { name: 'the recovery codes' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByText('10 recovery codes left')).toBeVisible();
  await dispose();
});

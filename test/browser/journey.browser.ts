import { expect, test } from './fixture.js';
import { sampleVisits } from './sample-visits.js';

const visit = (path: string): object => ({ ...sampleVisits(1)[0], request_path: path, created: undefined });

test('rejects wrong passwords and ends the session on sign-out', async ({ page }) => {
  await page.goto('/account');
  await expect(page).toHaveURL(/\/sign-in\?return_to=/);
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('wrong');
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: /^Account:/ }).click();
  // The account page also has a "Sign out" button for each other session.
  await page.getByRole('dialog', { name: 'Account' }).getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.goto('/projects');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('guides the user from a new project to the details of its first visit', async ({ signedIn: page, served }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'New project' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('The shop');
  await dialog.getByLabel('Site address').fill('www.shop.example');
  await dialog.getByRole('button', { name: 'Create project' }).click();

  await expect(page.getByRole('region', { name: 'the lines for Node.js' })).toContainText('agt_');
  await page.getByRole('group', { name: 'Setup' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('No active token, so your site can’t report new visits.')).toBeVisible();
  await page.getByRole('link', { name: 'Get started' }).click();
  await expect(page.getByText('This project has no active access token')).toBeVisible();
  await page.getByRole('button', { name: 'Create access token' }).click();
  await expect(page.getByRole('region', { name: 'the lines for Node.js' })).toContainText('agt_');

  await page.getByRole('group', { name: 'Setup' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByLabel('Token name').fill('shop-eu');
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'shop-eu' })).toBeVisible();

  await page.getByRole('link', { name: 'Get started' }).click();
  await expect(page.getByText('Waiting for the first visit.')).toBeVisible();
  const lines = await page.getByRole('region', { name: 'the lines for Node.js' }).innerText();
  expect(lines).toContain(`${served.url}/visits`);
  const [token] = /agt_\w+/.exec(lines)!;
  const response = await served.client.post('/visits', visit('/first'), { token });
  expect(response.status).toBe(204);
  await expect(page.getByText(/^Your first visitor: Googlebot, /)).toBeVisible();

  await page.getByRole('link', { name: 'Show visit' }).click();
  const drawer = page.getByRole('dialog', { name: 'Visit' });
  await drawer.getByRole('button', { name: 'Technical details' }).click();
  await expect(drawer.getByRole('region', { name: 'Client address' })).toContainText('66.249.66.1');
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(page.getByRole('row', { name: /\/first/ })).toBeVisible();
});

test('supports keyboard shortcuts, pausing, and URL filters in the realtime view', async ({
  signedIn: page,
  served,
}) => {
  await served.client.post('/visits', [visit('/one'), visit('/two')]);
  await page.goto(`/projects/${served.projectId}/realtime`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await served.client.post('/visits', visit('/three'));
  await expect(page.getByRole('row', { name: /\/three/ })).toBeVisible();

  await page.keyboard.press('p');
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  await served.client.post('/visits', [visit('/four'), visit('/five')]);
  await page.getByRole('button', { name: '2 new' }).click();
  await expect(page.getByRole('row', { name: /\/five/ })).toBeVisible();
  await page.keyboard.press('p');

  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const focused = page.locator('a:focus');
  const second = await focused.getAttribute('href');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Visit' })).toBeVisible();
  expect(page.url()).toContain(/visit=[\w-]+/.exec(second!)![0]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Visit' })).toBeHidden();
  expect(await focused.getAttribute('href')).toBe(second);

  await page.locator('body').press('/');
  await expect(page.getByLabel('Value')).toBeFocused();
  await page.keyboard.type('/three');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/page=%2Fthree/);
  await expect(page.getByRole('row', { name: /\/three/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /\/one/ })).toBeHidden();
  await page.reload();
  await expect(page.getByRole('group', { name: 'Filters' })).toContainText('Page is /three');
  await expect(page.getByRole('row', { name: /\/three/ })).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByRole('row', { name: /\/one/ }).first()).toBeVisible();
});

test('shows errors for rejected settings next to their fields', async ({ signedIn: page, served }) => {
  await page.goto(`/projects/${served.projectId}/settings?tab=visits`);
  const section = page.locator('section', { hasText: 'How visitors reach the site' });
  await section.getByRole('textbox', { name: 'Host names' }).fill('www.example.com\nnot-a-host!');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(section.getByText('Line 2 must be a host name.')).toBeVisible();
});

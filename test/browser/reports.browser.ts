import { randomUUID } from 'node:crypto';
import { expect, expectLooks, test } from './fixture.js';

test('subscribes to a weekly report on the account page and unsubscribes through the link', async ({
  signedIn: page,
}) => {
  await page.goto('/account');
  const reports = page.locator('section#reports');
  await expect(reports.getByText('This instance has no mail server.')).toBeVisible();
  // Simulate an instance with a mail server.
  await page.route('**/api/account/reports', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), can_send_mail: true } });
  });
  await page.reload();
  const project = reports.getByRole('group', { name: 'Projects' }).getByRole('checkbox').first();
  await project.check();
  await reports.getByRole('button', { name: 'Save' }).click();
  await expect(reports.getByText('Saved.')).toBeVisible();
  await page.reload();
  await expect(project).toBeChecked();
  // The selection must not be lost when a background refresh fails.
  await project.uncheck();
  await page.route('**/api/projects', (route) => route.fulfill({ status: 404, json: {} }));
  await page.clock.setFixedTime(Date.now() + 60_000);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await expect(reports.getByRole('alert')).toBeVisible();
  await expect(project).not.toBeChecked();
  await page.unroute('**/api/projects');
  // The form loads changes made elsewhere, and new selections can still be saved.
  await page.getByRole('link', { name: 'Projects', exact: true }).first().click();
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
  await page.evaluate(() =>
    fetch('/api/account/reports', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"project_ids":[]}',
    }),
  );
  await page.goBack();
  await expect(project).not.toBeChecked();
  await project.check();
  await reports.getByRole('button', { name: 'Save' }).click();
  await expect(reports.getByText('Saved.')).toBeVisible();
  await project.uncheck();
  await reports.getByRole('button', { name: 'Save' }).click();
  await expect(reports.getByText('Saved.')).toBeVisible();

  await page.goto(`/api/unsubscriptions/${randomUUID()}`);
  await expectLooks(page, 'unsubscribe');
  const sent = page.waitForResponse((response) => response.url().includes('/api/unsubscriptions/'));
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  expect((await sent).status()).toBe(204);
  await expect(page.getByRole('status')).toContainText("You won't get this report anymore.");
  await page.getByRole('link', { name: 'your account page' }).click();
  await expect(reports).toBeInViewport();
});

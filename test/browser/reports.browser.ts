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

test('previews the report, and changes its schedule and recipients', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Reported' } });
  await page.goto(`/projects/${id}/reports`);
  await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible();
  await expect(page.getByRole('article', { name: 'Report' })).toContainText('No visits were reported in this period.');
  await expect(page.getByText('This instance has no mail server.')).toBeVisible();
  await page.getByRole('button', { name: 'Schedule and recipients' }).click();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByLabel('Send', { exact: true }).selectOption('Every month, on the 1st');
  await expect(page.getByLabel('Weekday')).toBeHidden();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('On the 1st of every month at 8:00')).toBeVisible();
  await expect(page.getByLabel('Period')).toHaveValue('last_month');
  await page.getByLabel('Period').selectOption('Last 30 days');
  await expect(page).toHaveURL(/period=last_30_days/);

  // Simulate an instance with a mail server.
  const recipient = { id: randomUUID(), address: 'boss@example.com', is_member: false, is_confirmed: true };
  const at = new Date().toISOString();
  let delivery: object | null = null;
  await page.route(`**/api/projects/${id}/report?*`, async (route) => {
    const response = await route.fetch();
    const items = [
      {
        text: 'Agent visits rose from 10 to 20 (+100%).',
        detail: '10 from 203.0.113.0/24',
        url: `https://x.example/projects/${id}/visits`,
      },
    ];
    const days = [{ day: 'Sun, Nov 1', visits: 20 }];
    const { report, ...body } = await response.json();
    const json = {
      ...body,
      can_send_mail: true,
      recipients: [{ ...recipient, delivery }],
      report: {
        ...report,
        hint: null,
        days,
        changes: { title: 'What changed', text: '', items, unit: '', rows: [] },
      },
    };
    await route.fulfill({ response, json });
  });
  let sentTo: unknown;
  await page.route(`**/api/projects/${id}/report/send`, (route) => {
    sentTo = route.request().postDataJSON();
    delivery = { state: 'sending', at, error: null };
    return route.fulfill({ status: 202, json: { recipients: 1 } });
  });
  await page.reload();
  await expect(page.getByRole('img', { name: /20 agent visits/ })).toBeVisible();
  await expect(page.getByText('On the 1st of every month at 8:00 to boss@example.com')).toBeVisible();
  await page.getByRole('button', { name: 'Schedule and recipients' }).click();
  const list = page.getByRole('list', { name: 'Recipients' });
  await expect(list).toContainText('boss@example.com');
  await expectLooks(page, 'reports');
  await page.getByRole('button', { name: 'Send to 1 recipient' }).click();
  await expect(page.getByRole('button', { name: 'Sending: 0 of 1' })).toBeDisabled();
  expect(sentTo).toEqual({ to: 'everyone', period: 'last_30_days' });
  delivery = { state: 'failed', at, error: 'The mail server rejected the address.' };
  await expect(list).toContainText('Not sent. The mail server rejected the address.');
  await page.getByLabel('Period').selectOption('Custom …');
  await page.getByRole('button', { name: 'Last month' }).click();
  await page.getByRole('button', { name: 'Show range' }).click();
  await expect(page.getByRole('article', { name: 'Report' })).toContainText(/Report, [A-Z][a-z]{2} 1 – \d\d, \d{4}/);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('article', { name: 'Report' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send to me' })).toBeHidden();
});

test('confirms a report recipient after a click', async ({ page, served }) => {
  await page.goto(`${served.url}/report-mail?of=${randomUUID()}`);
  await expectLooks(page, 'report-mail');
  await page.route('**/api/unsubscriptions/*/confirmation', (route) => route.fulfill({ status: 204 }));
  await page.getByRole('button', { name: 'Get reports' }).click();
  await expect(page.getByRole('status')).toContainText('Confirmed.');
});

import type { Locator, Page } from '@playwright/test';
import { expect, expectLooks, test } from './fixture.js';

/** Opens the menu of an alert's row and returns it. */
async function openMenu(page: Page, row: Locator): Promise<Locator> {
  await row.getByRole('button', { name: /^Actions for/ }).click();
  return page.getByRole('dialog', { name: /^Actions for/ });
}

test('adds, pauses, duplicates and deletes an alert', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Alerted' } });
  await page.goto(`/projects/${id}/alerts`);
  await page.getByRole('button', { name: 'Add alert', exact: true }).click();
  const form = page.locator('form');
  await expect(form.getByLabel('Tell me when')).toBeFocused();
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect(form).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add alert', exact: true })).toBeFocused();
  await page.getByRole('button', { name: 'Add alert', exact: true }).click();
  await form.getByLabel('Tell me when').selectOption('visitors falsely claim to be');
  await form.getByLabel('Agent', { exact: true }).selectOption({ value: 'operator:OpenAI' });
  await form.getByText('High', { exact: true }).click();
  await form.getByRole('button', { name: 'More options' }).click();
  await expect(form.getByLabel('Minimum visits')).toHaveValue('5');
  await form.getByLabel('Minimum visits').clear();
  await form.getByRole('button', { name: 'Add alert', exact: true }).click();
  await expect(form.getByText('Enter a number.')).toBeVisible();
  await expect(form.getByRole('status')).toHaveText('Enter a number to see the preview.');
  await form.getByLabel('Minimum visits').fill('20');
  await expect(form.getByRole('status')).toHaveText('Would not have fired in the last 30 days.');
  await expectLooks(page, 'alert-form');
  await form.locator('button[type=submit]').click();
  const alert = page.getByRole('listitem').filter({ hasText: 'Visits claiming to be OpenAI fail verification' });
  // An alert is new until its first check, which can be any moment.
  const active = alert.getByText(/^(New|OK)$/);
  await expect(active).toBeVisible();
  await (await openMenu(page, alert)).getByRole('button', { name: 'Pause' }).click();
  await expect(alert.getByText('Paused', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(active).toBeVisible();
  await page.reload();
  await (await openMenu(page, alert)).getByRole('button', { name: 'Duplicate' }).click();
  await expect(form.getByLabel('Agent', { exact: true })).toHaveValue('operator:OpenAI');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await (await openMenu(page, alert)).getByRole('button', { name: 'Delete' }).click();
  await expect(alert).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(alert).toBeVisible();
  await (await openMenu(page, alert)).getByRole('button', { name: 'Delete' }).click();
  await expect(alert).toHaveCount(0);
});

test('adds a channel, sends an alert only there, and deletes the channel', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Channeled' } });
  await page.goto(`/projects/${id}/settings?tab=alerts`);
  const form = page.locator('form');
  const channels = page.locator('section', { has: page.getByRole('heading', { name: 'Alert channels' }) });
  await expect(channels.getByText('No alert channels yet.')).toBeVisible();
  await channels.getByLabel('Channel name').fill('Web team');
  await channels.getByRole('button', { name: 'Add channel' }).click();
  await expect(channels.getByText('Enter the URL.')).toBeVisible();
  await channels.getByLabel('URL').fill('https://hooks.example/secret-path');
  await channels.getByRole('button', { name: 'Add channel' }).click();
  const channel = channels.getByRole('listitem').filter({ hasText: 'Web team' });
  await expect(channel).toContainText('https://hooks.example/…');
  await expect(page.getByText('secret-path')).toHaveCount(0);
  await page.goto(`/projects/${id}/alerts`);
  const silence = page.getByRole('listitem').filter({ hasText: 'Visits stop' });
  await (await openMenu(page, silence)).getByRole('button', { name: 'Edit' }).click();
  await form.getByLabel('Send to').selectOption('Selected channels');
  await form.getByRole('button', { name: 'Save alert' }).click();
  await expect(form.getByText('Choose at least one channel.')).toBeVisible();
  await form.getByLabel('Web team').check();
  await form.getByRole('button', { name: 'Save alert' }).click();
  await expect(silence).toContainText('Bell, Web team');
  await page.getByRole('button', { name: 'Add alert', exact: true }).click();
  await form.getByLabel('Send to').selectOption('Selected channels');
  await form.getByLabel('Web team').check();
  await form.getByLabel('Tell me when').selectOption('I get a first visit in 30 days from');
  await expect(form.getByLabel('Web team')).toBeChecked();

  await page.goto(`/projects/${id}/settings?tab=alerts`);
  await channel.getByRole('button', { name: 'Turn off' }).click();
  await expect(channel.getByRole('button', { name: 'Turn on' })).toBeVisible();
  await page.goto(`/projects/${id}/alerts`);
  await expect(page.getByText('All channels are off, so alerts only appear under the bell.')).toBeVisible();
  await page.getByRole('link', { name: 'Manage channels' }).click();
  await channel.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(channels.getByText('No alert channels yet.')).toBeVisible();
  await expect(page.locator('section:focus-within')).toContainText('Alert channels');
});

test('allows editing only one alert at a time and closes the form when the project changes', async ({
  signedIn: page,
  served,
}) => {
  const createProject = async (name: string) =>
    (await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name } })).id;
  const [one, other] = [await createProject('Edited'), await createProject('Visited')];
  await page.goto(`/projects/${one}/alerts`);
  const item = page.getByRole('listitem').filter({ hasText: 'Visits fail verification' });
  await (await openMenu(page, item)).getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByLabel('Agent', { exact: true })).toBeFocused();
  const ownMenu = await openMenu(page, item);
  await expect(ownMenu.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await page.keyboard.press('Escape');
  const otherMenu = await openMenu(page, page.getByRole('listitem').filter({ hasText: 'Visits stop' }));
  // Opening another form would discard the input.
  await expect(otherMenu.getByRole('button', { name: 'Edit' })).toBeDisabled();
  await expect(otherMenu.getByRole('button', { name: 'Delete' })).toBeEnabled();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Project:/ }).click();
  await page.getByRole('link', { name: 'Visited' }).click();
  await expect(page).toHaveURL(new RegExp(`${other}/alerts`));
  await expect(page.getByRole('heading', { name: 'Your alerts' })).toBeVisible();
  await expect(page.getByLabel('Agent', { exact: true })).toHaveCount(0);
});

test('saves an alert without waiting for its preview', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Hurried' } });
  await page.route('**/alerts/preview', () => {});
  await page.goto(`/projects/${id}/alerts`);
  const item = page.getByRole('listitem').filter({ hasText: 'Visits stop' });
  await (await openMenu(page, item)).getByRole('button', { name: 'Edit' }).click();
  await expect(page.locator('form').getByText('the last 30 days …')).toBeVisible();
  await page.getByRole('button', { name: 'More options' }).click();
  const previewRequest = page.waitForRequest('**/alerts/preview');
  await page.getByLabel('Window', { exact: true }).selectOption('2 hours');
  await previewRequest;
  await page.getByRole('button', { name: 'Save alert' }).click();
  await expect(page.getByRole('button', { name: 'Save alert' })).toBeHidden();
  await expect(item).toContainText('no visits for 2 hours');
});

test('adds a suggested alert with one click, and explains why an alert did not fire', async ({
  signedIn: page,
  served,
}) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Suggested' } });
  const { alerts } = await served.client.api<{ alerts: { id: string }[] }>(`/projects/${id}/alerts`);
  for (const alert of alerts) await served.client.api(`/projects/${id}/alerts/${alert.id}`, { method: 'DELETE' });
  await page.goto(`/projects/${id}/alerts`);
  await expect(page.getByRole('heading', { name: 'No alerts' })).toBeVisible();
  await expectLooks(page, 'alerts-empty');
  const suggestion = page
    .getByRole('list', { name: 'Suggested alerts' })
    .getByRole('button', { name: 'Add alert: Visits claiming to be Googlebot fail verification' });
  await suggestion.click();
  const row = page.getByRole('listitem').filter({ hasText: 'Visits claiming to be Googlebot fail verification' });
  await expect(row).toContainText(/first check at|never fired/);
  await expect(row).toContainText('There were no failed verifications of one agent');
  await expect(suggestion).toHaveCount(0);
  const times = Array.from({ length: 120 }, (_, index) => new Date(Date.UTC(2026, 10, 1, 6 * index)).toISOString());
  await page.route('**/alerts/preview', (route) =>
    route.fulfill({
      json: {
        from: times[0],
        to: times.at(-1),
        chart: times.map((time, index) => ({ time, value: index === 10 ? 4 : 2, boundary: 5 })),
        events: [],
      },
    }),
  );
  await page.reload();
  await expect(row).toContainText('At most 4 failed verifications of one agent within an hour (it fires at 5)');
  await row.getByRole('button', { name: 'Visits claiming to be Googlebot fail verification', exact: true }).click();
  await expect(row).toContainText(
    'It didn’t fire in the last 24 hours: at most 2 failed verifications of one agent within an hour (it fires at 5).',
  );
  await row.getByRole('slider', { name: 'Period' }).fill('10');
  await expect(row).toContainText('at most 4 failed verifications');
  await expectLooks(page, 'alert-details');
  await (await openMenu(page, row)).getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByText('This alert only appears under the bell.')).toBeVisible();
});

test('shows deliveries that are waiting for a channel and reports loading errors', async ({
  signedIn: page,
  served,
}) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Delivered' } });
  const channel = { kind: 'webhook', name: 'Pager', url: 'https://hooks.example/' };
  const { id: channelId } = await served.client.api<{ id: string }>(`/projects/${id}/alert-channels`, {
    method: 'POST',
    body: channel,
  });
  const change = { method: 'PATCH', body: { is_enabled: false } } as const;
  await served.client.api(`/projects/${id}/alert-channels/${channelId}`, change);
  let isFailing = true;
  const waiting = {
    id: channelId,
    channel_id: channelId,
    type: 'alert.fired',
    title: 'Visits stop',
    state: 'waiting',
    created_at: new Date().toISOString(),
    attempts: 1,
    last_attempt_at: new Date().toISOString(),
    next_attempt_at: new Date().toISOString(),
    status: 500,
    error: 'The receiver responded with status 500.',
  };
  await page.route('**/alert-deliveries', (route) =>
    isFailing ? route.fulfill({ status: 404, json: {} }) : route.fulfill({ json: { deliveries: [waiting] } }),
  );
  await page.goto(`/projects/${id}/settings?tab=alerts`);
  const failure = page.getByRole('alert').filter({ hasText: "Couldn't load the deliveries" });
  await expect(failure).toBeVisible();
  isFailing = false;
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('row', { name: /Visits stop/ })).toContainText('Waiting until the channel is turned on');
});

test('lists fired alerts under the bell and marks them as read', async ({ signedIn: page, served }) => {
  const { id } = await served.client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Rung' } });
  const notification = (text: string, isRead: boolean) => ({
    id: crypto.randomUUID(),
    project: { id, name: 'Rung' },
    kind: 'spoofing',
    label: 'Visits fail verification',
    text,
    path: `/projects/${id}/visits?result=verification_failed`,
    fired_at: new Date().toISOString(),
    is_firing: true,
    is_read: isRead,
  });
  let unread = 2;
  const readBodies: unknown[] = [];
  await page.route('**/api/account/notifications', (route) =>
    route.fulfill({
      json: {
        unread,
        notifications: [
          notification('GPTBot was spoofed.', unread < 2),
          notification('CCBot was spoofed.', unread < 1),
        ],
      },
    }),
  );
  await page.route('**/api/account/notifications/read', (route) => {
    readBodies.push(route.request().postDataJSON());
    unread = readBodies.length > 1 ? 0 : 1;
    return route.fulfill({ status: 204 });
  });
  await page.goto(`/projects/${id}/settings`);
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).click();
  const menu = page.getByRole('dialog', { name: 'Notifications' });
  await expectLooks(page, 'notifications');
  await menu.getByRole('link', { name: /GPTBot was spoofed/ }).click();
  await expect(page).toHaveURL(/visits\?.*result=verification_failed/);
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  await menu.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  expect(readBodies.map((body) => Object.keys(body as object))).toEqual([['ids'], []]);
});

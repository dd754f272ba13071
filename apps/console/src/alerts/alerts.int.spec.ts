import { ALERT_RESTORE_MINUTES, MAX_ALERTS } from '#libs/contracts';
import { App } from '../../../../test/kit/app.js';
import { until } from '../../../../test/kit/instance.js';

let app: App;
beforeAll(async () => {
  app = await App.start();
});
afterAll(() => app?.dispose());

it('rejects one of two concurrent changes that would together give an alert two scopes', async () => {
  const { id } = (await app.api('POST', '/projects', { name: 'Shop' })).body;
  const path = `/projects/${id}/alerts`;
  const { id: alertId } = (await app.api('POST', path, { kind: 'spoofing' })).body;
  const holder = app.database.dataSource.createQueryRunner();
  await holder.startTransaction();
  await holder.query(`SELECT FROM alerts WHERE id = $1 FOR UPDATE`, [alertId]);
  const changes = Promise.all([
    app.api('PATCH', `${path}/${alertId}`, { operator: 'OpenAI' }),
    app.api('PATCH', `${path}/${alertId}`, { agent_type: 'AI Data Scraper' }),
  ]);
  const lockWaitersQuery = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  await until(async () => (await app.database.dataSource.query(lockWaitersQuery)).length >= 2, {
    condition: 'both requests wait for the lock',
  });
  await holder.commitTransaction();
  await holder.release();
  expect((await changes).map(({ status }) => status).toSorted()).toEqual([200, 422]);
  expect((await app.api('PATCH', `${path}/${crypto.randomUUID()}`, { minimum: 5 })).status).toBe(404);
});

it('never leaves a concurrently deleted channel in an alert', async () => {
  const { id } = (await app.api('POST', '/projects', { name: 'Shop' })).body;
  const [alerts, channels] = [`/projects/${id}/alerts`, `/projects/${id}/alert-channels`];
  const newChannel = async (): Promise<string> =>
    (await app.api('POST', channels, { kind: 'webhook', name: 'Pager', url: 'https://hooks.example/pager' })).body.id;
  const { id: alertId } = (await app.api('POST', alerts, { kind: 'spoofing' })).body;
  const query = (sql: string): Promise<unknown[]> => app.database.dataSource.query(sql);
  const lockWaitersQuery = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

  const deletedChannelId = await newChannel();
  const holder = app.database.dataSource.createQueryRunner();
  await holder.startTransaction();
  await holder.query(`DELETE FROM alert_channels WHERE id = $1`, [deletedChannelId]);
  const rejected = Promise.all([
    app.api('PATCH', `${alerts}/${alertId}`, { channel_ids: [deletedChannelId] }),
    app.api('POST', alerts, { kind: 'drop', channel_ids: [deletedChannelId] }),
  ]);
  await Promise.race([
    rejected,
    until(async () => (await query(lockWaitersQuery)).length >= 2, { condition: 'both requests wait for the lock' }),
  ]);
  await holder.commitTransaction();
  expect((await rejected).map(({ status, body }) => [status, body.errors?.[0].pointer])).toEqual([
    [422, '/channel_ids'],
    [422, '/channel_ids'],
  ]);

  // If the alert is changed first, the deletion waits for the change and then removes the channel from the alert.
  const selectedChannelId = await newChannel();
  await holder.startTransaction();
  await holder.query(`SELECT FROM alerts WHERE id = $1 FOR UPDATE`, [alertId]);
  const changed = app.api('PATCH', `${alerts}/${alertId}`, { channel_ids: [selectedChannelId] });
  await until(async () => (await query(lockWaitersQuery)).length >= 1, { condition: 'the change waits for the lock' });
  const deleted = app.api('DELETE', `${channels}/${selectedChannelId}`);
  await Promise.race([
    deleted,
    until(async () => (await query(lockWaitersQuery)).length >= 2, { condition: 'both requests wait for the lock' }),
  ]);
  await holder.commitTransaction();
  await holder.release();
  expect([(await changed).status, (await deleted).status]).toEqual([200, 204]);
  const { body } = await app.api('GET', alerts);
  expect(body.alerts.find((alert: { id: string }) => alert.id === alertId).channel_ids).toBeNull();
});

it('normalizes muted_until to UTC', async () => {
  const { id } = (await app.api('POST', '/projects', { name: 'Shop' })).body;
  const path = `/projects/${id}/alerts`;
  const muted = { muted_until: '2098-12-31T23:00:00,5+01' };
  const read = { muted_until: '2098-12-31T22:00:00.500Z' };
  const created = (await app.api('POST', path, { kind: 'spoofing', ...muted })).body;
  expect(created).toMatchObject(read);
  await app.api('PATCH', `${path}/${created.id}`, { muted_until: null });
  expect((await app.api('PATCH', `${path}/${created.id}`, muted)).body).toMatchObject(read);
});

it('describes an event with the settings the alert had when it fired', async () => {
  const { id } = (await app.api('POST', '/projects', { name: 'Shop' })).body;
  const path = `/projects/${id}/alerts`;
  const { id: alertId } = (await app.api('POST', path, { kind: 'tool_errors', window_minutes: 60 })).body;
  await app.database.dataSource.query(
    `INSERT INTO alert_events (alert_id, project_id, subject, value, fired_at, last_met_at, recovered_at, rule)
     VALUES ($1, $2, '', 25, now(), now(), now(),
       '{"agent_id":null,"agent_type":null,"operator":null,"window_minutes":60}')`,
    [alertId, id],
  );
  const texts = async (): Promise<string[]> =>
    (await app.api('GET', `/projects/${id}/alert-events`)).body.events.map(({ text }: { text: string }) => text);
  const before = await texts();
  expect(before).toHaveLength(1);
  await app.api('PATCH', `${path}/${alertId}`, { window_minutes: 1_440 });
  expect(await texts()).toEqual(before);
});

it("counts events by day in the project's time zone, and links to the visits behind them", async () => {
  const zone = 'Pacific/Kiritimati';
  const { id } = (await app.api('POST', '/projects', { name: 'Shop', time_zone: zone })).body;
  const { id: alertId } = (await app.api('POST', `/projects/${id}/alerts`, { kind: 'spoofing' })).body;
  await app.database.dataSource.query(
    `INSERT INTO alert_events (alert_id, project_id, subject, value, fired_at, last_met_at, recovered_at, rule)
     SELECT $1, $2, gen_random_uuid()::text, 25, t, t, t, '{"agent_id":null,"agent_type":null,"operator":null,"window_minutes":60}'
     FROM (SELECT date_trunc('day', now() AT TIME ZONE $3) AT TIME ZONE $3 - interval '1 minute') e (t)`,
    [alertId, id, zone],
  );
  const { alerts } = (await app.api('GET', `/projects/${id}/alerts`)).body;
  const { daily_events: days } = alerts.find((alert: { id: string }) => alert.id === alertId);
  expect(days).toHaveLength(30);
  expect(days.slice(-3)).toEqual([0, 1, 0]);
  const { events } = (await app.api('GET', `/projects/${id}/alert-events`)).body;
  expect(events[0].path).toMatch(new RegExp(`^/projects/${id}/visits\\?from=.*&result=verification_failed$`));
});

it('restores a deleted alert only for a limited time, and only if the project has capacity', async () => {
  const { id } = (await app.api('POST', '/projects', { name: 'Shop' })).body;
  const path = `/projects/${id}/alerts`;
  const deleteNew = async (): Promise<string> => {
    const { id: alertId } = (await app.api('POST', path, { kind: 'spoofing' })).body;
    expect((await app.api('DELETE', `${path}/${alertId}`)).status).toBe(204);
    return alertId;
  };
  const restore = async (alertId: string): Promise<number> =>
    (await app.api('POST', `${path}/${alertId}/restoration`, {})).status;
  const [expired, deleted, restored] = [await deleteNew(), await deleteNew(), await deleteNew()];
  await app.database.dataSource.query(
    `UPDATE alerts SET deleted_at = now() - make_interval(mins => $2) WHERE id = $1`,
    [expired, ALERT_RESTORE_MINUTES + 1],
  );
  expect(await restore(expired)).toBe(404);
  expect(await restore(restored)).toBe(200);
  await app.database.dataSource.query(
    `INSERT INTO alerts (id, project_id, kind, threshold, minimum, window_minutes, cooldown_minutes, recovery_minutes)
     SELECT gen_random_uuid(), project_id, kind, threshold, minimum, window_minutes, cooldown_minutes, recovery_minutes
     FROM alerts, generate_series(1, ${MAX_ALERTS}) WHERE id = $1`,
    [restored],
  );
  expect(await restore(deleted)).toBe(409);
  expect(await restore(expired)).toBe(404);
});

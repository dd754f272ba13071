import { App } from '../../../../../test/kit/app.js';
import { Person } from '../../../../../test/kit/person.js';
import { AlertEvaluationRepository } from '../evaluation.repository.js';
import { createMember, PASSWORD, type Member } from '../../../../../test/kit/tenant.js';

let app: App;
let admin: Person;
beforeAll(async () => {
  app = await App.start();
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
});
afterAll(() => app?.dispose());

const RULE = '{"agent_id":null,"agent_type":null,"operator":null,"window_minutes":60}';

async function newProject(name: string): Promise<{ id: string; alertId: string; member: Member }> {
  const { id } = (await app.api('POST', '/projects', { name })).body;
  const { id: alertId } = (await app.api('POST', `/projects/${id}/alerts`, { kind: 'tool_errors' })).body;
  return { id, alertId, member: await createMember(admin, id, 'viewer') };
}

/** @param firedAt SQL expression. */
async function fire(
  { id, alertId }: { id: string; alertId: string },
  { firedAt = 'now()', isTold = true } = {},
): Promise<string> {
  const [{ id: eventId }]: [{ id: string }] = await app.database.dataSource.query(
    `INSERT INTO alert_events (alert_id, project_id, subject, value, fired_at, last_met_at, recovered_at, is_told, rule)
     VALUES ($1, $2, '', 25, ${firedAt}, now(), now(), $3, $4) RETURNING id`,
    [alertId, id, isTold, RULE],
  );
  return eventId;
}

const list = async (person: Person) => (await person.call('GET', '/account/notifications')).body;

it('lists fired alerts only to people with access to the project', async () => {
  const [one, other] = [await newProject('One'), await newProject('Other')];
  const eventId = await fire(one);
  expect(await list(one.member)).toMatchObject({
    unread: 1,
    notifications: [
      {
        id: eventId,
        project: { id: one.id, name: 'One' },
        kind: 'tool_errors',
        label: 'MCP tools fail',
        text: '25% of MCP tool calls failed in an hour.',
        is_firing: false,
        is_read: false,
      },
    ],
  });
  expect((await list(one.member)).notifications[0].path).toMatch(`/projects/${one.id}/tools?from=`);
  expect(await list(other.member)).toEqual({ unread: 0, notifications: [] });
  expect((await list(admin)).notifications.map(({ id }: { id: string }) => id)).toContain(eventId);
  await app.database.dataSource.query(`DELETE FROM project_members WHERE user_id = $1`, [one.member.id]);
  expect(await list(one.member)).toEqual({ unread: 0, notifications: [] });
});

it('marks notifications as read for one person only, and ignores those of other projects', async () => {
  const [one, other] = [await newProject('Read'), await newProject('Unread')];
  const colleague = await createMember(admin, one.id, 'member');
  const [first, second, foreign] = [await fire(one), await fire(one), await fire(other)];
  const read = (body: object) => one.member.call('POST', '/account/notifications/read', body);
  expect((await read({ ids: [first, foreign] })).status).toBe(204);
  expect((await list(one.member)).unread).toBe(1);
  expect((await list(colleague)).unread).toBe(2);
  expect((await list(other.member)).unread).toBe(1);
  await read({});
  const { unread, notifications } = await list(one.member);
  expect([unread, notifications.map((one: { id: string; is_read: boolean }) => [one.id, one.is_read])]).toEqual([
    0,
    expect.arrayContaining([
      [first, true],
      [second, true],
    ]),
  ]);
  expect((await list(colleague)).unread).toBe(2);
});

it('lists events of muted alerts and from before the person joined as read', async () => {
  const project = await newProject('Quiet');
  const muted = await fire(project, { isTold: false });
  const earlier = await fire(project, { firedAt: `now() - interval '1 day'` });
  expect(await list(project.member)).toMatchObject({
    unread: 0,
    notifications: [
      { id: muted, is_read: true },
      { id: earlier, is_read: true },
    ],
  });
});

it('lists the events of the last 30 days in the same order as the alert history', async () => {
  const project = await newProject('History');
  for (const age of ['2 days', '40 days', '1 hour', '29 days']) {
    await fire(project, { firedAt: `now() - interval '${age}'`, isTold: age !== '1 hour' });
  }
  const history = (await app.api('GET', `/projects/${project.id}/alert-events`)).body.events;
  expect(history).toHaveLength(4);
  const ids = (events: { id: string }[]) => events.map(({ id }) => id);
  expect(ids((await list(project.member)).notifications)).toEqual(ids(history.slice(0, 3)));
});

it("lists the demo project's past events as unread", async () => {
  const project = await newProject('Demo');
  await app.database.dataSource.query('UPDATE projects SET is_demo = true WHERE id = $1', [project.id]);
  await app.nest.get(AlertEvaluationRepository).recordPast(app.database.dataSource.manager, project.alertId, [
    {
      subject: null,
      value: 25,
      usual: null,
      fired_at: new Date(Date.now() - 86_400_000).toISOString(),
      recovered_at: new Date().toISOString(),
    },
  ]);
  expect(await list(project.member)).toMatchObject({ unread: 1, notifications: [{ is_read: false }] });
  await project.member.call('POST', '/account/notifications/read', {});
  expect(await list(project.member)).toMatchObject({ unread: 0, notifications: [{ is_read: true }] });
});

it('hides the events of a deleted alert until it is restored', async () => {
  const project = await newProject('Restored');
  await fire(project);
  const path = `/projects/${project.id}/alerts/${project.alertId}`;
  expect((await app.api('POST', `${path}/restoration`, {})).status).toBe(404);
  expect((await app.api('DELETE', path)).status).toBe(204);
  expect((await app.api('PATCH', path, { minimum: 5 })).status).toBe(404);
  expect((await list(project.member)).unread).toBe(0);
  expect((await app.api('GET', `/projects/${project.id}/alert-events`)).body.events).toEqual([]);
  expect((await app.api('POST', `${path}/restoration`, {})).status).toBe(200);
  expect((await list(project.member)).unread).toBe(1);
  expect((await app.api('GET', `/projects/${project.id}/alert-events`)).body.events).toHaveLength(1);
  const [entry] = (await app.api('GET', `/audit-entries?project=${project.id}&subject=alert`)).body.entries;
  expect(entry).toMatchObject({ operation: 'restoreAlert', change: 'created', after: { kind: 'tool_errors' } });
});

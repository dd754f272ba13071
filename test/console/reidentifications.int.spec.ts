import { jest } from '@jest/globals';
import type { Reidentification } from '#libs/contracts';
import { reidentifyCommand } from '../../apps/cli/src/commands/reidentify.command.js';
import { InstanceClient } from '../../apps/cli/src/client.js';
import { App } from '../kit/app.js';
import { until } from '../kit/instance.js';
import { Person } from '../kit/person.js';
import { createMember, createTenant, PASSWORD, type Tenant } from '../kit/tenant.js';

let app: App;
let admin: Person;
let address: string;

beforeAll(async () => {
  app = await App.start();
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  await app.nest.listen(0, '127.0.0.1');
  address = (await app.nest.getUrl()).replace('[::1]', '127.0.0.1');
});
afterAll(() => app?.dispose());
afterEach(() => jest.restoreAllMocks());

const RANGE = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
const url = ({ id }: Tenant, reidentificationId = ''): string =>
  `/projects/${id}/reidentifications${reidentificationId && `/${reidentificationId}`}`;
const waitUntilFinished = (tenant: Tenant, id: string): Promise<Reidentification> =>
  until(
    async () => {
      const { body } = await tenant.owner.call('GET', url(tenant, id));
      return ['previewed', 'applied'].includes(body.state) && body;
    },
    { condition: 'the re-identification has finished' },
  );

const REST = { operator: null, url: null, robots_token: null, verification: {} };
let agents = 0;
/** Creates a project with a visit, then adds the visit's agent to the catalog. */
async function createNewlyListedAgent(name: string): Promise<{ tenant: Tenant; token: string }> {
  const tenant = await createTenant(app, admin, name);
  const token = `Newcomer${++agents}Bot`;
  const visit = { request_path: '/new', request_method: 'GET', request_headers: { 'user-agent': `${token}/1.0` } };
  await app.post('/visits', [visit], { authorization: `Bearer ${tenant.tokenValue}` });
  const stored = `/projects/${tenant.id}/visits?path=/new`;
  await until(async () => (await tenant.owner.call('GET', stored)).body.visits.length === 1, {
    condition: 'the visit is listed',
  });
  const agent = { token, type: 'Scraper', user_agent_patterns: [token], sample_user_agents: [`${token}/1.0`] };
  expect((await app.api('POST', '/agents', { ...agent, ...REST })).status).toBe(201);
  await until(() => waitUntilFinished(tenant, tenant.reidentificationId), {
    condition: "the tenant's own re-identification has finished",
  });
  return { tenant, token };
}
const countIdentifiedVisits = async ({ owner, id }: Tenant, token: string): Promise<number> =>
  (await owner.call('GET', `/projects/${id}/visits?agent=${token}`)).body.visits.length;

it('previews changes and applies exactly the previewed changes', async () => {
  const before = Date.now();
  const { tenant, token } = await createNewlyListedAgent('Shop');
  // Re-identification is offered, because the visit is older than the catalog entry.
  const offered = (await tenant.owner.call('GET', url(tenant))).body.catalog_changed_at;
  expect(Date.parse(offered)).toBeGreaterThanOrEqual(before);
  const { body: empty } = await app.api('POST', '/projects', { name: 'Without visits' });
  const { body: none } = await app.api('GET', `/projects/${empty.id}/reidentifications`);
  expect(none).toEqual({ reidentifications: [], catalog_changed_at: null });
  const { status, body } = await tenant.owner.call('POST', url(tenant), RANGE);
  expect([status, body.state, body.created_by]).toEqual([201, 'previewing', 'Person']);
  const preview = await waitUntilFinished(tenant, body.id);
  expect(preview).toMatchObject({ state: 'previewed', progress: 1, result: null, preview: { changed: 1 } });
  expect(await countIdentifiedVisits(tenant, token)).toBe(0);
  const applying = await tenant.owner.call('PATCH', url(tenant, body.id), { action: 'apply' });
  expect([applying.status, applying.body.state]).toEqual([200, 'applying']);
  const applied = await waitUntilFinished(tenant, body.id);
  expect(applied.result).toEqual(preview.preview);
  expect(await countIdentifiedVisits(tenant, token)).toBe(1);
  expect((await tenant.owner.call('PATCH', url(tenant, body.id), { action: 'apply' })).body).toMatchObject({
    status: 409,
    detail: 'The re-identification has already been applied.',
  });
  const { reidentifications, catalog_changed_at: changedAt } = (await tenant.owner.call('GET', url(tenant))).body;
  expect(changedAt).toBeNull();
  expect(reidentifications.map(({ id }: Reidentification) => id)).toEqual([body.id, tenant.reidentificationId]);
  // A catalog release that only changes agents also triggers the offer.
  await app.database.dataSource.query(
    `INSERT INTO catalog_updates (version, added, changed, removed) VALUES ('x', 0, 1, 0)`,
  );
  expect((await tenant.owner.call('GET', url(tenant))).body.catalog_changed_at).not.toBeNull();
});

it('offers no re-identification when all visits are newer than the last catalog change', async () => {
  const { tenant } = await createNewlyListedAgent('With visits');
  const fresh = await createTenant(app, admin, 'Without visits');
  await waitUntilFinished(fresh, fresh.reidentificationId);
  // Delete the re-identifications that `createTenant` created.
  const forget = `DELETE FROM reidentifications WHERE project_id = $1`;
  for (const { id } of [tenant, fresh]) await app.database.dataSource.query(forget, [id]);
  const offered = async (to: Tenant) => (await to.owner.call('GET', url(to))).body.catalog_changed_at;
  expect([await offered(tenant), await offered(fresh)]).toEqual([expect.any(String), null]);
});

it('computes progress from visits rather than the time range', async () => {
  const tenant = await createTenant(app, admin, 'Young');
  const { id, preview } = await waitUntilFinished(tenant, tenant.reidentificationId);
  const result = { ...preview, looked_at: 25 };
  await app.database.dataSource.query(
    `UPDATE reidentifications SET state = 'applying', is_paused = true, after_at = range_to, preview = $2, result = $3 WHERE id = $1`,
    [id, { ...preview, looked_at: 100 }, result],
  );
  expect((await tenant.owner.call('GET', url(tenant, id))).body).toMatchObject({ progress: 0.25, result });
  await tenant.owner.call('PATCH', url(tenant, id), { action: 'cancel' });
});

it('allows only owners to start a re-identification, and only one at a time', async () => {
  const tenant = await createTenant(app, admin, 'Ours');
  const member = await createMember(admin, tenant.id, 'member');
  await waitUntilFinished(tenant, tenant.reidentificationId);
  expect((await member.call('POST', url(tenant), RANGE)).status).toBe(403);
  expect((await member.call('GET', url(tenant))).status).toBe(200);
  expect((await tenant.owner.call('POST', url(tenant), { from: RANGE.to, to: RANGE.from })).status).toBe(422);
  expect((await tenant.owner.call('POST', url(tenant), { ...RANGE, agent: 'a\0' })).status).toBe(422);
  const inState = (state: string, isPaused: boolean): Promise<unknown> =>
    app.database.dataSource.query(`UPDATE reidentifications SET state = $2, is_paused = $3 WHERE id = $1`, [
      tenant.reidentificationId,
      state,
      isPaused,
    ]);
  // A paused re-identification is still considered to be running.
  await inState('previewing', true);
  expect((await tenant.owner.call('POST', url(tenant), RANGE)).body).toMatchObject({
    status: 409,
    detail: `Re-identification ${tenant.reidentificationId} for this project is paused. Cancel it, or resume it and wait until it finishes, then try again.`,
  });
  const change = (action: string) => tenant.owner.call('PATCH', url(tenant, tenant.reidentificationId), { action });
  expect((await change('resume')).body).toMatchObject({ is_paused: false, error: null });
  await waitUntilFinished(tenant, tenant.reidentificationId);
  expect((await change('pause')).status).toBe(409);
  expect((await change('cancel')).body.state).toBe('canceled');
  expect((await change('apply')).body).toMatchObject({
    status: 409,
    detail: 'The re-identification was canceled. Start a new preview.',
  });
});

it('accepts agents from the catalog or stored visits and rejects all others', async () => {
  const { tenant, token } = await createNewlyListedAgent('Known');
  const start = async (agent: string): Promise<unknown> => {
    const { body } = await tenant.owner.call('POST', url(tenant), { ...RANGE, agent });
    if (body.id !== undefined) await waitUntilFinished(tenant, body.id);
    return body.state ?? body.errors;
  };
  const unknown = [{ pointer: '/agent', detail: expect.stringContaining(`(got "${token}x")`) }];
  expect(await start(`${token}x`)).toEqual(unknown);
  expect(await start(token.toLowerCase())).toBe('previewing');
  const [latest] = (await tenant.owner.call('GET', url(tenant))).body.reidentifications;
  await tenant.owner.call('PATCH', url(tenant, latest.id), { action: 'apply' });
  await waitUntilFinished(tenant, latest.id);
  await app.api('DELETE', `/agents/${token}`);
  expect(await start(token)).toBe('previewing');
  // The agent only appears in this project's visits, so other projects can't select it.
  const { status } = await app.api('POST', url(await createTenant(app, admin, 'Not known')), {
    ...RANGE,
    agent: token,
  });
  expect(status).toBe(422);
});

it('previews, applies, and lists re-identifications from the command line', async () => {
  const { tenant, token } = await createNewlyListedAgent('By command');
  const printed: string[] = [];
  jest.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
  jest.spyOn(console, 'error').mockImplementation((text: string) => void printed.push(text));
  const client = new InstanceClient(address, app.apiKey);
  const command = (...options: string[]): Promise<unknown> =>
    reidentifyCommand((async () => ({ client })) as never).parseAsync(['-p', tenant.id, ...options], { from: 'user' });
  await command('--from', '2020-01-01', '--to', RANGE.to, '--dry-run');
  const text = printed.join('\n');
  expect(text).toContain('Preview, nothing was changed');
  expect(text).toMatch(new RegExp(`1 +unknown, likely automated +${token}, not verifiable`));
  const id = /changed: ([0-9a-f-]{36})/.exec(text)![1]!;
  expect(text).toContain(`agent-traffic visits reidentify --project ${tenant.id} --apply ${id}`);
  printed.length = 0;
  await command('--apply', id);
  expect(printed.join('\n')).toMatch(/Applied: .*\n[\d,]+ visits checked, 1 changed/);
  expect(await countIdentifiedVisits(tenant, token)).toBe(1);
  printed.length = 0;
  await command('--show', id);
  expect(printed.join('\n')).toMatch(/^Applied: /);
  printed.length = 0;
  await command('--list');
  expect(printed.join('\n')).toContain(id);
  await app.database.dataSource.query(
    `UPDATE reidentifications SET state = 'previewing', is_paused = true WHERE id = $1`,
    [id],
  );
  const hint = (option: string) => `agent-traffic visits reidentify --project ${tenant.id} --${option} ${id}`;
  await expect(command('--from', '2020-01-01', '--to', RANGE.to)).rejects.toMatchObject({
    message: expect.stringContaining(`Re-identification ${id}`),
    hint: `To resume it: ${hint('resume')}\nTo cancel it: ${hint('cancel')}`,
  });
  printed.length = 0;
  await command('--show', id);
  expect(printed.join('\n')).toContain(`The re-identification is paused. To resume it: ${hint('resume')}`);
  await tenant.owner.call('PATCH', url(tenant, id), { action: 'cancel' });
});

import type { Bus, EncodedMessage, OutboundTopic } from '#libs/bus';
import {
  getAudit,
  CONSOLE_INTERFACE,
  PASSKEY_OPERATIONS,
  SECOND_FACTOR_OPERATIONS,
  type AuditEntry,
  type InterfaceOperation,
} from '#libs/contracts';
import { requestContext } from '#libs/platform';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { AuditOutboxRepository } from '../../apps/console/src/audit/audit-outbox.repository.js';
import { AuditPublisher } from '../../apps/console/src/audit/audit-publisher.service.js';
import { AuditRepository } from '../../apps/console/src/audit/audit.repository.js';
import { App, type Json } from '../kit/app.js';
import { until } from '../kit/instance.js';
import { storeVisits } from '../kit/stored-visits.js';
import { Person, type Method } from '../kit/person.js';
import {
  createRequestBody,
  createMember,
  createTenant,
  PASSWORD,
  createOperationUrl,
  type Member,
  type PathParameters,
  type Tenant,
} from '../kit/tenant.js';
import { readVisits } from '../kit/visit-store.js';

const CHANGING_OPERATIONS = CONSOLE_INTERFACE.operations.filter((operation) => getAudit(operation) !== 'nothing');
/**
 * Operations that this test doesn't call. Most of them need a provider, an authenticator app, or a passkey, and are
 * covered by `oidc.int.spec.ts`, `second-factor.int.spec.ts`, and `passkeys.int.spec.ts`. Setup only works once per
 * instance.
 */
const COVERED_ELSEWHERE = new Set([
  ...[...SECOND_FACTOR_OPERATIONS, ...PASSKEY_OPERATIONS].map(({ id }) => id),
  // Covered by `publishers.int.spec.ts`, which has lists to fetch.
  'refreshAddressLists',
  'unsubscribe',
  'sendReport',
  'addReportRecipient',
  'finishOidcSignIn',
  'createStatement',
  'provePolicy',
  'setUp',
  'createSetupCode',
]);
/** Operations that delete what other operations use. They run last, in this order. */
const RUN_LAST = [
  'revokeToken',
  'deleteSavedFilter',
  'revokeSharedLink',
  'deleteChartNote',
  'deleteAlert',
  'restoreAlert',
  'removeReportRecipient',
  'deleteAlertChannel',
  'removeAgentFeed',
  'restoreUserAgent',
  'removeAgent',
  'removeMember',
  'removeUser',
  'removeProject',
  'changePassword',
  'signOut',
];

const RUN_WITHOUT_MEMBER = new Set(['removeProject', 'changePassword', 'signOut']);

let app: App;
let root: Person;
let admin: Member;

beforeAll(async () => {
  app = await App.start();
  expect((await app.api('POST', '/setup-codes', {})).status).toBe(201);
  root = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
});
afterAll(() => app?.dispose());

async function entries(query = ''): Promise<AuditEntry[]> {
  const all: AuditEntry[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body } = await app.api('GET', `/audit-entries?limit=1000&cursor=${cursor}&${query}`);
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    all.push(...body.entries);
    cursor = body.next_cursor;
  }
  return all;
}

const entriesForOperation = async (id: string): Promise<AuditEntry[]> =>
  (await entries()).filter(({ operation }) => operation === id);

const agent = (token: string): Json => ({
  token,
  type: 'Fetcher',
  operator: 'Zyx',
  url: null,
  user_agent_patterns: [token],
  sample_user_agents: [`${token}/1.0`],
  robots_token: token,
  verification: {},
});
const assistant = (operator: string): Json => ({
  name: 'Zac',
  operator,
  hosts: ['zac.example'],
  query_values: [],
  android_apps: [],
});

describe('operations that change data', () => {
  const secrets: string[] = [PASSWORD];
  const failed: Json[] = [];

  beforeAll(async () => {
    const first = await createTenant(app, root, 'First');
    admin = await createMember(root, first.id, 'owner');
    await app.api('PATCH', `/users/${admin.id}`, { is_admin: true });
    const tenant = await createTenant(app, root, 'Walked');
    const rank = ({ id }: InterfaceOperation): number => RUN_LAST.indexOf(id);
    for (const operation of CHANGING_OPERATIONS.toSorted((one, two) => rank(one) - rank(two))) {
      if (!COVERED_ELSEWHERE.has(operation.id)) await runOperation(operation, tenant);
    }
  });

  async function runOperation({ id, method, path, access }: InterfaceOperation, tenant: Tenant): Promise<void> {
    // Don't create another member for the last operations: the project may no longer exist.
    const other = RUN_WITHOUT_MEMBER.has(id) ? admin : await createMember(root, tenant.id, 'owner');
    const url = createOperationUrl(path, tenant, await createPathParameters(path, tenant.id, other));
    const body =
      method === 'get' || method === 'delete'
        ? undefined
        : (bodies(tenant, other)[id] ?? createRequestBody(id, tenant));
    const caller = access === 'public' && id !== 'signOut' ? new Person(app.nest) : admin;
    const response = await caller.call(method.toUpperCase() as Method, url.replace(/^\/api/, ''), body);
    if (response.status >= 300) failed.push({ id, status: response.status, text: response.text });
    for (const name of ['token', 'key', 'code', 'secret', 'url']) {
      const value = response.body?.[name];
      if (typeof value === 'string' && value.length > 10)
        secrets.push(name === 'url' ? value.split('/').at(-1)! : value);
    }
  }

  async function createPathParameters(path: string, tenantId: string, other: Member): Promise<PathParameters> {
    const made = async (endpoint: string, body: object): Promise<Json> =>
      (await admin.call('POST', endpoint, body)).body;
    const getLastSegment = ({ url }: Json): string => new URL(url).pathname.split('/').at(-1)!;
    const parameters: PathParameters = { userId: other.id };
    if (path.includes('password-resets/'))
      parameters['token'] = getLastSegment(await made('/password-resets', { email: other.email }));
    if (path.includes('account/api-keys/')) parameters['keyId'] = (await made('/account/api-keys', {})).id;
    else if (path.includes('api-keys/')) parameters['id'] = (await made('/api-keys', {})).id;
    if (path.includes('/agents/')) parameters['agent'] = 'Zab';
    if (path.includes('/assistants/')) parameters['assistant'] = 'Zac';
    if (path.includes('api/invitations/')) {
      parameters['token'] = getLastSegment(await made(`/projects/${tenantId}/invitations`, { role: 'viewer' }));
    }
    if (path.includes('account/sessions/')) {
      await new Person(app.nest).signIn(admin.email, PASSWORD);
      const { sessions } = (await admin.call('GET', '/account')).body;
      parameters['sessionId'] = sessions.find(({ is_current: isCurrent }: Json) => !isCurrent).id;
    }
    return parameters;
  }

  const bodies = (tenant: Tenant, other: Member): Record<string, Json> => ({
    changeOwnAccount: { name: 'Somebody else', current_password: PASSWORD },
    confirmSession: { password: PASSWORD },
    changePassword: { current_password: PASSWORD, new_password: `${PASSWORD} again` },
    signIn: { email: tenant.owner.email, password: PASSWORD },
    acceptInvitation: { name: 'Guest', email: 'guest@example.com', password: PASSWORD },
    resetPassword: { password: `${PASSWORD} anew` },
    createPasswordReset: { email: other.email },
    addAgent: agent('Zab'),
    importAgents: [agent('Zad')],
    changeAgent: { ...agent('Zab'), operator: 'Zyy' },
    addAssistant: assistant('Zyx'),
    changeAssistant: assistant('Zyy'),
    changeAgentFeed: { accepts_all: true },
    changeRetention: { audit_days: 400 },
    recordRobotsVersion: { status: 404, host: 'shop.internal' },
  });

  it('successfully calls every operation that changes data', () => expect(failed).toEqual([]));

  it('records the actor and the client address for each change', async () => {
    const all = await entries();
    const missing = CHANGING_OPERATIONS.map(({ id }) => id).filter(
      (id) => !COVERED_ELSEWHERE.has(id) && !all.some(({ operation }) => operation === id),
    );
    expect(missing).toEqual([]);
    const unknownActors = all.filter(
      ({ operation, actor }) => operation !== null && !['person', 'api_key', 'visitor'].includes(actor.type),
    );
    expect(unknownActors).toEqual([]);
    const withoutAddress = all.filter(({ operation, actor }) => operation !== null && actor.address === null);
    expect(withoutAddress).toEqual([]);
  });

  it('records no secrets in the audit log', async () => {
    const text = JSON.stringify(await entries());
    expect(secrets.length).toBeGreaterThan(6);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).not.toMatch(/\\\\x[0-9a-f]{64}|\$scrypt|[0-9a-f]{32}:[0-9a-f]{64}/);
  });

  it('records the values before and after each change', async () => {
    const [changed] = await entriesForOperation('changeProject');
    expect(changed).toMatchObject({
      actor: { type: 'person', id: admin.id, name: admin.email, address: admin.address, via: 'dashboard' },
      change: 'changed',
      subject: { type: 'project', name: 'Taken over' },
      before: { name: 'Walked' },
      after: { name: 'Taken over' },
    });
    const [revealed] = await entriesForOperation('revealToken');
    expect(revealed).toMatchObject({ change: 'revealed', subject: { type: 'access_token', name: 'Access token' } });
    const [deleted] = await entriesForOperation('deleteVisits');
    expect(deleted).toMatchObject({ change: 'done', subject: { type: 'visits' }, after: { address: '[hidden]' } });
    const password = (await entriesForOperation('changePassword')).find(({ subject }) => subject.type === 'login');
    expect(password).toMatchObject({ before: { password: '[hidden]' }, after: { password: '[hidden]' } });
    const [session] = await entriesForOperation('signIn');
    expect(session).toMatchObject({ actor: { type: 'person' }, change: 'created', subject: { type: 'session' } });
  });

  it('records the resources created on first start', async () => {
    const made = (await entries())
      .filter(({ actor }) => actor.type === 'environment')
      .map(({ subject }) => subject.type);
    expect(new Set(made)).toEqual(
      new Set(['project', 'alert', 'access_token', 'api_key', 'user', 'login', 'setup_code', 'statement_key']),
    );
    expect((await entriesForOperation('createSetupCode')).map(({ subject }) => subject.type)).toEqual(['setup_code']);
  });
});

describe('audit log', () => {
  it('has no audit entries for reads, rejected requests, or changes without effect', async () => {
    const { id } = (await app.api('POST', '/projects', { name: 'Quiet' })).body;
    const viewer = await createMember(root, id, 'viewer');
    const before = (await entries()).length;
    expect((await viewer.call('GET', `/projects/${id}`)).status).toBe(200);
    expect((await viewer.call('PATCH', `/projects/${id}`, { name: 'Loud' })).status).toBe(403);
    expect((await root.call('PATCH', `/projects/${id}`, { name: 7 })).status).toBe(422);
    expect((await root.call('PATCH', `/projects/${id}`, { name: 'Quiet' })).status).toBe(200);
    expect((await viewer.call('GET', `/projects/${id}/tokens/${id}`)).status).toBe(403);
    expect((await root.call('GET', `/projects/${id}/tokens/${id}`)).status).toBe(404);
    expect((await entries()).slice(0, -before)).toEqual([]);
  });

  it('writes an audit entry in the same transaction as the change', async () => {
    const { dataSource } = app.database;
    const named = (name: string) => `UPDATE projects SET name = '${name}' WHERE name = 'Quiet'`;
    await dataSource
      .transaction(async (transaction) => {
        await transaction.query(named('Undone'));
        throw new Error('undone');
      })
      .catch(() => undefined);
    expect((await entries()).some(({ after }) => after?.['name'] === 'Undone')).toBe(false);
    await dataSource.query(
      `ALTER TABLE audit_entries ADD CONSTRAINT full_disk CHECK (subject_name <> 'Unseen') NOT VALID`,
    );
    await expect(dataSource.query(named('Unseen'))).rejects.toThrow('full_disk');
    await dataSource.query(`ALTER TABLE audit_entries DROP CONSTRAINT full_disk`);
    expect(await dataSource.query(`SELECT FROM projects WHERE name = 'Unseen'`)).toEqual([]);
  });

  it("blocks access to a secret when the audit entry can't be written", async () => {
    const { id } = (await app.api('POST', '/projects', { name: 'Sealed' })).body;
    const { id: tokenId, token } = (await app.api('POST', `/projects/${id}/tokens`, {})).body;
    const { dataSource } = app.database;
    await dataSource.query(`ALTER TABLE audit_entries ADD CONSTRAINT full_disk CHECK (change <> 'revealed') NOT VALID`);
    const response = await app.api('GET', `/projects/${id}/tokens/${tokenId}`);
    await dataSource.query(`ALTER TABLE audit_entries DROP CONSTRAINT full_disk`);
    expect(response.status).toBe(500);
    expect(response.text).not.toContain(token);
  });

  it('records the filters and format of each export, but not the addresses searched for', async () => {
    const { id } = (await app.api('POST', '/projects', { name: 'Exported' })).body;
    const viewer = await createMember(root, id, 'viewer');
    const path = `/projects/${id}/visits/export`;
    const address = '203.0.113.7';
    const filters = `from=2026-11-20&to=&agent=GPTBot&agent=ClaudeBot&not_status=4xx&address=${address}`;
    expect((await viewer.call('GET', `${path}?format=ndjson&${filters}`)).status).toBe(200);
    expect((await app.api('GET', path)).status).toBe(200);
    expect((await app.api('GET', `/projects/${id}/audit-entries/export?actor=root`)).status).toBe(200);
    const refused = [await viewer.call('GET', `${path}?format=xlsx`), await viewer.call('HEAD', path)];
    expect(refused.map(({ status }) => status)).toEqual([422, 200]);
    const exportEntries = await entries(`project=${id}&change=done`);
    expect(
      exportEntries.map(({ operation, actor, subject, after }) => [operation, actor.type, subject, after]),
    ).toEqual([
      ['exportProjectAuditEntries', 'api_key', { type: 'project', id, name: null }, { actor: 'root' }],
      ['exportVisits', 'api_key', { type: 'visits', id, name: null }, { format: 'csv' }],
      [
        'exportVisits',
        'person',
        { type: 'visits', id, name: null },
        {
          format: 'ndjson',
          from: '2026-11-20',
          agent: ['GPTBot', 'ClaudeBot'],
          not_status: '4xx',
          address: '[hidden]',
        },
      ],
    ]);
    expect(exportEntries[2]).toMatchObject({ project_id: id, actor: { name: viewer.email } });
    expect(JSON.stringify(exportEntries)).not.toContain(address);
  });

  it("exports nothing when the audit entry can't be written", async () => {
    const { id } = (await app.api('POST', '/projects', { name: 'Unexported' })).body;
    const { dataSource } = app.database;
    await storeVisits(dataSource, id, Date.now(), [{ at: new Date().toISOString(), path: '/secret' }]);
    await dataSource.query(`ALTER TABLE audit_entries ADD CONSTRAINT full_disk CHECK (change <> 'done') NOT VALID`);
    const response = await app.api('GET', `/projects/${id}/visits/export`);
    await dataSource.query(`ALTER TABLE audit_entries DROP CONSTRAINT full_disk`);
    expect(response.status).toBe(500);
    expect(response.text).not.toContain('/secret');
  });

  it('writes an audit entry before visits are permanently deleted', async () => {
    const { id } = (await app.api('POST', '/projects', { name: 'Kept' })).body;
    const { dataSource } = app.database;
    await storeVisits(dataSource, id, Date.now(), [{ at: new Date().toISOString(), agent: 'GPTBot' }]);
    const deletion = () => app.api('POST', '/visits/delete', { project_id: id });
    const countStoredVisits = async (): Promise<number> => (await readVisits(dataSource, id)).length;
    await dataSource.query(`ALTER TABLE audit_entries ADD CONSTRAINT full_disk CHECK (change <> 'done') NOT VALID`);
    const refused = await deletion();
    await dataSource.query(`ALTER TABLE audit_entries DROP CONSTRAINT full_disk`);
    expect([refused.status, await countStoredVisits()]).toEqual([500, 1]);
    expect([(await deletion()).status, await countStoredVisits()]).toEqual([200, 0]);
    expect((await entries(`project=${id}&change=done`)).map(({ subject }) => subject.type)).toEqual(['visits']);
  });

  it('writes an audit entry in the same transaction as the action', async () => {
    const { dataSource } = app.database;
    const { id, deliveryId, feedId } = await createTenant(app, root, 'Atomic');
    const state = async (): Promise<Json> =>
      (
        await dataSource.query(
          `SELECT (SELECT next_attempt_at FROM alert_deliveries WHERE id = $1),
             (SELECT requested_at FROM agent_feeds WHERE id = $2), (SELECT max(confirmed_at) FROM user_sessions) AS confirmed_at`,
          [deliveryId, feedId],
        )
      )[0];
    const before = await until(async () => (await state()).requested_at === null && state(), {
      condition: 'the feed has been fetched',
    });
    const performActions = async (): Promise<number[]> => [
      (await app.api('POST', `/projects/${id}/alert-deliveries/${deliveryId}/replay`, {})).status,
      (await app.api('POST', `/agent-feeds/${feedId}/refresh`, {})).status,
      (await app.api('POST', '/agent-proposals/accept', { feed_id: feedId })).status,
      (await app.api('POST', '/agent-proposals/dismiss', { feed_id: feedId })).status,
      (await root.call('POST', '/session/confirmation', { password: PASSWORD })).status,
    ];
    await dataSource.query(`ALTER TABLE audit_entries ADD CONSTRAINT full_disk CHECK (change <> 'done') NOT VALID`);
    const refused = await performActions();
    await dataSource.query(`ALTER TABLE audit_entries DROP CONSTRAINT full_disk`);
    expect([refused, await state()]).toEqual([[500, 500, 500, 500, 500], before]);
    expect(await performActions()).toEqual([200, 200, 200, 200, 204]);
    const actionEntries = (await entries('change=done'))
      .slice(0, 5)
      .map(({ operation, subject }) => [operation, subject.id]);
    expect(actionEntries).toEqual([
      ['confirmSession', expect.any(String)],
      ['dismissFeedAgents', feedId],
      ['acceptFeedAgents', feedId],
      ['refreshAgentFeed', feedId],
      ['replayAlertDelivery', deliveryId],
    ]);
  });

  it('rejects changes to audit entries, and deletes only entries past their retention', async () => {
    const { dataSource } = app.database;
    const refused = 'audit log entries cannot be changed or deleted';
    await expect(dataSource.query(`UPDATE audit_entries SET actor_name = 'nobody'`)).rejects.toThrow(refused);
    await expect(dataSource.query(`DELETE FROM audit_entries`)).rejects.toThrow(refused);
    await expect(dataSource.query(`TRUNCATE audit_entries`)).rejects.toThrow(refused);
    await expect(dataSource.query(`UPDATE instance_settings SET audit_retention_days = 1`)).rejects.toThrow('check');
    expect((await app.api('PUT', '/system/retention', { audit_days: 29 })).status).toBe(422);
    await dataSource.query(
      `INSERT INTO audit_entries (occurred_at, actor_type, change, subject_type)
       VALUES (now() - interval '401 days', 'database', 'done', 'visits')`,
    );
    const [, deleted] = await dataSource.query(
      `DELETE FROM audit_entries WHERE occurred_at < now() - interval '1 year'`,
    );
    expect(deleted).toBe(1);
  });

  it('records the service or database as the actor when no caller is known', async () => {
    await app.database.dataSource.query(`UPDATE projects SET name = 'By hand' WHERE name = 'Quiet'`);
    expect((await entries())[0]).toMatchObject({
      actor: { type: 'service', name: 'agent-traffic' },
      operation: null,
      after: { name: 'By hand' },
    });
    await app.database.dataSource.transaction(async (transaction) => {
      await transaction.query(`SET LOCAL agent_traffic.service = ''`);
      await transaction.query(`UPDATE projects SET name = 'By psql' WHERE name = 'By hand'`);
    });
    expect((await entries())[0]).toMatchObject({ actor: { type: 'database', id: null }, after: { name: 'By psql' } });
  });

  it('attributes concurrent changes on shared connections to the right person', async () => {
    const people = await Promise.all(
      ['One', 'Two', 'Three', 'Four'].map(async (name) => {
        const { id } = (await app.api('POST', '/projects', { name })).body;
        return { id, name, person: await createMember(root, id, 'owner') };
      }),
    );
    const pool = app.nest.get(DataSource);
    for (let round = 0; round < 25; round += 1) {
      const changes = people.map(({ id, name, person }) =>
        person.call('PATCH', `/projects/${id}`, { name: `${name} ${round}` }),
      );
      // In between, run queries without an actor on the same connections.
      const others = people.map(() =>
        pool.query(`SELECT nullif(current_setting('agent_traffic.actor', true), '') AS actor`),
      );
      const statuses = (await Promise.all(changes)).map(({ status }) => status);
      expect((await Promise.all(others)).map(([{ actor }]) => actor)).toEqual([null, null, null, null]);
      expect(statuses).toEqual([200, 200, 200, 200]);
    }
    const all = await entries('subject=project&change=changed');
    for (const { id, person } of people) {
      const projectEntries = all.filter(({ project_id: project }) => project === id);
      expect(projectEntries.length).toBe(25);
      expect(new Set(projectEntries.map(({ actor }) => actor.id))).toEqual(new Set([person.id]));
    }
  });

  it('ignores actors in client-supplied headers', async () => {
    expect(requestContext.get()).toBeUndefined();
    const forged = Buffer.from('{"type":"person","name":"boss@example.com"}').toString('base64url');
    const { id } = (await app.api('POST', '/projects', { name: 'Forged' })).body;
    await root.call('PATCH', `/projects/${id}`, { name: 'Forged again' }, { 'x-agent-traffic-actor': forged });
    expect((await entries())[0]!.actor).toMatchObject({ type: 'person', name: 'root@example.com' });
  });

  it('explicitly shows, hides, or omits every column in the audited tables', async () => {
    const rows: { table: string; column: string }[] = await app.database.dataSource.query(
      `SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
       LEFT JOIN LATERAL (
         SELECT string_to_array(string_agg(encode(g.tgargs, 'escape'), '\\000'), '\\000') AS args FROM pg_trigger g
         WHERE g.tgrelid = c.table_name::regclass AND g.tgname LIKE 'audit\\_%' AND g.tgnargs = 5
       ) g ON true
       WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.table_name NOT LIKE '%\\_2%'
         AND NOT EXISTS (SELECT FROM unnest(g.args) a WHERE c.column_name = ANY (string_to_array(a, ',')))
       ORDER BY 1, 2`,
    );
    const unknown = rows.filter(
      ({ table, column }) =>
        !UNAUDITED_TABLES.has(table) &&
        !ALWAYS_OMITTED_COLUMNS.has(column) &&
        !OMITTED_COLUMNS[table]?.includes(column) &&
        !/^visits?(_|$)/.test(table),
    );
    expect(unknown).toEqual([]);
  });
});

/** Tables that aren't audited, because only the instance writes to them or they change many times per second. */
const UNAUDITED_TABLES = new Set([
  'address_lists',
  'alert_deliveries',
  'alert_evaluation',
  'alert_event_reads',
  'alert_events',
  'audit_entries',
  'audit_outbox',
  'catalog_state',
  'catalog_updates',
  'checkouts',
  'coverage_states',
  'demo_loads',
  'drains',
  'feed_agents',
  'idempotency_keys',
  'import_days',
  'migrations',
  'oidc_sign_ins',
  'page_fetches',
  'passkey_challenges',
  'pending_sign_ins',
  'policy_decisions',
  'refused_requests',
  'removed_projects',
  'report_refusals',
  'restored_days',
  'robots_hosts',
  'robots_licenses',
  'robots_revisions',
  'robots_texts',
  'service_instances',
  'site_pages',
  'sitemaps',
  'test_agent_keys',
  'unknown_visits',
]);

/** Columns omitted from every table, because entries already have a time and an actor. */
const ALWAYS_OMITTED_COLUMNS = new Set(['id', 'created_at', 'updated_at', 'last_used_at', 'created_by', 'is_only']);

/** Omitted columns by table: internal state, derived values, and secrets. */
const OMITTED_COLUMNS: Record<string, readonly string[]> = {
  access_tokens: ['hash', 'encrypted', 'is_replaced'],
  alert_channels: ['former_secret', 'former_secret_until', 'is_unanswered'],
  alerts: ['watched_since'],
  agent_feeds: [
    'format',
    'signed_at',
    'etag',
    'last_modified',
    'fault',
    'fetched_at',
    'requested_at',
    'next_try_at',
    'claim',
    'claimed_until',
  ],
  agents: [
    'bundled',
    'changed_at',
    'feed',
    'feed_id',
    'feed_name',
    'feed_url',
    'feed_accepted_at',
    'feed_gone_at',
    'record',
  ],
  api_keys: ['hash', 'is_replaced'],
  assistants: ['bundled', 'changed_at', 'record'],
  dead_letters: ['topic', 'key', 'value', 'headers', 'reason', 'detail', 'step', 'partition', 'offset', 'failed_at'],
  dismissed_user_agents: ['dismissed_at', 'dismissed_by'],
  instance_settings: ['publishes_audit', 'requires_archive', 'visit_store'],
  passkeys: ['credential_id', 'public_key', 'uses'],
  password_resets: ['hash'],
  project_invitations: ['hash'],
  // Recipients change these themselves. Changes to the channel are audited.
  mail_recipients: ['project_id', 'address', 'confirmed_at', 'stopped_at'],
  report_subscriptions: [
    'delivery_at',
    'delivery_error',
    'delivery_state',
    'requested_report',
    'unsubscription',
    'next_attempt_at',
    'attempts',
    'reported_week',
  ],
  reidentifications: ['after_at', 'after_id', 'claimed_by', 'claimed_until', 'error', 'moved_at', 'preview', 'result'],
  robots_versions: ['digest', 'served_until'],
  second_factors: ['last_step'],
  policy_versions: ['forecast', 'saved_at', 'saved_by'],
  rules_versions: ['text', 'catalog_version', 'saved_at', 'saved_by'],
  setup_code: ['hash'],
  shared_links: ['hash', 'is_badge'],
  test_visits: ['finished_at', 'state'],
  user_logins: ['subject'],
  user_sessions: ['hash', 'expires_at', 'confirmed_at', 'opened_by'],
};

describe('audit outbox', () => {
  const countPending = async (): Promise<number> =>
    (await app.database.dataSource.query('SELECT count(*)::integer AS entries FROM audit_outbox'))[0].entries;
  /** Records entries with texts of these lengths. */
  const record = (lengths: number[]) =>
    app.database.dataSource.query(
      `SELECT audit_record('{"type":"database"}', 'done', 'visits', NULL, number::text, NULL, NULL, jsonb_build_object('text', repeat('x', length)))
       FROM unnest($1::integer[]) WITH ORDINALITY AS r (length, number)`,
      [lengths],
    );

  it('publishes audit entries in order, retries after errors, and stores nothing while disabled', async () => {
    const outbox = app.nest.get(AuditOutboxRepository);
    expect(await countPending()).toBe(0);
    await outbox.setEnabled(true);
    const { id } = (await app.api('POST', '/projects', { name: 'Told' })).body;
    await app.api('PATCH', `/projects/${id}`, { name: 'Told again' });
    await expect(outbox.publishOldest(() => Promise.reject(new Error('no broker')))).rejects.toThrow('no broker');
    const publishedEntries: AuditEntry[] = [];
    const take = async (entry: AuditEntry) => void publishedEntries.push(entry);
    expect(await outbox.publishOldest(take)).toBe(publishedEntries.length);
    expect(await outbox.publishOldest(take)).toBe(0);
    const ofProject = publishedEntries.filter(({ subject }) => subject.type === 'project');
    expect(ofProject.map(({ after }) => after?.['name'])).toEqual(['Told', 'Told again']);
    expect(publishedEntries.at(-1)).toEqual((await entriesForOperation('changeProject'))[0]);
    expect(await countPending()).toBe(0);
    await app.api('PATCH', `/projects/${id}`, { name: 'Untold' });
    await outbox.setEnabled(false);
    expect(await countPending()).toBe(0);
    await app.api('PATCH', `/projects/${id}`, { name: 'Untold again' });
    expect(await countPending()).toBe(0);
  });

  it("publishes up to 1 MiB of audit entries at a time and isn't blocked by rejected ones", async () => {
    const outbox = app.nest.get(AuditOutboxRepository);
    await outbox.setEnabled(true);
    try {
      await record([400_000, 10, 2_000_000, 400_000, 10]);
      const publishedEntries: (string | null)[] = [];
      const takeOthers = async ({ subject }: AuditEntry): Promise<void> => {
        // The instance may write other entries in the background.
        if (subject.type !== 'visits') return;
        if (subject.name === '2') throw new Error('rejected');
        publishedEntries.push(subject.name);
      };
      for (const expectedNames of [['1', '3'], ['4', '5'], []]) {
        await expect(outbox.publishOldest(takeOthers)).rejects.toThrow('rejected');
        expect(publishedEntries.splice(0)).toEqual(expectedNames);
      }
    } finally {
      await outbox.setEnabled(false);
    }
  });

  it("continues publishing after an audit entry that can't be encoded", async () => {
    const outbox = app.nest.get(AuditOutboxRepository);
    await outbox.setEnabled(true);
    // This entry is nested too deeply for `JSON.stringify`, and old enough to be deleted afterwards.
    const [{ id }] = await app.database.dataSource.query(
      `WITH entry AS (
         INSERT INTO audit_entries (occurred_at, actor_type, change, subject_type, before)
         VALUES (now() - interval '401 days', 'database', 'done', 'visits',
           jsonb_build_object('own', (repeat('[', 5000) || repeat(']', 5000))::jsonb)) RETURNING id
       ) INSERT INTO audit_outbox SELECT id FROM entry RETURNING id`,
    );
    await record([10, 10]);
    const published: EncodedMessage[] = [];
    const publish = async <T>(topic: OutboundTopic<T>, entries: T[]) =>
      void published.push(...entries.map((entry) => topic.encode(entry)));
    const bus = { publish };
    const lines: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
    const publisher = new AuditPublisher(outbox, bus as unknown as Bus, logger);
    await publisher.onApplicationBootstrap();
    await until(async () => (await countPending()) === 0, { condition: 'the outbox is empty' });
    await publisher.beforeApplicationShutdown();
    expect(published).toHaveLength(2);
    expect(JSON.parse(lines.join(''))).toMatchObject({ entry: id, err: { type: 'RangeError' } });
    await app.nest.get(AuditRepository).deleteExpired();
    await outbox.setEnabled(false);
  });

  it('deletes an outbox item together with its expired audit entry', async () => {
    await app.database.dataSource.query(
      `WITH entry AS (
         INSERT INTO audit_entries (occurred_at, actor_type, change, subject_type)
         VALUES (now() - interval '401 days', 'database', 'done', 'visits') RETURNING id
       ) INSERT INTO audit_outbox SELECT id FROM entry`,
    );
    await app.nest.get(AuditRepository).deleteExpired();
    expect(await countPending()).toBe(0);
  });

  it("doesn't block shutdown while Kafka is unresponsive", async () => {
    const outbox = app.nest.get(AuditOutboxRepository);
    const publishCalled = Promise.withResolvers<void>();
    const bus = { publish: () => (publishCalled.resolve(), new Promise<void>(() => undefined)) };
    const publisher = new AuditPublisher(outbox, bus as unknown as Bus, pino({ level: 'silent' }));
    await outbox.setEnabled(true);
    await record([10]);
    await publisher.onApplicationBootstrap();
    await publishCalled.promise;
    await publisher.beforeApplicationShutdown();
    expect(await countPending()).toBe(1);
    await outbox.setEnabled(false);
  });
});

describe('audit log access', () => {
  it("allows owners to read only their own project's entries", async () => {
    const [ours, theirs] = [await createTenant(app, root, 'Ours'), await createTenant(app, root, 'Theirs')];
    const { status, body, text } = await ours.owner.call('GET', `/projects/${ours.id}/audit-entries?limit=1000`);
    expect(status).toBe(200);
    expect(body.entries.length).toBeGreaterThan(5);
    expect(new Set(body.entries.map((entry: AuditEntry) => entry.project_id))).toEqual(new Set([ours.id]));
    expect(text).not.toContain('Theirs');
    const elsewhere = `/projects/${ours.id}/audit-entries?limit=1000&subject_id=${theirs.id}`;
    expect((await ours.owner.call('GET', elsewhere)).body.entries).toEqual([]);
    expect((await ours.owner.call('GET', `/projects/${theirs.id}/audit-entries`)).status).toBe(404);
    expect((await ours.owner.call('GET', `/projects/${ours.id}/audit-entries?project=${theirs.id}`)).status).toBe(422);
    expect((await ours.owner.call('GET', '/audit-entries')).status).toBe(403);
    const member = await createMember(root, ours.id, 'member');
    expect((await member.call('GET', `/projects/${ours.id}/audit-entries`)).status).toBe(403);
    expect((await member.call('GET', `/projects/${ours.id}/audit-entries/export`)).status).toBe(403);
  });

  it('supports filters, paging, and CSV export', async () => {
    const { id } = (await app.api('POST', '/projects', { name: '=Formula()' })).body;
    const owner = await createMember(root, id, 'owner');
    for (const name of ['A', 'B', 'C']) await owner.call('PATCH', `/projects/${id}`, { name });
    const names = async (query: string): Promise<string[]> =>
      (await owner.call('GET', `/projects/${id}/audit-entries?subject=project&${query}`)).body.entries.map(
        ({ after }: AuditEntry) => after?.['name'],
      );
    expect(await names('')).toEqual(['C', 'B', 'A', '=Formula()']);
    expect(await names('change=changed&limit=2')).toEqual(['C', 'B']);
    const { next_cursor: cursor } = (
      await owner.call('GET', `/projects/${id}/audit-entries?subject=project&change=changed&limit=2`)
    ).body;
    expect(await names(`change=changed&limit=2&cursor=${cursor}`)).toEqual(['A']);
    expect(await names(`actor=${owner.email.toUpperCase()}`)).toEqual(['C', 'B', 'A']);
    expect(await names('actor=%25')).toEqual([]);
    expect(await names('to=2020-01-01')).toEqual([]);
    const file = await owner.call('GET', `/projects/${id}/audit-entries/export?subject=project`);
    expect(file.headers).toMatchObject({ 'content-disposition': 'attachment; filename="c-audit-log.csv"' });
    const lines = file.text.trim().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^id,occurred_at,project_id,actor_type/);
    expect(lines.at(-1)).toContain("'=Formula()");
  });
});

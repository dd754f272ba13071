import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { BusModule } from '#libs/bus';
import { CacheModule } from '#libs/cache';
import { CONSOLE_INTERFACE, createBatchId, createVisitId, type EnrichedVisit, type VisitKind } from '#libs/contracts';
import { DatabaseModule, SecretBox } from '#libs/database';
import { createHttpApp, PlatformModule } from '#libs/platform';
import { BootstrapRepository } from '../../apps/console/src/bootstrap.repository.js';
import { ConsoleModule } from '../../apps/console/src/console.module.js';
import { toVisitRow } from '../../apps/ingest/src/steps/visit-row.step.js';
import { agentId, CatalogClientModule, RulesClientModule } from '#libs/catalog';
import { toDayNumber, PartitionsRepository, VisitsRepository, VisitStoreModule } from '#libs/visit-store';
import { startTestDatabase, type TestDatabase } from '../kit/database.js';
import { testVisitStore } from '../kit/clickhouse.js';
import { createRepository } from '../kit/visit-store.js';

const NOW = Date.now();
const MINUTE_MS = 60_000;

/** Operations that a project-scoped key can't call for any project. */
const ADMIN_OPERATIONS = new Set([
  'createProject',
  'removeProject',
  'getDemo',
  'loadDemo',
  'createSetupCode',
  'changePassword',
  'confirmSession',
  'listAuditEntries',
  'exportAuditEntries',
  'listUnknownTokenRequests',
  'getSystem',
  'changeRetention',
  'replaceStatementKey',
  'getRetention',
  'getMailServer',
  'changeMailServer',
  'testMailServer',
  'removeMailServer',
  'deleteVisits',
  'listUsers',
  'changeUser',
  'removeUser',
  'createPasswordReset',
  'removeSecondFactor',
  'removePasskeys',
]);
/** Operations that list the resources that the key can access, or that don't belong to a project. */
const LIST_OPERATIONS = new Set(['listProjects', 'listProjectSummaries', 'listDeadLetters', 'getPipeline']);

interface VisitOptions {
  minutesAgo?: number;
  path?: string;
  address?: string;
  status?: number;
  agent?: string;
  type?: string;
  operator?: string;
  tool?: string;
  kind?: VisitKind;
}

let database: TestDatabase;
let app: NestFastifyApplication;
let admin: string;
let projectId: string;
/** Registered routes, such as `GET /api/projects`. */
const routes: string[] = [];

beforeAll(async () => {
  database = await startTestDatabase();
  const logger = pino({ level: 'silent' });
  app = await createHttpApp(
    {
      module: class Root {},
      imports: [
        PlatformModule.forRoot(logger),
        DatabaseModule.forRoot({ url: database.url, hasReadPool: true }),
        BusModule.forRoot(),
        CacheModule.forRoot(),
        VisitStoreModule.forRoot(testVisitStore(database.dataSource)),
        ConsoleModule.forRoot({
          hasQueue: false,
          secretKey: SecretBox.generateKey(),
          publicUrl: 'http://127.0.0.1',
          settings: { ROBOTS_REFRESH_HOURS: 0 },
        }),
        // Nothing listens on this port. Tests that start all services cover the catalog operations.
        CatalogClientModule.forRoot({ url: 'http://127.0.0.1:9', secret: 'nobody-listens-to-this-one' }),
        RulesClientModule.forRoot({ url: 'http://127.0.0.1:9', secret: 'nobody-listens-to-this-one' }),
      ],
    },
    logger,
  );
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) if (name !== 'HEAD') routes.push(`${name} ${url}`);
    });
  await app.init();
  const served = routes.length;
  app.getHttpAdapter().getInstance().rejectOtherMethods();
  // Drop the 405 routes, because they aren't operations.
  routes.splice(served);
  await app.getHttpAdapter().getInstance().ready();
  admin = (await app.get(BootstrapRepository).bootstrap({})).apiKey!;
  projectId = (await call('GET', '/projects')).body.projects[0].id as string;
  await (await createRepository(database.dataSource, PartitionsRepository)).ensure([toDayNumber(NOW)]);
});
afterAll(async () => {
  await app.close();
  await database.stop();
});

type Json = ReturnType<typeof JSON.parse>;

async function call(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  { key = admin, body }: { key?: string; body?: unknown } = {},
): Promise<{ status: number; body: Json }> {
  const response = await app.inject({
    method,
    url: `/api${path}`,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  return { status: response.statusCode, body: response.body === '' ? null : JSON.parse(response.body) };
}

async function store(project: string, visits: VisitOptions[]): Promise<void> {
  const batch = createBatchId(NOW);
  const rows = visits.map((options, index) => {
    const visit: EnrichedVisit = {
      id: createVisitId(batch, index),
      project_id: project,
      received_at: new Date(NOW).toISOString(),
      occurred_at: new Date(NOW - (options.minutesAgo ?? 0) * MINUTE_MS).toISOString(),
      client_address: options.address ?? null,
      visit: {
        request_path: options.path ?? '/',
        request_method: 'GET',
        request_headers: {},
        response_status_code: options.status ?? 200,
        ...(options.tool && { mcp_request_tool_name: options.tool }),
        ...(options.kind === 'acp' && { acp_response_body: {} }),
        ...(options.kind === 'ucp' && { ucp_response_body: {} }),
      },
      identification: {
        result: options.agent ? 'not_verifiable' : 'unknown_agent',
        agent_id: options.agent ? agentId(options.agent) : null,
        agent_token: options.agent ?? null,
        agent_url: null,
        agent_type_name: options.type ?? null,
        operator_name: options.operator ?? null,
        method: null,
        reason: null,
        evidence: {},
        catalog_version: 'v',
      },
    };
    const result = toVisitRow(visit, NOW, { days: 90, unknownDays: 90 });
    if (!result.ok) throw new Error(JSON.stringify(result));
    return result.value;
  });
  await (await createRepository(database.dataSource, VisitsRepository)).store(rows);
}

const newProject = async (name: string): Promise<string> =>
  (await call('POST', '/projects', { body: { name } })).body.id as string;
const getVisitPaths = (body: Json): string[] => body.visits.map((visit: EnrichedVisit) => visit.visit.request_path);

describe('paging', () => {
  it('pages forward and back through all visits, even those with identical times', async () => {
    const project = await newProject('Paged');
    await store(
      project,
      Array.from({ length: 25 }, (_, index) => ({ path: `/${index}`, minutesAgo: Math.floor(index / 10) })),
    );
    const all = getVisitPaths((await call('GET', `/projects/${project}/visits`)).body);
    expect(all).toHaveLength(25);

    const forwardPages: string[][] = [];
    let page = (await call('GET', `/projects/${project}/visits?limit=4`)).body;
    for (;;) {
      forwardPages.push(getVisitPaths(page));
      if (page.next_cursor === null) break;
      page = (await call('GET', `/projects/${project}/visits?limit=4&cursor=${page.next_cursor}`)).body;
    }
    expect(forwardPages.flat()).toEqual(all);
    const backwardPages: string[][] = [forwardPages.at(-1)!];
    for (;;) {
      page = (await call('GET', `/projects/${project}/visits?limit=4&cursor=${page.previous_cursor}`)).body;
      if (page.visits.length === 0) break;
      backwardPages.unshift(getVisitPaths(page));
    }
    expect(backwardPages.flat()).toEqual(all);
    // The cursors of an empty page lead to both existing and newer visits.
    expect(
      getVisitPaths((await call('GET', `/projects/${project}/visits?limit=4&cursor=${page.next_cursor}`)).body),
    ).toEqual(forwardPages[0]);
    await store(project, [{ path: '/later', minutesAgo: -1 }]);
    const later = (await call('GET', `/projects/${project}/visits?cursor=${page.previous_cursor}`)).body;
    expect(getVisitPaths(later)).toEqual(['/later']);
  });

  it('returns a single visit by ID, but only within its own project', async () => {
    const project = (await call('POST', '/projects', { body: { name: 'One visit' } })).body.id as string;
    await store(project, [{ path: '/linked' }]);
    const [listed] = (await call('GET', `/projects/${project}/visits`)).body.visits;
    const { status, body } = await call('GET', `/projects/${project}/visits/${listed.id}`);
    expect([status, body]).toEqual([200, listed]);
    for (const path of [`/projects/${projectId}/visits/${listed.id}`, `/projects/${project}/visits/none`]) {
      expect([path, (await call('GET', path)).status]).toEqual([path, 404]);
    }
  });

  it('rejects invalid query parameters with a pointer to the parameter', async () => {
    for (const [query, pointer] of [
      ['limit=0', '/limit'],
      ['limit=1001', '/limit'],
      ['limit=x', '/limit'],
      ['from=yesterday', '/from'],
      ['to=2026-13-01', '/to'],
      ['status=4xy', '/status'],
      ['type=Robot', '/type'],
      ['result=maybe', '/result'],
      ['kind=page&kind=video', '/kind'],
      ['address=192.0.2.0/33', '/address'],
      ['address=shop', '/address'],
      ['address=fe80::1%25eth0', '/address'],
      ['cursor=Zm9v', '/cursor'],
      ['cursor=%00', '/cursor'],
      ['color=red', '/color'],
    ]) {
      const { status, body } = await call('GET', `/projects/${projectId}/visits?${query}`);
      expect([query, status, body.errors?.[0]?.pointer]).toEqual([query, 422, pointer]);
    }
  });
});

describe('filters', () => {
  let project: string;

  beforeAll(async () => {
    project = await newProject('Filtered');
    await store(project, [
      { path: '/a/1', agent: 'Googlebot', type: 'Search Engine Crawler', operator: 'Google', status: 200 },
      { path: '/a/2', agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI', status: 404 },
      { path: '/b/100%', status: 503, minutesAgo: 60, address: '192.0.2.7' },
      { path: '/b_c', tool: 'search', minutesAgo: 120, address: '2001:db8:1::5' },
      { path: '/shop', kind: 'acp', agent: 'Headless', type: 'Automated Agent' },
      { path: '/shop/2?size=m', kind: 'ucp', tool: 'buy', address: '192.0.2.8' },
    ]);
  });

  const minutesAgo = (minutes: number): string => encodeURIComponent(new Date(NOW - minutes * MINUTE_MS).toISOString());

  it.each([
    ['agent=Googlebot', ['/a/1']],
    ['agent=gptbot', ['/a/2']],
    [`agent=${agentId('GPTBot')}`, ['/a/2']],
    ['agent=GPTBot&agent=Googlebot', ['/a/2', '/a/1']],
    ['type=AI%20Data%20Scraper', ['/a/2']],
    ['type=Headless%20Agent', ['/shop']],
    ['operator=OpenAI', ['/a/2']],
    ['result=not_verifiable', ['/shop', '/a/2', '/a/1']],
    ['path=/a/', ['/a/2', '/a/1']],
    ['path=/b_', ['/b_c']],
    ['path=/b/100%25', ['/b/100%']],
    ['page=/shop/2', ['/shop/2?size=m']],
    ['page=/shop&page=/a/1', ['/shop', '/a/1']],
    ['page=/sho', []],
    ['address=192.0.2.7', ['/b/100%']],
    ['address=192.0.2.0/24', ['/shop/2?size=m', '/b/100%']],
    ['address=2001:db8:1::/48&address=192.0.2.7', ['/b/100%', '/b_c']],
    ['status=404', ['/a/2']],
    ['status=4xx&status=5XX', ['/a/2', '/b/100%']],
    ['mcp_tool=search', ['/b_c']],
    ['kind=mcp', ['/shop/2?size=m', '/b_c']],
    ['kind=ucp', ['/shop/2?size=m']],
    ['kind=acp&kind=ucp', ['/shop/2?size=m', '/shop']],
    ['kind=page', ['/a/2', '/a/1', '/b/100%']],
    [`from=${minutesAgo(60)}`, ['/shop/2?size=m', '/shop', '/a/2', '/a/1', '/b/100%']],
    [`to=${minutesAgo(60)}`, ['/b_c']],
    ['agent=Nobody', []],
    ['agent=', ['/shop/2?size=m', '/shop', '/a/2', '/a/1', '/b/100%', '/b_c']],
    ['agent=GPTBot&status=200', []],
  ])('returns the visits that match %s', async (query, expected) => {
    const { status, body } = await call('GET', `/projects/${project}/visits?${query.replaceAll(' ', '%20')}`);
    expect(status).toBe(200);
    expect(getVisitPaths(body)).toEqual(expected);
  });
});

describe('access', () => {
  it('hides other projects from a project-scoped key in every operation', async () => {
    const [ours, theirs] = [await newProject('Ours'), await newProject('Theirs')];
    await store(theirs, [{ path: '/secret' }]);
    const [visit] = (await call('GET', `/projects/${theirs}/visits`)).body.visits;
    const { body: token } = await call('POST', `/projects/${theirs}/tokens`, { body: {} });
    const { body: foreignKey } = await call('POST', '/api-keys', { body: { project_ids: [theirs] } });
    const { body: key } = await call('POST', '/api-keys', { body: { project_ids: [ours] } });
    const bodies: Record<string, unknown> = {
      createProject: { name: 'x' },
      changeProject: { name: 'taken over' },
      createToken: {},
      createApiKey: {},
      replayDeadLetters: { ids: [token.id] },
    };
    // Agents don't belong to a project. Tests that start all services cover the operations on them.
    const operations = CONSOLE_INTERFACE.operations.filter(
      ({ tag, access }) => !['Catalog', 'Agent feeds'].includes(tag) && access !== 'public',
    );
    for (const { id, method, path } of operations) {
      const isAboutApiKeys = path.startsWith('/api/api-keys') || path.startsWith('/api/account');
      const url = path
        .replace('/api', '')
        .replace('{id}', isAboutApiKeys ? foreignKey.id : path.includes('dead-letters') ? token.id : theirs)
        .replace('{visitId}', visit.id)
        .replace(/\{\w+\}/, token.id);
      const name = method.toUpperCase() as 'GET';
      const { status, body } = await call(name, url, {
        key: key.key,
        body: bodies[id] ?? (method === 'get' || method === 'delete' ? undefined : {}),
      });
      const seen = JSON.stringify(body);
      if (LIST_OPERATIONS.has(id)) expect([id, status]).toEqual([id, 200]);
      else expect([id, status]).toEqual([id, isAboutApiKeys || ADMIN_OPERATIONS.has(id) ? 403 : 404]);
      expect([id, seen.includes('secret'), seen.includes(theirs)]).toEqual([id, false, false]);
    }
    expect((await call('GET', `/projects/${theirs}`)).body.name).toBe('Theirs');
    expect((await call('GET', `/projects/${theirs}/tokens/${token.id}`)).body.revoked_at).toBeNull();
  });

  it('documents every route and serves every documented operation', async () => {
    const documented = new Set<string>();
    for (const { method, path } of CONSOLE_INTERFACE.operations) {
      const url = path.replace(/\{(\w+)\}/g, ':$1');
      const route = `${method.toUpperCase()} ${url}`;
      documented.add(route);
      expect(routes).toContain(route);
    }
    expect(routes.filter((route) => route.includes(' /api') && !documented.has(route))).toEqual([]);
  });

  it('protects the last admin key, and returns keys only on creation', async () => {
    const { body } = await call('GET', '/api-keys');
    const admins = body.api_keys.filter((item: Json) => item.project_ids === null && item.revoked_at === null);
    expect(admins).toHaveLength(1);
    expect((await call('DELETE', `/api-keys/${admins[0].id}`)).status).toBe(409);
    expect(JSON.stringify(body)).not.toContain('agk_');
    const { body: second } = await call('POST', '/api-keys', { body: { name: 'Second' } });
    expect(second.key).toMatch(/^agk_/);
    expect((await call('DELETE', `/api-keys/${second.id}`)).status).toBe(204);
    expect((await call('DELETE', `/api-keys/${second.id}`)).status).toBe(204);
    expect((await call('POST', '/api-keys', { body: { project_ids: [second.id] } })).status).toBe(422);
  });

  it('checks the route, method, key, media type, JSON syntax, and body, in this order', async () => {
    const inject = async (options: object) =>
      (await app.inject({ method: 'POST', url: '/api/projects', ...options })).statusCode;
    const authorization = `Bearer ${admin}`;
    const json = 'application/json';
    expect(await inject({ url: '/api/nothing' })).toBe(404);
    expect(await inject({ method: 'PUT' })).toBe(405);
    expect(await inject({ payload: '{', headers: { 'content-type': 'text/plain' } })).toBe(401);
    expect(await inject({ payload: '{', headers: { authorization, 'content-type': 'text/plain' } })).toBe(415);
    expect(await inject({ payload: '{', headers: { authorization, 'content-type': json } })).toBe(400);
    expect(await inject({ payload: '{}', headers: { authorization, 'content-type': json } })).toBe(422);
  });
});

describe('projects', () => {
  it('normalizes and stores project settings', async () => {
    const settings = {
      name: 'Site',
      site_address: 'https://Example.com',
      host_names: ['WWW.Example.com', 'example.com:8443'],
      time_zone: 'Europe/Berlin',
      trusted_proxies: { hops: 2, ranges: ['203.0.113.0/24'] },
      redacted_headers: ['X-Member'],
      unredacted_headers: ['x-cache-token'],
      price_per_gb: 0.085,
      price_per_server_hour: 0,
      currency: 'EUR',
      path_patterns: [{ name: 'Documentation', pattern: '/docs/*' }],
    };
    const { status, body } = await call('POST', '/projects', { body: settings });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...settings, host_names: ['www.example.com', 'example.com:8443'] });
    const changed = await call('PATCH', `/projects/${body.id}`, { body: { name: 'Other', site_address: null } });
    expect(changed.body).toMatchObject({ ...body, name: 'Other', site_address: null });
  });

  it.each([
    [{}, '/name'],
    [{ name: '' }, '/name'],
    [{ name: 'x', color: 'red' }, '/color'],
    [{ name: 'x', time_zone: 'Mars/Olympus' }, '/time_zone'],
    [{ name: 'x', site_address: 'javascript:alert(1)' }, '/site_address'],
    [{ name: 'x', site_address: 'not an address' }, '/site_address'],
    [{ name: 'x', host_names: ['exa mple'] }, '/host_names/0'],
    [{ name: 'x', trusted_proxies: { ranges: ['10.0.0.0/33'] } }, '/trusted_proxies/ranges/0'],
    [{ name: 'x', trusted_proxies: { hops: 0 } }, '/trusted_proxies/hops'],
    [{ name: 'x', redacted_headers: ['a b'] }, '/redacted_headers/0'],
    [{ name: 'x', price_per_gb: -1 }, '/price_per_gb'],
    [{ name: 'x', price_per_server_hour: '2.50' }, '/price_per_server_hour'],
    [{ name: 'x', price_per_server_hour: 10_000_001 }, '/price_per_server_hour'],
    [{ name: 'x', currency: 'EURO' }, '/currency'],
    [{ name: 'x', currency: 'XQZ' }, '/currency'],
    [{ name: 'x', path_patterns: [{ name: 'a', pattern: '/docs/' }] }, '/path_patterns/0/pattern'],
    [{ name: 'x', path_patterns: [{ name: 'a', pattern: '/******' }] }, '/path_patterns/0/pattern'],
    [
      {
        name: 'x',
        path_patterns: [
          { name: 'a', pattern: '/a/*' },
          { name: 'b', pattern: '/a/*' },
        ],
      },
      '/path_patterns/1/pattern',
    ],
  ])('rejects a project with %j', async (body, pointer) => {
    const response = await call('POST', '/projects', { body });
    expect([response.status, response.body.errors?.[0]?.pointer]).toEqual([422, pointer]);
  });

  it('supports multiple tokens that can be revealed and revoked', async () => {
    const id = await newProject('Tokens');
    const { body: one } = await call('POST', `/projects/${id}/tokens`, { body: { name: 'One' } });
    const { body: two } = await call('POST', `/projects/${id}/tokens`, { body: {} });
    expect((await call('GET', `/projects/${id}/tokens/${one.id}`)).body.token).toBe(one.token);
    expect((await call('DELETE', `/projects/${id}/tokens/${two.id}`)).status).toBe(204);
    const { body } = await call('GET', `/projects/${id}/tokens`);
    expect(body.tokens.map((token: Json) => [token.name, token.revoked_at === null])).toEqual([
      ['One', true],
      ['Access token', false],
    ]);
    const [row] = (await database.dataSource.query(`SELECT encrypted FROM access_tokens WHERE id = $1`, [
      one.id,
    ])) as Json[];
    expect((row.encrypted as Buffer).includes(one.token)).toBe(false);
  });
});

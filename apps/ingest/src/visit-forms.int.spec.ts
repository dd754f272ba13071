import { getFirstIdAt, createBatchId, createVisitId, type EnrichedVisit } from '#libs/contracts';
import { InMemoryPubSub } from '#libs/cache';
import {
  toDayNumber,
  PartitionsRepository,
  VisitFormsRepository,
  type VisitRow,
  VisitsRepository,
} from '#libs/visit-store';
import { pino } from 'pino';
import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { enrichedEvent } from '../../../test/kit/enriched-event.js';
import { UNKNOWN_AGENT } from '../../../test/kit/unknown-agent.js';
import { IngestPipeline } from './ingest.pipeline.js';
import { toVisitRow } from './steps/visit-row.step.js';

const PROJECT = '019a0000-0000-7000-8000-000000000001';
const DAY_MS = 86_400_000;
const NOW = Date.now();
const ADDRESS = '192.0.2.7';

const unknownAgent = {
  ...UNKNOWN_AGENT,
  evidence: { client_address_source: null, client_address_reason: 'connection_peer', steps: [] },
};
const agent = (extra: object, ...steps: object[]) => ({
  ...unknownAgent,
  agent_id: '3c00155e-c06b-5ee8-a7c8-57e6328803d2',
  agent_token: 'Googlebot',
  agent_url: 'https://example.com/100%',
  agent_type_name: 'Search Engine Crawler',
  operator_name: 'Google',
  ...extra,
  evidence: { user_agent_match: 'Googlebot/2.1', user_agent_token: 'Googlebot', ...unknownAgent.evidence, steps },
});
const createVerified = (method: string, ...steps: object[]) =>
  agent({ result: 'verified', method, reason: 'ok' }, ...steps);
const SIGNATURE = {
  method: 'http_message_signature',
  outcome: 'passed',
  reason: 'ok',
  label: 'sig%1$s',
  key_id: 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  algorithm: 'ed25519',
  signature_agent: '"https://example.com"',
  directory_url: 'https://example.com/.well-known/http-message-signatures-directory',
  agent_token: 'Googlebot',
  created: '2026-11-22T12:10:42.000Z',
  expires: null,
  covered_components: ['@authority', 'signature-agent'],
};
const IP_RANGE = {
  method: 'ip_range',
  outcome: 'failed',
  reason: 'outside',
  range: null,
  list_url: 'https://example.com/ips.json',
  as_of: '2026-11-22T12:00:00.000Z',
};
const REVERSE_DNS = {
  method: 'reverse_dns',
  outcome: 'passed',
  reason: 'ok',
  host_names: ['crawl-1.example.com', 'x'],
  confirmed_host_name: 'crawl-1.example.com',
};

const batch = createBatchId(NOW);
let index = 0;
const visit = (members: object = {}, extra: object = {}) => ({
  id: createVisitId(batch, index++),
  project_id: PROJECT,
  received_at: new Date(NOW).toISOString(),
  occurred_at: new Date(NOW - 1_001).toISOString(),
  client_address: ADDRESS,
  visit: {
    request_path: '/a?b=1',
    request_method: 'GET',
    request_headers: { 'user-agent': 'Mozilla/5.0 (50%)', 'x-forwarded-for': ADDRESS },
    response_status_code: 200,
    response_duration_in_milliseconds: 12.5,
    ...members,
  },
  identification: unknownAgent,
  ...extra,
});

const createFields = (count: number, length: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`name-${number}`, 'x'.repeat(length)]));
const UNUSUAL_TEXT = 'a"b\\c\td\r\ne\u0001\u007f\u2028é日😀%s %1$s %% \\u0000';

const VISITS: [name: string, published: object][] = [
  ['by an unknown visitor', visit()],
  ['verified by a signature', visit({}, { identification: createVerified('http_message_signature', SIGNATURE) })],
  [
    'verified by IP address',
    visit(
      {},
      { identification: createVerified('ip_range', { ...IP_RANGE, range: '192.0.2.0/24', outcome: 'passed' }) },
    ),
  ],
  ['verified by reverse DNS', visit({}, { identification: createVerified('reverse_dns', IP_RANGE, REVERSE_DNS) })],
  [
    'that failed verification',
    visit({}, { identification: agent({ result: 'verification_failed', method: 'ip_range' }, IP_RANGE) }),
  ],
  [
    'with a method from a later release',
    visit({}, { identification: agent({}, { method: 'x', y: [1, { z: null }] }) }),
  ],
  ['without evidence', visit({}, { identification: { ...unknownAgent, evidence: {} } })],
  ['that is a test', visit({ request_path: '/?agent-traffic-test=0123456789abcdef' })],
  [
    'with an MCP tool call',
    visit({
      mcp_request_method: 'tools/call',
      mcp_request_tool_name: UNUSUAL_TEXT,
      mcp_response_result_is_error: false,
      ucp_response_body: { a: [1, { b: null }] },
    }),
  ],
  [
    'with a size in bytes',
    visit({ response_size_in_bytes: 1_000_000_000, response_size_type: 'sent', response_cache: 'hit' }),
  ],
  ['with a large size', visit({ response_duration_in_milliseconds: 1e-300, response_size_in_bytes: 2 ** 53 - 1 })],
  ['with an MCP error and no tool', visit({ mcp_request_tool_name: null, mcp_response_error_code: -32_601 })],
  [
    'disallowed by robots.txt',
    visit(
      {},
      {
        identification: agent({}),
        robots: { verdict: 'disallowed', version: '019a0000-0000-7000-8000-00000000000a', line: 12 },
      },
    ),
  ],
  [
    'referred by an assistant',
    visit(
      {},
      {
        referral: { assistant: 'ChatGPT', operator: 'OpenAI', source: 'utm_source', value: UNUSUAL_TEXT },
        automation: { verdict: 'unlikely', signs: [] },
      },
    ),
  ],
  ['by a likely program', visit({}, { automation: { verdict: 'likely', signs: ['http_library', 'x'] } })],
  ['without a status', visit({ response_status_code: undefined, response_headers: null })],
  ['with a null status', visit({ response_status_code: null, response_headers: {} })],
  ...[0, 404.25, 1e15, 1e21, 2 ** 53].map((status): [string, object] => [
    `with status ${status}`,
    visit({ response_status_code: status }),
  ]),
  ['without an address', visit({ client_address: null }, { client_address: null })],
  ['with an IPv6 address', visit({ client_address: '2001:db8::7' }, { client_address: '2001:db8::7' })],
  [
    'with unusual characters',
    visit({
      request_path: `/${UNUSUAL_TEXT}`,
      request_method: UNUSUAL_TEXT,
      request_headers: {
        [UNUSUAL_TEXT]: UNUSUAL_TEXT,
        '': '',
        ['__proto__']: 'y',
        a: [1, null, UNUSUAL_TEXT],
        b: null,
        c: 1e-7,
        d: true,
      },
      [UNUSUAL_TEXT]: UNUSUAL_TEXT,
    }),
  ],
  ['with custom fields', visit({ note: { deep: [[[{}]]] }, list: [], '7': 1, flag: true })],
  ['from before 1970', visit({}, { occurred_at: '1815-12-10T00:00:00.123Z' })],
  ['with another time format', visit({}, { occurred_at: '2026-11-21T08:30:00Z' })],
  ['with another receipt time', visit({}, { received_at: '2026-11-21T08:30:00.000Z' })],
  [
    'with uppercase IDs',
    { ...visit(), project_id: PROJECT.toUpperCase(), id: createVisitId(batch, index++).toUpperCase() },
  ],
  ['from a later release', visit({}, { something_new: { a: 1 } })],
  ['with large values', visit({ request_headers: createFields(100, 4_000) })],
  ['with many names', visit({ request_headers: createFields(2_000, 1) })],
  ['with a long name', visit({ ['x'.repeat(200_000)]: 1 })],
];

let database: TestDatabase;
let forms: VisitFormsRepository;
let pipeline: IngestPipeline;

beforeAll(async () => {
  database = await startTestDatabase();
  forms = new VisitFormsRepository(database.dataSource);
  const visits = new VisitsRepository(database.dataSource, forms);
  const partitions = new PartitionsRepository(database.dataSource);
  pipeline = new IngestPipeline(
    visits,
    partitions,
    new InMemoryPubSub(),
    { days: 90, unknownDays: 90 },
    pino({ level: 'silent' }),
  );
});
afterAll(() => database.stop());
afterEach(() => database.dataSource.query('TRUNCATE visits, unknown_visits, visit_counts'));

const query = <T>(text: string, parameters?: unknown[]): Promise<T[]> =>
  database.dataSource.query(text, parameters) as Promise<T[]>;
const store = async (...published: object[]): Promise<void> => {
  expect(await pipeline.run(published.map(enrichedEvent))).toEqual(published.map(() => ({ kind: 'ok' })));
};
const stored = async (): Promise<{ document: string; form: number | null; clientAddress: string | null }[]> =>
  query(`SELECT f.document::text AS document, f.client_address AS "clientAddress", v.form
         FROM visits_full f JOIN (SELECT id, form FROM visits UNION ALL SELECT id, form FROM unknown_visits WHERE project_id IS NOT NULL) v USING (id)
         ORDER BY f.position`);

const toRow = (published: object): VisitRow => {
  const row = toVisitRow(published as EnrichedVisit, NOW + DAY_MS, { days: 90, unknownDays: 90 });
  if (!row.ok) throw new Error(JSON.stringify(row));
  return row.value;
};

describe('visits_full view', () => {
  it.each(VISITS)('returns the published document unchanged: visit %s', async (_name, published) => {
    await store(published);
    const [row] = await stored();
    expect(row!.document).toBe(JSON.stringify(published));
    expect(row!.clientAddress).toBe((published as { client_address: string | null }).client_address);
  });

  it('returns all documents unchanged when they were stored in one batch', async () => {
    await store(...VISITS.map(([, published]) => published));
    expect((await stored()).map(({ document }) => document)).toEqual(
      VISITS.map(([, published]) => JSON.stringify(published)),
    );
  });

  it("returns U+FFFD instead of characters that PostgreSQL can't store", async () => {
    const createVisit = (character: string) => ({
      ...VISITS[0]![1],
      visit: {
        request_path: `/${character}`,
        request_method: 'GET',
        request_headers: { [`a${character}`]: [character] },
        mcp_request_tool_name: character,
        note: { [character]: character },
      },
      identification: { ...unknownAgent, agent_token: character },
    });
    for (const character of ['\0', '\ud800', '\udfff']) {
      await store(createVisit(character));
      expect((await stored())[0]!.document).toBe(JSON.stringify(createVisit('\ufffd')));
      await query('TRUNCATE visits, unknown_visits');
    }
  });

  it('reads a visit without a form from its complete document', async () => {
    await store(visit());
    const document = JSON.stringify(visit());
    await query(
      `INSERT INTO unknown_visits (id, project_id, occurred_at, position, path, kinds, document)
       VALUES ($1, $2, now(), 99, '/', 1, $3)`,
      [createVisitId(batch, index++), PROJECT, document],
    );
    expect((await stored())[1]).toEqual({ document, form: null, clientAddress: ADDRESS });
  });
});

describe('VisitFormsRepository', () => {
  it.each([
    ['is missing', 'TRUNCATE visit_forms'],
    ['has been replaced', "UPDATE visit_forms SET digest = decode(md5(template), 'hex'), template = '{}'"],
  ])('stores a form again if it %s in the database', async (_what, change) => {
    const [before, after] = [visit(), visit()];
    await store(before);
    await query('TRUNCATE visits, unknown_visits');
    await query(change);
    await store(after);
    expect(await stored()).toMatchObject([{ document: JSON.stringify(after), form: expect.any(Number) }]);
    const [{ counted }] = (await query('SELECT sum(visits)::int AS counted FROM visit_counts')) as [
      { counted: number },
    ];
    expect(counted).toBe(2);
  });

  it('stores each form only once', async () => {
    await store(visit(), visit({ request_path: '/b', request_headers: { 'user-agent': 'x', 'x-forwarded-for': 'y' } }));
    await store(visit({ response_status_code: 404 }, { client_address: 'z' }));
    const ids = (await stored()).map(({ form }) => form);
    expect(ids[0]).toEqual(expect.any(Number));
    // In the second visit, the address in the header isn't the client address, so its form is different.
    expect(ids[1]).not.toBe(ids[0]);
    await store(visit());
    expect((await stored())[3]!.form).toBe(ids[0]);
  });

  it('assigns the same forms in every process', async () => {
    const processes = [1, 2, 3].map(() => new VisitFormsRepository(database.dataSource));
    const rows = Array.from({ length: 50 }, (_, number) => toRow(visit({ [`field ${number}`]: 1 })));
    const [first, ...others] = await Promise.all(
      processes.map(async (repository, turn) =>
        turn % 2 ? (await repository.divide(rows.toReversed())).toReversed() : repository.divide(rows),
      ),
    );
    expect(new Set(first!.map(({ form }) => form)).size).toBe(50);
    for (const other of others) expect(other).toEqual(first);
  });

  it('stores complete documents once the form limit is reached', async () => {
    const repository = new VisitFormsRepository(database.dataSource);
    const rows = Array.from({ length: 300 }, (_, number) =>
      toRow(visit({ [`field ${number} ${'x'.repeat(90_000)}`]: null })),
    );
    const divided = await repository.divide(rows);
    expect(divided[0]!.form).not.toBeNull();
    expect(divided.at(-1)).toEqual({ form: null, text: JSON.stringify(rows.at(-1)!.document) });
    const tomorrow = toRow(visit({}, { id: createVisitId(createBatchId(NOW + DAY_MS), 0) }));
    expect((await repository.divide([tomorrow]))[0]!.form).not.toBeNull();
  });

  it('retains a visit form as long as any visit that uses it', async () => {
    const repository = new VisitFormsRepository(database.dataSource);
    const divide = async (daysAgo: number) => {
      const [row] = await repository.divide([
        toRow(visit({ kept: null }, { id: createVisitId(createBatchId(NOW - daysAgo * DAY_MS), 0) })),
      ]);
      return row!.form;
    };
    const exists = async () => (await query(`SELECT FROM visit_forms WHERE template LIKE '%"kept"%'`)).length;
    await divide(9);
    await divide(5);
    await divide(7);
    await repository.deleteBefore(toDayNumber(NOW) - 5);
    expect(await exists()).toBe(1);
    await repository.deleteBefore(toDayNumber(NOW) - 4);
    expect(await exists()).toBe(0);
  });
});

/** Descending indexes that partitions store in ascending order. */
const DESCENDING_INDEXES = new Set([
  'btree (project_id, occurred_at DESC, id DESC)',
  'btree (project_id, agent_id, occurred_at DESC, id DESC) WHERE (agent_id IS NOT NULL)',
  'btree (project_id, occurred_at DESC, id DESC) WHERE (project_id IS NOT NULL)',
  'btree (project_id, user_agent_group, occurred_at DESC, id DESC) WHERE (user_agent_group IS NOT NULL)',
]);

it.each(['visits', 'unknown_visits'])('creates partitions with exactly one copy of each index on %s', async (table) => {
  const id = getFirstIdAt(NOW - 3 * DAY_MS);
  await store(visit({}, { id }));
  const day = new Date(NOW - 3 * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
  const definitions = (relation: string) =>
    query<{ definition: string }>(
      `SELECT regexp_replace(pg_get_indexdef(indexrelid), '^.* USING ', '') AS definition
       FROM pg_index WHERE indrelid = '${relation}'::regclass ORDER BY 1`,
    );
  const actual = await definitions(`${table}_${day}`);
  const expected = await definitions(table);
  const ascending = expected.map(({ definition }) =>
    DESCENDING_INDEXES.has(definition) ? definition.replaceAll(' DESC', '') : definition,
  );
  expect(actual.map(({ definition }) => definition).toSorted()).toEqual(ascending.toSorted());
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EnrichedVisit, VisitChange } from '#libs/contracts';
import { createEnrichedMessages } from '../kit/enriched-messages.js';
import { createBundledIdentifier, UNAVAILABLE_SOURCES } from '../kit/identifier.js';
import { runInClickHouse } from './run-in-clickhouse.js';

const read = async (file: string): Promise<string[]> => {
  const text = await readFile(join(import.meta.dirname, '../../docs/consumers/clickhouse', file), 'utf8');
  return text.split(/;\n/).filter((statement) => statement.trim() !== '');
};
const ENGINE = /\)\nENGINE = Kafka\n[^;]*$/;
/** Replaces the Kafka engine and declares `_offset`, a virtual column in that engine. */
const NULL_ENGINE = ', _offset UInt64)\nENGINE = Null';
/**
 * Error from the Kafka engine, which has no threads to run on in this process. Its clause was parsed successfully if
 * this error occurs.
 */
const SHUTDOWN_ERROR = /Shutdown was called/;

const visit = (number: number, extra: object = {}) => ({
  request_path: `/articles/${number}`,
  request_method: 'GET',
  request_headers: {
    'User-Agent': ['Mozilla/5.0 (compatible; GPTBot/1.2)', 'somebody/1.0'][number % 2],
    'x-forwarded-for': `203.0.113.${number}`,
  },
  response_status_code: 200,
  ...extra,
});
const GOOGLE = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)', 'x-forwarded-for': '66.249.66.1' };
const BING = { 'user-agent': 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)' };
/** Resolves every address to a host name that doesn't belong to any agent. */
const dns = { ...UNAVAILABLE_SOURCES.dns, hostNames: () => ({ values: ['host.example.net'] }) };
const posted = [
  ...Array.from({ length: 10 }, (_, number) => visit(number)),
  visit(10, { request_headers: GOOGLE, created: '2026-01-02T03:04:05.678Z' }),
  visit(11, { request_path: '/a line\nand "größe" \\ \u001b[31m', response_status_code: null }),
  visit(12, { request_headers: { 'x-numbers': [1, 2], host: null }, unknown: { deep: [{}] } }),
  visit(13, { created: '1969-07-20T20:17:40Z' }),
  ...[404.5, 0, 99, 600, 70_000, 1e15, 1e-7].map((status) => visit(13, { response_status_code: status })),
  ...['203.0.113.9', '203.0.113.10', '2001:db8:1:2::3'].map((address) =>
    visit(14, { request_headers: { ...BING, 'x-forwarded-for': address } }),
  ),
];
/**
 * Extra fields for the first visits. Computing real values would require a robots.txt file and the list of assistants.
 */
const extraFields = [
  { robots: { verdict: 'disallowed', version: null, line: 3 } },
  { referral: { assistant: 'ChatGPT', operator: 'OpenAI', source: 'referer', value: 'chatgpt.com' } },
];
const visits = createEnrichedMessages(posted, createBundledIdentifier({ ...UNAVAILABLE_SOURCES, dns })).map(
  ({ value }, index) => ({
    ...(JSON.parse(value.toString()) as EnrichedVisit),
    ...(extraFields[index] as Partial<EnrichedVisit>),
  }),
);
const toClickHouseTime = (time: string): string => time.replace('T', ' ').replace('Z', '');

it("accepts the queue table's engine, settings, and columns", async () => {
  const [database, visitsTable, queue] = await read('tables.sql');
  const wrong = queue!.replace('kafka_num_consumers', 'kafka_number_of_consumers');
  const results = await runInClickHouse([database!, visitsTable!, wrong, queue!, 'SHOW TABLES FROM agent_traffic']);
  expect(results.map(({ error }) => error ?? '')).toEqual([
    '',
    '',
    expect.stringContaining("Unknown setting 'kafka_number_of_consumers': for storage Kafka"),
    expect.stringMatching(SHUTDOWN_ERROR),
    '',
  ]);
  expect(results.at(-1)!.rows).toEqual([{ name: 'visits' }, { name: 'visits_queue' }]);
});

it('stores each published visit exactly once', async () => {
  const tables = await read('tables.sql');
  expect(tables.filter((statement) => ENGINE.test(statement))).toHaveLength(2);
  const insert = `INSERT INTO agent_traffic.visits_queue FORMAT JSONEachRow\n`;
  const results = await runInClickHouse([
    // Inserted rows reach the materialized view just like rows read by the Kafka engine.
    ...tables.map((statement) => statement.replace(ENGINE, NULL_ENGINE)),
    insert + withOffsets(visits, 0),
    insert + withOffsets(visits.slice(3, 7).map(withFailedVerdict), 100),
    `SELECT * EXCEPT (version, is_erased) FROM agent_traffic.visits FINAL ORDER BY id`,
    ...(await read('queries.sql')),
  ]);
  expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
  const [stored, byDay, spoofs] = results.slice(-3).map(({ rows }) => rows!);
  const parsed = stored!.map((row) => ({
    ...row,
    visit: JSON.parse(row['visit'] as string) as unknown,
    evidence: JSON.parse(row['evidence'] as string) as unknown,
  }));
  expect(parsed).toEqual(visits.map(toExpectedRow));
  expect(byDay).toEqual([
    { day: '2026-01-02', agent_token: 'Googlebot', visits: 1, verified: 1 },
    expect.objectContaining({ agent_token: 'GPTBot', visits: 5, verified: 0 }),
    expect.objectContaining({ agent_token: 'bingbot', visits: 3, verified: 0 }),
  ]);
  expect(spoofs).toEqual([
    { agent_token: 'bingbot', network: '203.0.113.0', visits: 2 },
    { agent_token: 'bingbot', network: '2001:db8:1::', visits: 1 },
  ]);
});

const withOffsets = (rows: readonly object[], first: number): string =>
  rows.map((row, index) => JSON.stringify({ ...row, _offset: first + index })).join('\n');
const withFailedVerdict = (visit: EnrichedVisit): EnrichedVisit => ({
  ...visit,
  identification: { ...visit.identification, result: 'verification_failed' },
});

it('applies changes in any order and deletes erased visits', async () => {
  const tables = await read('tables.sql');
  const [reidentified, erased, other] = visits;
  const changeOf = (change: string, { id, ...visit }: EnrichedVisit, now: object = {}): VisitChange => ({
    id,
    changed_at: visit.received_at,
    change: change as VisitChange['change'],
    project_id: visit.project_id,
    visit_id: change === 'project_removed' ? null : id,
    received_at: change === 'project_removed' ? null : visit.received_at,
    occurred_at: change === 'project_removed' ? null : visit.occurred_at,
    ...now,
  });
  const changes = [
    changeOf('reidentified', reidentified!, { enriched_visit: reidentified }),
    changeOf('reidentified', reidentified!, { enriched_visit: withFailedVerdict(reidentified!) }),
    changeOf('erased', erased!),
    changeOf('project_removed', other!),
    changeOf('unheard_of', other!),
  ];
  const insertVisits = `INSERT INTO agent_traffic.visits_queue FORMAT JSONEachRow\n`;
  const insertChanges = `INSERT INTO agent_traffic.changes_queue FORMAT JSONEachRow\n`;
  for (const inserts of [
    [insertVisits + withOffsets(visits.slice(0, 3), 0), insertChanges + withOffsets(changes, 0)],
    [insertChanges + withOffsets(changes, 0), insertVisits + withOffsets(visits.slice(0, 3), 0)],
  ]) {
    const results = await runInClickHouse([
      ...tables.map((statement) => statement.replace(ENGINE, NULL_ENGINE)),
      ...inserts,
      'SELECT * EXCEPT (version, is_erased) FROM agent_traffic.visits FINAL ORDER BY id',
      'OPTIMIZE TABLE agent_traffic.visits FINAL CLEANUP',
      'SELECT count() AS rows FROM agent_traffic.visits',
    ]);
    expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
    const parsed = results.at(-3)!.rows!.map((row) => ({
      ...row,
      visit: JSON.parse(row['visit'] as string) as unknown,
      evidence: JSON.parse(row['evidence'] as string) as unknown,
    }));
    expect(parsed).toEqual([withFailedVerdict(reidentified!), other!].map(toExpectedRow));
    expect(results.at(-1)!.rows).toEqual([{ rows: 2 }]);
  }
});

function toExpectedRow({ identification, visit: posted, robots, referral, automation, ...event }: EnrichedVisit) {
  const { result, reason, method, agent_id, agent_token, agent_type_name, operator_name, catalog_version, evidence } =
    identification;
  const headers = Object.entries(posted.request_headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...event,
    received_at: toClickHouseTime(event.received_at),
    occurred_at: toClickHouseTime(event.occurred_at),
    path: posted.request_path,
    method: posted.request_method,
    user_agent: Object.fromEntries(headers)['user-agent'] ?? '',
    status: posted.response_status_code ?? null,
    result,
    reason,
    verification_method: method,
    agent_id,
    agent_token,
    agent_type: agent_type_name,
    operator: operator_name,
    catalog_version,
    robots_verdict: robots?.verdict ?? null,
    referral_assistant: referral?.assistant ?? null,
    automation_verdict: automation?.verdict ?? null,
    visit: posted,
    evidence,
  };
}

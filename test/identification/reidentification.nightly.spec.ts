import { Pool } from 'pg';
import type { Reidentification, ReidentificationReport } from '#libs/contracts';
import { BROWSER, Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { ExternalPostgres } from '../kit/external-postgres.js';
import { Instance, pause, until } from '../kit/instance.js';
import { Load } from '../kit/load.js';

/** Set `REIDENTIFIED_VISITS` to a lower number to try out the test. */
const VISITS = Number(process.env['REIDENTIFIED_VISITS'] ?? 1_000_000);
const PER_REQUEST = 200;
const SENDERS = 4;
/** Below the age at which current addresses stop refuting visits. */
const DAYS = 5;
const DAY_MS = 86_400_000;
const END = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const START = END - DAYS * DAY_MS;
const RANGE = { from: new Date(START).toISOString(), to: new Date(END).toISOString() };
/** Timeout in milliseconds for a pass over all visits. */
const WITHIN = 60_000 + VISITS * 2;

const USER_AGENTS = [
  BROWSER,
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Latecomer/1.0 (+https://latecomer.example/bot)',
  'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'curl/8.5.0',
];
const LATECOMER = {
  token: 'Latecomer',
  type: 'Scraper',
  operator: 'Late',
  url: null,
  robots_token: 'Latecomer',
  verification: { ip_ranges: ['192.0.2.0/25'] },
  user_agent_patterns: ['Latecomer/'],
  sample_user_agents: ['Latecomer/1.0'],
};

const visitOf = (number: number) => ({
  created: new Date(START + Math.floor((number / VISITS) * DAYS * DAY_MS)).toISOString(),
  request_path: `/page-${(number * 31) % 37}?n=${number}${number % 15 === 0 ? '&utm_source=chatgpt.com' : ''}`,
  request_method: 'GET',
  request_headers: {
    'user-agent': USER_AGENTS[number % USER_AGENTS.length]!,
    'x-forwarded-for': `192.0.2.${number % 251}`,
  },
  response_status_code: [200, 404, 301][number % 3]!,
});

/** Queries for everything stored or counted for project $1 before $2. */
const CONTENTS = {
  visits: `SELECT occurred_at, path, agent_id, agent_type, operator, result, status, kinds, client_address, robots, automation,
      assistant, user_agent_group,
      md5(((document::jsonb - '{id,project_id,received_at,reidentified}'::text[]) #- '{identification,evidence}'
        #- '{identification,catalog_version}')::text)
    FROM visits_full WHERE project_id = $1 AND occurred_at < $2`,
  quarters: `SELECT bucket, agent_id, agent_type, result, sum(visits), max(last_at) FROM visit_counts
    WHERE project_id = $1 AND bucket < $2 GROUP BY 1, 2, 3, 4`,
  tops: `SELECT bucket, dimension, value, sum(visits) FROM visit_top_counts
    WHERE project_id = $1 AND bucket < $2 GROUP BY 1, 2, 3`,
  hours: `SELECT bucket, agent_id, agent_type, result, visits, last_at FROM visit_hour_counts WHERE project_id = $1 AND bucket < $2`,
  types: `SELECT bucket, agent_type, result, visits FROM visit_hour_type_counts WHERE project_id = $1 AND bucket < $2`,
  hourTops: `SELECT bucket, dimension, top_values, top_visits FROM visit_hour_top_counts WHERE project_id = $1 AND bucket < $2`,
  restTops: `SELECT bucket, dimension, top_values, top_visits FROM visit_rest_top_counts WHERE project_id = $1 AND bucket < $2`,
  days: `SELECT bucket, agent_id, agent_type, result, visits, last_at FROM visit_day_counts WHERE project_id = $1 AND bucket < $2`,
  dayTops: `SELECT bucket, dimension, value, visits FROM visit_day_top_counts WHERE project_id = $1 AND bucket < $2`,
};

it(
  `re-identifies ${VISITS} visits as if the agent had always been known, despite kills and live traffic`,
  async () => {
    const postgres = await ExternalPostgres.start();
    const database = new Pool({ connectionString: postgres.url, max: 1 });
    const rows = async <T>(statement: string, parameters: unknown[] = []): Promise<T[]> =>
      (await database.query(statement, parameters)).rows as T[];
    let instance = await Instance.start({
      env: { ...CREDENTIALS_ENV, DATABASE_URL: postgres.url, RETENTION_DAYS: '90' },
    });
    const client = new Client({ url: instance.url, ...CREDENTIALS });
    const projectId = await client.projectId();
    const stored = async (project: string): Promise<number> =>
      (
        await rows<{ visits: number }>(
          `SELECT coalesce(sum(visits), 0)::int AS visits FROM visit_counts WHERE project_id = $1 AND bucket < $2`,
          [project, RANGE.to],
        )
      )[0]!.visits;
    const send = async (project: string, token: string): Promise<void> => {
      let next = 0;
      const sender = async (): Promise<void> => {
        while (next < VISITS) {
          const from = next;
          next += PER_REQUEST;
          const body = Array.from({ length: Math.min(PER_REQUEST, VISITS - from) }, (_, at) => visitOf(from + at));
          // A batch may have been stored despite a 503. The idempotency key prevents duplicates.
          const headers = { 'idempotency-key': `from-${from}` };
          while ((await client.post('/visits', body, { token, headers })).status !== 204) await pause(200);
        }
      };
      await Promise.all(Array.from({ length: SENDERS }, sender));
      await until(async () => (await stored(project)) === VISITS, { what: 'the visits are stored', within: WITHIN });
    };
    await send(projectId, CREDENTIALS.accessToken);
    await client.api('/agents', { method: 'POST', body: LATECOMER });

    const load = new Load(client, { workers: 2, every: 20 });
    const jobs = `/projects/${projectId}/reidentifications`;
    const read = (id: string): Promise<Reidentification> => client.api(`${jobs}/${id}`);
    const change = (id: string, action: string): Promise<Reidentification> =>
      client.api(`${jobs}/${id}`, { method: 'PATCH', body: { action } });
    const over = (id: string): Promise<Reidentification> =>
      until(async () => (found = await read(id)).state === (found.result ? 'applied' : 'previewed') && found, {
        what: 'the re-identification is over',
        within: WITHIN,
        explain: () => JSON.stringify(found),
      });
    const killAt = async (id: string, progress: number): Promise<void> => {
      found = await until(async () => (found = await read(id)).progress >= progress && found, {
        what: `it is at ${progress}`,
        within: WITHIN,
      });
      // A random moment, so any part of a step can be interrupted.
      await pause(Math.random() * 300);
      await instance.kill();
      expect(['previewing', 'applying']).toContain(found.state);
      instance = await instance.restart();
    };
    let found = await client.api<Reidentification>(jobs, { method: 'POST', body: RANGE });
    const { id } = found;
    await killAt(id, 0.3);
    const { preview } = await over(id);
    await change(id, 'apply');
    await killAt(id, 0.2);
    await killAt(id, 0.5);
    // A paused job makes no progress, even after a restart.
    found = await until(async () => (found = await read(id)).progress > 0.6 && found, {
      what: 'it goes on',
      within: WITHIN,
    });
    await change(id, 'pause');
    const paused = await read(id);
    await instance.kill();
    instance = await instance.restart();
    await pause(5_000);
    expect(await read(id)).toEqual(paused);
    expect(paused).toMatchObject({ state: 'applying', is_paused: true });
    await change(id, 'resume');
    const { result } = await over(id);
    await load.stop();

    const byAgent = (report: ReidentificationReport): object[] =>
      report.changes.map(({ from, to, visits }) => [from.agent_token, to.agent_token, to.result, visits]);
    const ofLatecomer = Array.from({ length: VISITS }, (_, number) => number).filter((number) => number % 5 === 2);
    const verified = ofLatecomer.filter((number) => number % 251 < 128).length;
    expect(result).toEqual(preview);
    expect(result).toMatchObject({ looked_at: VISITS, changed: ofLatecomer.length, other_changes: 0 });
    expect(byAgent(result!).toSorted()).toEqual(
      [
        [null, 'Latecomer', 'verification_failed', ofLatecomer.length - verified],
        [null, 'Latecomer', 'verified', verified],
      ].toSorted(),
    );

    // Sends the same visits to another project, now that the agent is in the catalog.
    const other = await client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Recounted' } });
    const { token } = await client.api<{ token: string }>(`/projects/${other.id}/tokens`, { method: 'POST', body: {} });
    await send(other.id, token);
    await until(
      async () =>
        (await rows('SELECT FROM visit_open_hours WHERE hour < $1 LIMIT 1', [RANGE.to])).length === 0 &&
        (await rows('SELECT FROM visit_day_counts WHERE project_id = $1 LIMIT 1', [other.id])).length === 1,
      { what: 'everything is summed up', within: WITHIN + 600_000 },
    );
    for (const [name, contents] of Object.entries(CONTENTS)) {
      await database.query(
        `CREATE TEMP TABLE ours AS ${contents.replace('$1', `'${projectId}'`).replace('$2', `'${RANGE.to}'`)};
         CREATE TEMP TABLE theirs AS ${contents.replace('$1', `'${other.id}'`).replace('$2', `'${RANGE.to}'`)}`,
      );
      const differences = await rows(
        `(SELECT 'only ours', * FROM (TABLE ours EXCEPT ALL TABLE theirs) o LIMIT 3) UNION ALL
         (SELECT 'missing', * FROM (TABLE theirs EXCEPT ALL TABLE ours) t LIMIT 3)`,
      );
      expect([name, differences]).toEqual([name, []]);
      const [{ count }] = (await rows('SELECT count(*)::int AS count FROM ours')) as [{ count: number }];
      expect([name, count > 0]).toEqual([name, true]);
      await database.query('DROP TABLE ours, theirs');
    }

    // Visits that arrived in the meantime are neither lost nor duplicated.
    const numbered = await rows<{ number: number }>(
      `SELECT split_part(path, '/', 3)::int AS number FROM visits_full WHERE project_id = $1 AND path LIKE '/numbered/%'`,
      [projectId],
    );
    const numbers = new Set(numbered.map(({ number }) => number));
    expect(load.accepted.size).toBeGreaterThan(100);
    expect([...load.accepted].filter((number) => !numbers.has(number))).toEqual([]);
    expect(numbered).toHaveLength(numbers.size);
    // `unknown_visits` has one row per visit. For visits of agents, it holds only the ID.
    expect(
      await rows(`SELECT (SELECT count(*) FROM unknown_visits) - (SELECT count(*) FROM visits_full) AS more`),
    ).toEqual([{ more: '0' }]);

    const again = await client.api<Reidentification>(jobs, { method: 'POST', body: RANGE });
    expect((await over(again.id)).preview).toMatchObject({ looked_at: VISITS, changed: 0 });
    await instance.dispose();
    await database.end();
    await postgres.dispose();
  },
  600_000 + VISITS * 12,
);

import { Pool } from 'pg';
import type { Reidentification, ReidentificationReport } from '#libs/contracts';
import { BROWSER, Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { ExternalPostgres } from '../kit/external-postgres.js';
import { Instance, pause, until } from '../kit/instance.js';
import { Load } from '../kit/load.js';

/** Number of visits to re-identify. Set `REIDENTIFIED_VISITS` to a lower number for a quick run. */
const VISITS = Number(process.env['REIDENTIFIED_VISITS'] ?? 1_000_000);
const VISITS_PER_REQUEST = 200;
const SENDER_COUNT = 4;
/**
 * Number of days over which the visits are spread. Low enough that current address ranges can still refute the oldest
 * visits.
 */
const DAYS = 5;
const DAY_MS = 86_400_000;
const END = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const START = END - DAYS * DAY_MS;
const RANGE = { from: new Date(START).toISOString(), to: new Date(END).toISOString() };
/** Timeout in milliseconds for a pass over all visits. */
const PASS_TIMEOUT_MS = 60_000 + VISITS * 2;

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

const createVisit = (number: number) => ({
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
const CONTENT_QUERIES = {
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
  hourTops: `SELECT bucket, dimension, top_values, top_visits FROM visit_hour_top_counts WHERE project_id = $1 AND bucket < $2`,
  days: `SELECT bucket, agent_id, agent_type, result, visits, last_at FROM visit_day_counts WHERE project_id = $1 AND bucket < $2`,
  dayTops: `SELECT bucket, dimension, value, visits FROM visit_day_top_counts WHERE project_id = $1 AND bucket < $2`,
};

it(
  `re-identifies ${VISITS} visits as if the agent had always been known, despite kills and live traffic`,
  async () => {
    const postgres = await ExternalPostgres.start();
    const database = new Pool({ connectionString: postgres.url, max: 1 });
    const queryRows = async <T>(statement: string, parameters: unknown[] = []): Promise<T[]> =>
      (await database.query(statement, parameters)).rows as T[];
    let instance = await Instance.start({
      env: { ...CREDENTIALS_ENV, DATABASE_URL: postgres.url, RETENTION_DAYS: '90' },
    });
    const client = new Client({ url: instance.url, ...CREDENTIALS });
    const projectId = await client.projectId();
    const countStored = async (project: string): Promise<number> =>
      (
        await queryRows<{ visits: number }>(
          `SELECT coalesce(sum(visits), 0)::int AS visits FROM visit_counts WHERE project_id = $1 AND bucket < $2`,
          [project, RANGE.to],
        )
      )[0]!.visits;
    const sendVisits = async (project: string, token: string): Promise<void> => {
      let next = 0;
      const sender = async (): Promise<void> => {
        while (next < VISITS) {
          const from = next;
          next += VISITS_PER_REQUEST;
          const body = Array.from({ length: Math.min(VISITS_PER_REQUEST, VISITS - from) }, (_, at) =>
            createVisit(from + at),
          );
          // A batch may have been stored despite a 503. The idempotency key prevents duplicates.
          const headers = { 'idempotency-key': `from-${from}` };
          while ((await client.post('/visits', body, { token, headers })).status !== 204) await pause(200);
        }
      };
      await Promise.all(Array.from({ length: SENDER_COUNT }, sender));
      await until(async () => (await countStored(project)) === VISITS, {
        condition: 'the visits are stored',
        timeoutMs: PASS_TIMEOUT_MS,
      });
    };
    await sendVisits(projectId, CREDENTIALS.accessToken);
    await client.api('/agents', { method: 'POST', body: LATECOMER });

    const load = new Load(client, { workers: 2, pauseMs: 20 });
    const jobs = `/projects/${projectId}/reidentifications`;
    const readJob = (id: string): Promise<Reidentification> => client.api(`${jobs}/${id}`);
    const changeJob = (id: string, action: string): Promise<Reidentification> =>
      client.api(`${jobs}/${id}`, { method: 'PATCH', body: { action } });
    const waitUntilFinished = (id: string): Promise<Reidentification> =>
      until(
        async () =>
          (currentJob = await readJob(id)).state === (currentJob.result ? 'applied' : 'previewed') && currentJob,
        {
          condition: 'the re-identification finishes',
          timeoutMs: PASS_TIMEOUT_MS,
          explain: () => JSON.stringify(currentJob),
        },
      );
    const killAt = async (id: string, progress: number): Promise<void> => {
      currentJob = await until(async () => (currentJob = await readJob(id)).progress >= progress && currentJob, {
        condition: `progress reaches ${progress}`,
        timeoutMs: PASS_TIMEOUT_MS,
      });
      // Wait for a random time, so that the kill can interrupt any part of a step.
      await pause(Math.random() * 300);
      await instance.kill();
      expect(['previewing', 'applying']).toContain(currentJob.state);
      instance = await instance.restart();
    };
    let currentJob = await client.api<Reidentification>(jobs, { method: 'POST', body: RANGE });
    const { id } = currentJob;
    await killAt(id, 0.3);
    const { preview } = await waitUntilFinished(id);
    await changeJob(id, 'apply');
    await killAt(id, 0.2);
    await killAt(id, 0.5);
    // A paused job must not make any progress, even after a restart.
    currentJob = await until(async () => (currentJob = await readJob(id)).progress > 0.6 && currentJob, {
      condition: 'progress passes 0.6',
      timeoutMs: PASS_TIMEOUT_MS,
    });
    await changeJob(id, 'pause');
    const paused = await readJob(id);
    await instance.kill();
    instance = await instance.restart();
    await pause(5_000);
    expect(await readJob(id)).toEqual(paused);
    expect(paused).toMatchObject({ state: 'applying', is_paused: true });
    await changeJob(id, 'resume');
    const { result } = await waitUntilFinished(id);
    await load.stop();

    const summarizeByAgent = (report: ReidentificationReport): object[] =>
      report.changes.map(({ from, to, visits }) => [from.agent_token, to.agent_token, to.result, visits]);
    const latecomerNumbers = Array.from({ length: VISITS }, (_, number) => number).filter((number) => number % 5 === 2);
    const verified = latecomerNumbers.filter((number) => number % 251 < 128).length;
    expect(result).toEqual(preview);
    expect(result).toMatchObject({ looked_at: VISITS, changed: latecomerNumbers.length, other_changes: 0 });
    expect(summarizeByAgent(result!).toSorted()).toEqual(
      [
        [null, 'Latecomer', 'verification_failed', latecomerNumbers.length - verified],
        [null, 'Latecomer', 'verified', verified],
      ].toSorted(),
    );

    // Sends the same visits to another project, now that the agent is in the catalog.
    const other = await client.api<{ id: string }>('/projects', { method: 'POST', body: { name: 'Recounted' } });
    const { token } = await client.api<{ token: string }>(`/projects/${other.id}/tokens`, { method: 'POST', body: {} });
    await sendVisits(other.id, token);
    await until(
      async () =>
        (await queryRows('SELECT FROM visit_open_hours WHERE hour < $1 LIMIT 1', [RANGE.to])).length === 0 &&
        (await queryRows('SELECT FROM visit_day_counts WHERE project_id = $1 LIMIT 1', [other.id])).length === 1,
      { condition: 'all visits are rolled up', timeoutMs: PASS_TIMEOUT_MS + 600_000 },
    );
    for (const [name, contents] of Object.entries(CONTENT_QUERIES)) {
      await database.query(
        `CREATE TEMP TABLE ours AS ${contents.replace('$1', `'${projectId}'`).replace('$2', `'${RANGE.to}'`)};
         CREATE TEMP TABLE theirs AS ${contents.replace('$1', `'${other.id}'`).replace('$2', `'${RANGE.to}'`)}`,
      );
      const differences = await queryRows(
        `(SELECT 'only ours', * FROM (TABLE ours EXCEPT ALL TABLE theirs) o LIMIT 3) UNION ALL
         (SELECT 'missing', * FROM (TABLE theirs EXCEPT ALL TABLE ours) t LIMIT 3)`,
      );
      expect([name, differences]).toEqual([name, []]);
      const [{ count }] = (await queryRows('SELECT count(*)::int AS count FROM ours')) as [{ count: number }];
      expect([name, count > 0]).toEqual([name, true]);
      await database.query('DROP TABLE ours, theirs');
    }

    // Visits that arrived during the re-identification are neither lost nor duplicated.
    const numbered = await queryRows<{ number: number }>(
      `SELECT split_part(path, '/', 3)::int AS number FROM visits_full WHERE project_id = $1 AND path LIKE '/numbered/%'`,
      [projectId],
    );
    const numbers = new Set(numbered.map(({ number }) => number));
    expect(load.accepted.size).toBeGreaterThan(100);
    expect([...load.accepted].filter((number) => !numbers.has(number))).toEqual([]);
    expect(numbered).toHaveLength(numbers.size);
    // The table `unknown_visits` has one row per visit. For visits by agents, the row only contains the ID.
    expect(
      await queryRows(`SELECT (SELECT count(*) FROM unknown_visits) - (SELECT count(*) FROM visits_full) AS more`),
    ).toEqual([{ more: '0' }]);

    const rerun = await client.api<Reidentification>(jobs, { method: 'POST', body: RANGE });
    expect((await waitUntilFinished(rerun.id)).preview).toMatchObject({ looked_at: VISITS, changed: 0 });
    await instance.dispose();
    await database.end();
    await postgres.dispose();
  },
  600_000 + VISITS * 12,
);

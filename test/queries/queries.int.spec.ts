import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { jest } from '@jest/globals';
import { agentId, getBundledCatalog } from '#libs/catalog';
import { ALERT_KIND_NAMES } from '#libs/contracts';
import { READ_DATA_SOURCE } from '#libs/database';
import {
  AlertConditionsRepository,
  CheckoutsRepository,
  toDayNumber,
  PartitionsRepository,
  RestoredVisitsRepository,
  TimelineRepository,
  VisitDeletionRepository,
  VisitFormsRepository,
} from '#libs/visit-store';
import { AlertsRepository, toAlertSettings } from '../../apps/console/src/alerts/alerts.repository.js';
import { ConditionsRepository } from '../../apps/console/src/alerts/conditions.repository.js';
import { AlertEvaluationRepository } from '../../apps/console/src/alerts/evaluation.repository.js';
import { App } from '../kit/app.js';
import { archivedVisit } from '../kit/archived-visits.js';
import { startTestDatabase, type TestDatabase } from '../kit/database.js';
import { StatementRecorder } from '../kit/statement-recorder.js';
import { ReidentificationHistory, createReportedVisit } from '../kit/reidentification-history.js';
import { storeVisits, rollUpCounts, type StoredVisit } from '../kit/stored-visits.js';

/**
 * Folder with snapshots of the SQL statements that read and write visits, so reviewers see every change to them.
 * `UPDATE_SNAPSHOTS=true` updates the snapshots.
 */
const SNAPSHOT_FOLDER = import.meta.dirname;
const isUpdate = env['UPDATE_SNAPSHOTS'] === 'true';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const DAY_MS = 86_400_000;
const PROJECT = '019a0000-0000-7000-8000-000000000001';
const daysAgo = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();

const CHECKOUT = { id: 'a', status: 'completed', currency: 'eur', totals: [{ type: 'total', amount: 100 }] };
const VISITS: StoredVisit[] = Array.from({ length: 200 }, (_, index) => ({
  at: daysAgo((index + 1) / 20),
  path: `/${index % 7}`,
  ...(index % 3 !== 0 && { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' }),
}));
VISITS.push({ at: daysAgo(0.5), extra: { acp_response_body: CHECKOUT } });

const snapshotFiles = new Set<string>();

/** Compares the statements that operations send with a snapshot. Each statement appears only where it is first used. */
async function expectSnapshot(
  name: string,
  recorder: StatementRecorder,
  operations: Record<string, () => Promise<unknown>>,
): Promise<void> {
  recorder.take();
  const listedStatements = new Set<string>();
  const parts: string[] = [];
  for (const [operation, run] of Object.entries(operations)) {
    await run();
    const statements = recorder.take().filter((text) => !listedStatements.has(text));
    for (const statement of statements) listedStatements.add(statement);
    if (statements.length > 0) parts.push(`-- ${operation}\n${statements.join(';\n\n')};\n`);
  }
  const file = `${name}.sql`;
  snapshotFiles.add(file);
  const text = parts.join('\n');
  if (isUpdate) writeFileSync(join(SNAPSHOT_FOLDER, file), text);
  else expect(text).toBe(readFileSync(join(SNAPSHOT_FOLDER, file), 'utf8'));
}

afterEach(() => jest.restoreAllMocks());

describe('writing', () => {
  let database: TestDatabase;
  let history: ReidentificationHistory;
  beforeAll(async () => {
    database = await startTestDatabase();
    await database.dataSource.query(`INSERT INTO projects (id, name) VALUES ($1, 'Shop')`, [PROJECT]);
    history = await ReidentificationHistory.open({
      dataSource: database.dataSource,
      projectId: PROJECT,
      now: () => NOW,
    });
  });
  afterAll(() => database.stop());

  it('stores visits', async () => {
    const { dataSource } = database;
    await new PartitionsRepository(dataSource).ensure([toDayNumber(NOW)]);
    await expectSnapshot('store-visits', new StatementRecorder(dataSource), {
      'One batch': () => storeVisits(dataSource, PROJECT, NOW, VISITS),
    });
  });

  it('rolls up counts', async () => {
    const { dataSource } = database;
    await dataSource.query(`UPDATE visit_counts SET shard = 1`);
    await expectSnapshot('sum-up-counts', new StatementRecorder(dataSource), {
      'A finished day and the current day': () => rollUpCounts(dataSource, NOW),
    });
  });

  it('evaluates alerts', async () => {
    const { dataSource } = database;
    const alerts = new AlertsRepository(dataSource);
    for (const kind of ALERT_KIND_NAMES) await alerts.create(PROJECT, toAlertSettings({ kind }));
    const conditions = new ConditionsRepository(dataSource, new AlertConditionsRepository(dataSource));
    const evaluation = new AlertEvaluationRepository(dataSource, conditions);
    await expectSnapshot('alerts', new StatementRecorder(dataSource), {
      'Alerts of every kind': () => evaluation.evaluateNext(NOW, () => Promise.resolve()),
      'Old events': () => evaluation.deleteOld(NOW),
    });
  });

  it('deletes visits', async () => {
    const { dataSource } = database;
    const deletion = new VisitDeletionRepository(dataSource);
    const visits = { address: '203.0.113.99', projectId: PROJECT };
    await expectSnapshot('erasure', new StatementRecorder(dataSource), {
      'Visits from an address': () => deletion.delete(visits, undefined, DAY_MS),
    });
  });

  it('re-identifies stored visits', async () => {
    const { dataSource } = database;
    const agents = getBundledCatalog().agents;
    history.catalog.change(agents.filter(({ token }) => token !== 'GPTBot'));
    const visit = {
      request_path: '/',
      request_method: 'POST',
      request_headers: { 'user-agent': 'GPTBot/1.2' },
      acp_response_body: CHECKOUT,
    };
    await history.store([createReportedVisit(visit, NOW - DAY_MS)]);
    history.catalog.change(agents);
    await history.start({ from: daysAgo(2), to: daysAgo(0) }, 'applying');
    await expectSnapshot('reidentification', new StatementRecorder(dataSource), {
      'A re-identification job': () => history.service.runAll(),
    });
  });

  it('drops visits past the retention period', async () => {
    const { dataSource } = database;
    const partitions = new PartitionsRepository(dataSource);
    const restored = new RestoredVisitsRepository(dataSource, partitions);
    await partitions.ensure([toDayNumber(NOW) - 1]);
    await expectSnapshot('retention', new StatementRecorder(dataSource), {
      'A new partition': () => partitions.ensure([toDayNumber(NOW) + 1]),
      'Partitions for unknown visitors': () => partitions.dropBefore('unknown', toDayNumber(NOW)),
      'Partitions for agents': () => partitions.dropBefore('agents', toDayNumber(NOW)),
      Forms: () => new VisitFormsRepository(dataSource).deleteBefore(toDayNumber(NOW)),
      Checkouts: () => new CheckoutsRepository(dataSource).anonymize(90),
      'A restored day': () => restored.prepareDay('2026-11-01', 30),
      'Projects of restored visits': () => restored.filterExisting([PROJECT]),
      'Restored visits by agents': () => restored.store('agents', [archivedVisit(0)]),
      'Restored visits by unknown visitors': () => restored.store('unknown', [archivedVisit(1)]),
    });
  });
});

describe('reading', () => {
  let app: App;
  let recorder: StatementRecorder;
  let project: string;
  beforeAll(async () => {
    app = await App.start({ clock: () => NOW });
    project = (await app.api('POST', '/projects', { name: 'Shop' })).body.id;
    await storeVisits(app.database.dataSource, project, NOW, VISITS);
    await rollUpCounts(app.database.dataSource, NOW);
  });
  beforeEach(() => {
    recorder = new StatementRecorder(app.nest.get(READ_DATA_SOURCE));
  });

  const range = `from=${daysAgo(7)}&to=${daysAgo(0)}`;
  const get = (path: string) => async (): Promise<{ next_cursor: string }> => {
    const { status, body } = await app.api('GET', `/projects/${project}/${path}`);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };

  it('reads pages for the timeline and the stream', async () => {
    const timeline = app.nest.get(TimelineRepository);
    await expectSnapshot('timeline', recorder, {
      'The first page': get('visits?limit=10'),
      'A later page': async () => get(`visits?limit=10&cursor=${(await get('visits?limit=10')()).next_cursor}`)(),
      'The oldest visits': get('visits?limit=10&order=oldest'),
      'A range': get(`visits?limit=10&${range}`),
      'Visits by an agent': get(`visits?limit=10&agent=${agentId('GPTBot')}`),
      'Visits by an agent type': get('visits?limit=10&type=Fetcher'),
      'Visits by an operator': get('visits?limit=10&operator=OpenAI'),
      'Visits with a result': get('visits?limit=10&result=verification_failed'),
      'Visits to a path': get('visits?limit=10&path=/1'),
      'Visits from a network': get('visits?limit=10&address=192.0.2.0/24'),
      'Visits with a status': get('visits?limit=10&status=5xx'),
      'Calls to a tool': get('visits?limit=10&mcp_tool=search'),
      'Disallowed fetches': get('visits?limit=10&robots=disallowed'),
      'Visits by likely programs': get('visits?limit=10&automation=likely'),
      'Number of visits': get(`visits/count?${range}`),
      'Visits after a position': () => timeline.readAfter(project, [], 10),
    });
  });

  it('reads the overview', async () => {
    await expectSnapshot('overview', recorder, {
      'Seven days': get(`overview?${range}`),
      'One day': get(`overview?from=${daysAgo(1)}&to=${daysAgo(0)}`),
      'Agents only': get(`overview?${range}&visitors=agents`),
      'One page': get(`overview?${range}&page=/1`),
      'Error responses to an agent': get(`overview?${range}&agent=${agentId('GPTBot')}&status=5xx`),
      'By status': get(`overview?${range}&breakdown=status`),
      'By agent': get(`overview?${range}&breakdown=agent`),
      'One page by status': get(`overview?${range}&page=/1&breakdown=status`),
    });
  });

  it('reads counts', async () => {
    await expectSnapshot('counts', recorder, {
      Agents: get(`agents?${range}`),
      'One agent': get(`agents/${agentId('GPTBot')}?${range}`),
      Verification: get(`verification?${range}`),
      News: get(`news?${range}`),
      Referrals: get(`referrals?${range}`),
      Compliance: get(`compliance?${range}`),
      Tools: get(`tools?${range}`),
      'Unlisted agents': get(`unlisted?${range}`),
      'Visit histogram': get('histogram'),
      'Project summaries': () => app.api('GET', '/project-summaries'),
      'Agents seen in all projects': () => app.api('GET', '/seen-agents'),
    });
  });
});

it('has no unused snapshots', () => {
  const unusedSnapshots = readdirSync(SNAPSHOT_FOLDER).filter(
    (file) => file.endsWith('.sql') && !snapshotFiles.has(file),
  );
  expect(unusedSnapshots).toEqual([]);
});

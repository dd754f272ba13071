import { agentId, TEST_AGENT } from '#libs/catalog';
import { createBatchId, createVisitId, type EnrichedVisit, type VisitPosition } from '#libs/contracts';
import { createClickHouseDatabase } from '../../../../test/kit/clickhouse.js';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { createVisitRow, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import { PartitionsRepository, toDayNumber } from '../partitions.repository.js';
import { createSnapshot } from '../snapshot.js';
import { prepareVisitStore } from '../visit-store-location.repository.js';
import { BatchesRepository } from './batches.repository.js';
import { ClickHouse } from './clickhouse.js';
import { readLastPosition } from './last-position.repository.js';
import { ClickHouseStoredVisitsRepository } from './stored-visits.repository.js';
import { ClickHouseTestAgentVisitsRepository } from './test-agent-visits.repository.js';
import { ClickHouseVisitsRepository } from './visits.repository.js';

const NOW = Date.now();
const DAY_MS = 86_400_000;
const OLD_TIME = NOW - 100 * DAY_MS;

let database: TestDatabase;
let clickhouse: ClickHouse;
let visits: ClickHouseVisitsRepository;
let storedVisits: ClickHouseStoredVisitsRepository;
let testAgentVisits: ClickHouseTestAgentVisitsRepository;
beforeAll(async () => {
  database = await startTestDatabase();
  const { dataSource } = database;
  const options = await createClickHouseDatabase();
  await prepareVisitStore(dataSource, options);
  await new PartitionsRepository(dataSource).ensure([toDayNumber(NOW), toDayNumber(OLD_TIME)]);
  clickhouse = new ClickHouse(options);
  visits = new ClickHouseVisitsRepository(dataSource, clickhouse, new BatchesRepository(dataSource, clickhouse));
  storedVisits = new ClickHouseStoredVisitsRepository(dataSource, clickhouse);
  testAgentVisits = new ClickHouseTestAgentVisitsRepository(dataSource, clickhouse);
});
afterAll(async () => {
  await clickhouse.close();
  await database.stop();
});

let projects = 0;
let project: string;
beforeEach(() => {
  projects += 1;
  project = `019a0000-0000-7000-8000-${String(projects).padStart(12, '0')}`;
});

/**
 * Stores visits in the test's project and returns their IDs.
 *
 * @param now Time of receipt in milliseconds since the epoch.
 */
async function store(stored: readonly Partial<StoredVisit>[], now = NOW, projectId = project): Promise<string[]> {
  const batch = createBatchId(now);
  const rows = stored.map((visit, index) =>
    createVisitRow(projectId, createVisitId(batch, index), now, { at: new Date(now).toISOString(), ...visit }),
  );
  await visits.store(rows);
  return rows.map(({ id }) => id);
}

describe('stored visits', () => {
  it('are counted by ID, even if PostgreSQL no longer has their IDs', async () => {
    const [recent, past] = [await store([{}, {}]), await store([{}, {}, {}], OLD_TIME)];
    await database.dataSource.query(`DELETE FROM unknown_visits WHERE id = ANY ($1::uuid[])`, [past]);
    const missing = [createVisitId(createBatchId(NOW), 0), createVisitId(createBatchId(OLD_TIME), 0)];
    expect(await storedVisits.countStored([...recent, ...past, ...missing])).toBe(5);
    expect(await storedVisits.countStored(missing)).toBe(0);
    expect(await storedVisits.countStored([])).toBe(0);
  });

  it('are found by project, time and agent', async () => {
    await store([{ at: new Date(NOW - DAY_MS).toISOString(), agent: 'GPTBot' }]);
    expect(await storedVisits.hasVisitsOfAgent(project, agentId('GPTBot'))).toBe(true);
    expect(await storedVisits.hasVisitsOfAgent(project, agentId('CCBot'))).toBe(false);
    expect(await storedVisits.hasVisitsBefore(project, new Date(NOW + 1))).toBe(true);
    // The visit occurred before this time, but was received after it.
    expect(await storedVisits.hasVisitsBefore(project, new Date(NOW - 1))).toBe(false);
  });

  it('show the origins of the newest visits', async () => {
    const headers = { forwarded: 'for=192.0.2.1' };
    const note = { client_address_note: 'unconfirmed' };
    await store([
      { at: new Date(NOW - 2).toISOString(), headers, extra: { client_address: '192.0.2.9' }, agent: 'GPTBot' },
      { at: new Date(NOW - 1).toISOString(), evidence: note },
      { at: new Date(NOW - 3).toISOString() },
    ]);
    const [unconfirmed, direct] = await storedVisits.newestOrigins(project, false, 2);
    expect(unconfirmed).toMatchObject({ peer: null, isUnconfirmed: true });
    expect(direct).toEqual({ headers, peer: '192.0.2.9', isUnconfirmed: false });
    expect(await storedVisits.newestOrigins(project, true, 2)).toEqual([direct]);
  });

  it("contain agents' names as of their newest visit", async () => {
    const at = (age: number): string => new Date(NOW - age).toISOString();
    await store([
      { at: at(1), agent: 'GPTBot', operator: 'OpenAI', type: 'AI Data Scraper' },
      { at: at(2), agent: 'GPTBot', operator: 'Former' },
      { at: at(2), agent: 'CCBot' },
    ]);
    const ids = ['GPTBot', 'CCBot', 'Nobody'].map(agentId);
    const names = await storedVisits.findAgentNames(
      createSnapshot(async () => []),
      project,
      ids,
    );
    expect(names).toHaveLength(2);
    expect(names).toContainEqual({
      id: ids[0],
      agent_token: 'GPTBot',
      agent_type_name: 'AI Data Scraper',
      operator_name: 'OpenAI',
      agent_url: null,
    });
    expect(
      await storedVisits.findAgentNames(
        createSnapshot(async () => []),
        project,
        [],
      ),
    ).toEqual([]);
  });
});

describe('visits of the test agent', () => {
  const MARKER = 'f00dfeedf00dfeedf00dfeed';
  const paths = (found: readonly EnrichedVisit[]): string[] => found.map(({ visit }) => visit.request_path);
  const lastPosition = (): Promise<VisitPosition> => readLastPosition(database.dataSource, project);

  it('are found by marker after a position, newest first', async () => {
    await store([{ path: `/before?${MARKER}` }]);
    const position = await lastPosition();
    expect(await testAgentVisits.findByMarker(project, position, MARKER)).toEqual([]);
    await store([{ path: `/1?${MARKER}` }, { path: '/2' }, { path: `/3?${MARKER}` }]);
    expect(paths(await testAgentVisits.findByMarker(project, position, MARKER))).toEqual([
      `/3?${MARKER}`,
      `/1?${MARKER}`,
    ]);
    expect(await testAgentVisits.findByMarker(project, await lastPosition(), MARKER)).toEqual([]);
  });

  it('are found by headers or page only if they are of the test agent', async () => {
    const position = await lastPosition();
    const headers = { 'signature-input': `nonce="${MARKER}"` };
    await store([
      { path: '/page?1', headers, agent: TEST_AGENT.token },
      { path: '/page?2', headers },
    ]);
    expect(paths(await testAgentVisits.findByMarker(project, position, MARKER))).toEqual(['/page?1']);
    expect((await testAgentVisits.findByPage(project, position, '/page'))?.visit.request_path).toBe('/page?1');
    expect(await testAgentVisits.findByPage(project, position, '/pag')).toBeNull();
  });

  it('are found in another project', async () => {
    const other = '019a0000-0000-7000-8000-00000000ffff';
    const headers = { 'signature-input': `nonce="${MARKER}1"` };
    await store([{ path: '/', headers, agent: TEST_AGENT.token }], NOW, other);
    await store([{ path: `/?${MARKER}2` }], NOW, other);
    const find = (marker: string, since = NOW - 1_000) => testAgentVisits.findInOtherProject(project, since, marker);
    expect((await find(`${MARKER}1`))?.project_id).toBe(other);
    expect((await find(`${MARKER}2`))?.project_id).toBe(other);
    expect(await find(`${MARKER}3`)).toBeNull();
    expect(await find(`${MARKER}1`, NOW + 1_000)).toBeNull();
    expect(await testAgentVisits.findInOtherProject(other, NOW - 1_000, `${MARKER}1`)).toBeNull();
  });
});

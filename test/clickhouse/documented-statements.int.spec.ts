import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBatchId, createVisitId } from '#libs/contracts';
import { createClickHouseDatabase } from '../kit/clickhouse.js';
import { startTestDatabase, type TestDatabase } from '../kit/database.js';
import { createVisitRow } from '../kit/stored-visits.js';
import { PartitionsRepository, prepareVisitStore, toDayNumber, type VisitStoreOptions } from '#libs/visit-store';
import { BatchesRepository } from '../../libs/visit-store/src/clickhouse/batches.repository.js';
import { ClickHouse } from '../../libs/visit-store/src/clickhouse/clickhouse.js';
import { ClickHouseVisitsRepository } from '../../libs/visit-store/src/clickhouse/visits.repository.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/operations/clickhouse.md'), 'utf8');
const PROJECT = '019a0000-0000-7000-8000-000000000001';
const NOW = Date.now();

let database: TestDatabase;
let options: VisitStoreOptions;
let clickhouse: ClickHouse;
let visits: ClickHouseVisitsRepository;
beforeAll(async () => {
  database = await startTestDatabase();
  options = await createClickHouseDatabase();
  clickhouse = new ClickHouse(options);
  await prepareVisitStore(database.dataSource, options);
  await new PartitionsRepository(database.dataSource).ensure([toDayNumber(NOW)]);
  const batches = new BatchesRepository(database.dataSource, clickhouse);
  visits = new ClickHouseVisitsRepository(database.dataSource, clickhouse, batches);
  await storeVisit('/stored');
});
afterAll(async () => {
  await clickhouse.close();
  await database.stop();
});

/** Adapts a statement to the test's database. */
const adapt = (statement: string): string => statement.replaceAll('agent_traffic.', `${options.database}.`);

/** Returns the statement in the page that starts with the given words. */
function findStatement(start: string): string {
  const blocks = [...PAGE.matchAll(/```sql\n([^]+?)\n *```/g)].map(([, text]) => text!.trim());
  const statement = blocks.find((text) => text.startsWith(start));
  if (statement === undefined) throw new Error(`The page has no statement that starts with ${start}`);
  return statement.replace(/;$/, '');
}

async function storeVisit(path: string): Promise<void> {
  const id = createVisitId(createBatchId(NOW), 0);
  await visits.store([createVisitRow(PROJECT, id, NOW, { at: new Date(NOW).toISOString(), agent: 'GPTBot', path })]);
}

it('reads visits with the example query', async () => {
  const query = adapt(findStatement('SELECT fromUnixTimestamp64Milli'))
    .replace('PROJECT', PROJECT)
    .replace("'verification_failed'", "'not_verifiable'");
  expect(await clickhouse.query(query)).toMatchObject([{ path: '/stored' }]);
});

describe('Grafana dashboard', () => {
  interface Panel {
    title: string;
    type: string;
    targets: [{ rawSql: string }];
  }
  const { panels } = JSON.parse(readFileSync(join(ROOT, 'deploy/clickhouse/grafana/visits.json'), 'utf8')) as {
    panels: Panel[];
  };

  it.each(panels.map((panel) => [panel.title, panel] as const))('queries %s', async (_, panel) => {
    const hour = 3_600_000;
    const query = adapt(panel.targets[0].rawSql)
      .replaceAll("'agent_traffic'", `'${options.database}'`)
      .replaceAll('${__from}', String(NOW - hour))
      .replaceAll('${__to}', String(NOW + hour))
      .replaceAll('$__interval_s', '60');
    const rows = await clickhouse.query<{ visits: number }>(query);
    expect(rows.map((row) => row.visits)).toEqual([1]);
  });
});

it('applies lightweight deletes, so that the files contain them', async () => {
  await storeVisit('/deleted');
  await clickhouse.command(
    `DELETE FROM ${clickhouse.visits} WHERE path = '/deleted'`,
    {},
    {
      settings: { lightweight_delete_mode: 'lightweight_update_force' },
    },
  );
  const countInFiles = () =>
    clickhouse.query(`SELECT count() AS visits FROM ${clickhouse.visits} SETTINGS apply_patch_parts = 0`);
  expect(await countInFiles()).toEqual([{ visits: 2 }]);
  await clickhouse.command(adapt(findStatement('ALTER TABLE agent_traffic.visits APPLY PATCHES')));
  expect(await countInFiles()).toEqual([{ visits: 1 }]);
});

/**
 * Child process that stores one project's visits, as an ingest process does. See writers.ts. The arguments are a
 * database URL and a project ID. Each message is a duration in milliseconds to store visits for.
 */
import { join } from 'node:path';
import { argv } from 'node:process';
import type * as VisitStore from '../../libs/visit-store/src/index.js';
import type * as Rows from '../../apps/ingest/src/steps/visit-row.step.js';
import { createBatchId, createVisitId } from '#libs/contracts';
import { createDataSource } from '#libs/database';
import { UNKNOWN_AGENT } from '../kit/unknown-agent.ts';
import { createVisit } from './load.ts';

const DIST = join(import.meta.dirname, '../../dist');
const VISITS_PER_STATEMENT = 50;
const [url, projectId] = argv.slice(2) as [string, string];

const {
  toDayNumber: dayOf,
  PartitionsRepository,
  VisitFormsRepository,
  VisitsRepository,
} = (await import(`${DIST}/libs/visit-store/src/index.js`)) as typeof VisitStore;
const { toVisitRow: visitRow } = (await import(`${DIST}/apps/ingest/src/steps/visit-row.step.js`)) as typeof Rows;

const dataSource = await createDataSource({ url, poolSize: 2 }).initialize();
await new PartitionsRepository(dataSource).ensure([dayOf(Date.now())]);
const repository = new VisitsRepository(dataSource, new VisitFormsRepository(dataSource));

function createRows(): VisitStore.VisitRow[] {
  const [batch, now] = [createBatchId(), new Date().toISOString()];
  return Array.from({ length: VISITS_PER_STATEMENT }, (_, index) => {
    const row = visitRow(
      {
        id: createVisitId(batch, index),
        project_id: projectId,
        received_at: now,
        occurred_at: now,
        client_address: '192.0.2.7',
        visit: createVisit(Math.floor(Math.random() * 2_100)),
        identification: UNKNOWN_AGENT,
      },
      Date.now(),
      { days: 90, unknownDays: 90 },
    );
    if (!row.ok) throw new Error('Invalid visit');
    return row.value;
  });
}

process.on('message', (milliseconds: number) => {
  void (async () => {
    let stored = 0;
    for (const end = performance.now() + milliseconds; performance.now() < end; stored += VISITS_PER_STATEMENT) {
      await repository.store(createRows());
    }
    process.send!(stored);
  })();
});
process.on('disconnect', () => void dataSource.destroy());
process.send!('ready');

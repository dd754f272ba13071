/**
 * Child process that stores visits of one project in the same way as an ingest process; see writers.ts. Arguments:
 * database URL and project ID. Each message is a duration in milliseconds to store visits for.
 */
import { join } from 'node:path';
import { argv } from 'node:process';
import type * as VisitStore from '../../libs/visit-store/src/index.js';
import type * as Rows from '../../apps/ingest/src/steps/visit-row.step.js';
import { newBatchId, visitId } from '#libs/contracts';
import { createDataSource } from '#libs/database';
import { UNKNOWN_AGENT } from '../kit/unknown-agent.ts';
import { visit } from './load.ts';

const DIST = join(import.meta.dirname, '../../dist');
const VISITS_OF_STATEMENT = 50;
const [url, projectId] = argv.slice(2) as [string, string];

const { dayOf, PartitionsRepository, VisitFormsRepository, VisitsRepository } = (await import(
  `${DIST}/libs/visit-store/src/index.js`
)) as typeof VisitStore;
const { visitRow } = (await import(`${DIST}/apps/ingest/src/steps/visit-row.step.js`)) as typeof Rows;

const dataSource = await createDataSource({ url, poolSize: 2 }).initialize();
await new PartitionsRepository(dataSource).ensure([dayOf(Date.now())]);
const repository = new VisitsRepository(dataSource, new VisitFormsRepository(dataSource));

function newRows(): VisitStore.VisitRow[] {
  const [batch, now] = [newBatchId(), new Date().toISOString()];
  return Array.from({ length: VISITS_OF_STATEMENT }, (_, index) => {
    const row = visitRow(
      {
        id: visitId(batch, index),
        project_id: projectId,
        received_at: now,
        occurred_at: now,
        client_address: '192.0.2.7',
        visit: visit(Math.floor(Math.random() * 2_100)),
        identification: UNKNOWN_AGENT,
      },
      Date.now(),
      { days: 90, unknownDays: 90 },
    );
    if (!row.ok) throw new Error('not a visit');
    return row.value;
  });
}

process.on('message', (milliseconds: number) => {
  void (async () => {
    let stored = 0;
    for (const end = performance.now() + milliseconds; performance.now() < end; stored += VISITS_OF_STATEMENT) {
      await repository.store(newRows());
    }
    process.send!(stored);
  })();
});
process.on('disconnect', () => void dataSource.destroy());
process.send!('ready');

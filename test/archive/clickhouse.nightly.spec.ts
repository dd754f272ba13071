import { rm } from 'node:fs/promises';
import { runInClickHouse } from '../clickhouse/run-in-clickhouse.js';
import { temporaryFolder } from '../kit/run-folder.js';
import { AGENT_COUNTS, createSampleArchive, readDocumentedQueries, SHOP_DOCUMENTS } from './documented-queries.js';

it('runs the documented queries in ClickHouse', async () => {
  const folder = await temporaryFolder();
  await createSampleArchive(folder);
  const [counts, documents] = await runInClickHouse(await readDocumentedQueries('ClickHouse', folder));
  await rm(folder, { recursive: true });
  expect(counts!.error ?? counts!.rows!.map((row) => Object.values(row).map(String))).toEqual(
    AGENT_COUNTS.map((row) => row.map(String)),
  );
  expect(documents!.error ?? documents!.rows!.map(({ document }) => document).toSorted()).toEqual(
    SHOP_DOCUMENTS.toSorted(),
  );
}, 600_000);

/** Benchmarks standalone mode with the embedded PostgreSQL. */
import { join } from 'node:path';
import {
  insertBareRows,
  compare,
  stopServers,
  printVisitRows,
  ROUNDS,
  startServer,
  serveStandalone,
  STORED_VISITS,
  type Row,
} from './compare.ts';
import { measureDrains } from './drains.ts';
import { measureRequestRate } from './load.ts';
import { connectTo, startPostgres } from './postgres.ts';
import { measureRobotsTxt } from './robots-txt.ts';

const TOKEN = 'the-token-of-the-benchmark';

const postgres = await startPostgres();

try {
  const databaseUrl = await postgres.createDatabase('ours');
  const ours = await serveStandalone(postgres.folder, databaseUrl, { PROJECT_ACCESS_TOKEN: TOKEN });
  const bareUrl = await startServer([join(import.meta.dirname, 'peers/bare-fastify.ts')], {});
  const handwrittenUrl = await startServer([join(import.meta.dirname, 'peers/fastify-insert.ts')], {
    DATABASE_URL: await postgres.createDatabase('peer'),
  });

  const rows: Row[] = [
    await compare({
      what: '/visits, 1 visit per request, committed',
      peer: 'bare Fastify, JSON in, 204 out',
      ours,
      theirs: bareUrl,
      token: TOKEN,
      perRequest: 1,
    }),
    await compare({
      what: '/visits, 1 visit per request, committed',
      peer: 'Fastify + one INSERT per request',
      ours,
      theirs: handwrittenUrl,
      token: TOKEN,
      perRequest: 1,
    }),
    await compare({
      what: '/visits, 50 visits per request, committed',
      peer: 'Fastify + one INSERT per request',
      ours,
      theirs: handwrittenUrl,
      token: TOKEN,
      perRequest: 50,
    }),
    await measureRobotsTxt({ what: '/robots-txts, all types', ours, token: TOKEN }),
    await receivedToStored(ours, databaseUrl),
    await measureDrains(ours, databaseUrl, TOKEN),
  ];
  printVisitRows(rows);
} finally {
  stopServers();
  await postgres.stop();
}

/** Measures the time from the first byte sent to the last visit stored. The peer inserts the same rows. */
async function receivedToStored(url: string, databaseUrl: string): Promise<Row> {
  const row: Row = {
    what: 'received to stored, 50 visits per request',
    peer: 'bare unnest INSERT of the same rows in batches of 1,000',
    unit: 'visits/s',
    ours: [],
    theirs: [],
    goal: 0.3,
  };
  const pool = connectTo(databaseUrl);
  for (let round = 0; round < ROUNDS; round += 1) {
    await pool.query('TRUNCATE visits, unknown_visits');
    const rate = await measureRequestRate({
      url,
      token: TOKEN,
      perRequest: 50,
      connections: 32,
      amount: STORED_VISITS / 50,
    });
    const { rows } = await pool.query('SELECT count(*)::int AS stored FROM visits_full');
    if (rows[0].stored !== STORED_VISITS)
      throw new Error(`Only ${rows[0].stored} of ${STORED_VISITS} visits were stored`);
    row.ours.push(rate * 50);
    row.theirs.push(await insertBareRows(pool));
    process.stderr.write('.');
  }
  await pool.end();
  return row;
}

/** Benchmarks standalone mode with the embedded PostgreSQL. */
import { join } from 'node:path';
import { bareInsert, compare, endServers, print, ROUNDS, serve, serveStandalone, STORED, type Row } from './compare.ts';
import { drainsRow } from './drains.ts';
import { requestsPerSecond } from './load.ts';
import { connectTo, startPostgres } from './postgres.ts';
import { robotsTxtRow } from './robots-txt.ts';

const TOKEN = 'the-token-of-the-benchmark';

const postgres = await startPostgres();

try {
  const databaseUrl = await postgres.createDatabase('ours');
  const ours = await serveStandalone(postgres.folder, databaseUrl, { PROJECT_ACCESS_TOKEN: TOKEN });
  const bare = await serve([join(import.meta.dirname, 'peers/bare-fastify.ts')], {});
  const byHand = await serve([join(import.meta.dirname, 'peers/fastify-insert.ts')], {
    DATABASE_URL: await postgres.createDatabase('peer'),
  });

  const rows: Row[] = [
    await compare({
      what: '/visits, 1 visit a request, committed',
      peer: 'bare Fastify, JSON in, 204 out',
      ours,
      theirs: bare,
      token: TOKEN,
      perRequest: 1,
    }),
    await compare({
      what: '/visits, 1 visit a request, committed',
      peer: 'Fastify + one INSERT a request',
      ours,
      theirs: byHand,
      token: TOKEN,
      perRequest: 1,
    }),
    await compare({
      what: '/visits, 50 visits a request, committed',
      peer: 'Fastify + one INSERT a request',
      ours,
      theirs: byHand,
      token: TOKEN,
      perRequest: 50,
    }),
    await robotsTxtRow({ what: '/robots-txts, all types', ours, token: TOKEN }),
    await receivedToStored(ours, databaseUrl),
    await drainsRow(ours, databaseUrl, TOKEN),
  ];
  print(rows);
} finally {
  endServers();
  await postgres.stop();
}

/** Measures from the first byte sent to the last visit stored. The peer inserts the same rows. */
async function receivedToStored(url: string, databaseUrl: string): Promise<Row> {
  const row: Row = {
    what: 'received to stored, 50 visits a request',
    peer: 'bare unnest INSERT of the same rows, 1,000 at a time',
    unit: 'visits/s',
    ours: [],
    theirs: [],
    goal: 0.3,
  };
  const pool = connectTo(databaseUrl);
  for (let round = 0; round < ROUNDS; round += 1) {
    await pool.query('TRUNCATE visits, unknown_visits');
    const rate = await requestsPerSecond({ url, token: TOKEN, perRequest: 50, connections: 32, amount: STORED / 50 });
    const { rows } = await pool.query('SELECT count(*)::int AS stored FROM visits_full');
    if (rows[0].stored !== STORED) throw new Error(`${rows[0].stored} of ${STORED} visits are stored`);
    row.ours.push(rate * 50);
    row.theirs.push(await bareInsert(pool));
    process.stderr.write('.');
  }
  await pool.end();
  return row;
}

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client as Postgres } from 'pg';
import { SecretBox } from '#libs/database';
import { findRunningPostgres } from '#libs/embedded-postgres';
import { BROWSER, Client, CREDENTIALS, CREDENTIALS_ENV, visit } from '../kit/client.js';
import { ExternalPostgres } from '../kit/external-postgres.js';
import { Instance, COMPILE_CACHE_ENV } from '../kit/instance.js';

const CLI = join(import.meta.dirname, '../../apps/cli/bin/agent-traffic.mjs');
const SECRET_KEY = SecretBox.generateKey();
const VISITS = 1_000_000;
const PER_REQUEST = 1_000;
const SENDERS = 2;

let target: ExternalPostgres;
let embedded: Instance;
beforeAll(async () => {
  target = await ExternalPostgres.start({ isEmpty: true });
  embedded = await Instance.start({ env: CREDENTIALS_ENV });
});
afterAll(async () => {
  await embedded.dispose();
  await target.dispose();
});

const runMigration = async (): Promise<{ code: number; stderr: string }> =>
  promisify(execFile)(process.execPath, [CLI, 'migrate', '--from-embedded', embedded.dataDirectory], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: target.url, SECRET_KEY, ...COMPILE_CACHE_ENV },
  }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  );

async function sendVisits(client: Client): Promise<void> {
  const batch = Array.from({ length: PER_REQUEST }, (_, index) => visit(`/page/${index % 40}`));
  let remaining = VISITS;
  const send = async (): Promise<void> => {
    while (remaining > 0) {
      remaining -= PER_REQUEST;
      expect((await client.post('/visits', batch)).status).toBe(204);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
}

interface DataSummary {
  visits: string;
  counts: string;
  partitions: string;
}

/** Returns checksums of all visits and counts, and the definitions of all partitions. */
async function summarizeData(url: string): Promise<DataSummary> {
  const database = new Postgres({ connectionString: url });
  await database.connect();
  try {
    const { rows } = await database.query<DataSummary>(
      `SELECT (SELECT sum(hashtextextended(f::text, 0)) FROM visits_full AS f) AS visits,
         (SELECT sum(hashtextextended(c::text, 0)) FROM visit_counts AS c) AS counts,
         (SELECT string_agg(format('%s %s %s', relname, pg_get_expr(relpartbound, c.oid),
                   (SELECT string_agg(pg_get_indexdef(indexrelid), ' ' ORDER BY indexrelid::regclass::text) FROM pg_index WHERE indrelid = c.oid)), E'\\n' ORDER BY relname)
          FROM pg_class AS c WHERE relispartition AND relkind = 'r') AS partitions`,
    );
    return rows[0]!;
  } finally {
    await database.end();
  }
}

it(
  "moves visits, counts, and tokens, and encrypts secrets with the deployment's key",
  async () => {
    const client = new Client({ url: embedded.url, ...CREDENTIALS });
    const project = await client.projectId();
    await sendVisits(client);
    await client.post('/visits', [
      visit('/people', { request_headers: { 'user-agent': BROWSER, 'x-odd': 'ä€\u{1f600}' } }),
    ]);
    const path = `/projects/${project}/tokens`;
    const { id, token } = await client.api<{ id: string; token: string }>(path, {
      method: 'POST',
      body: { name: 'Two' },
    });

    expect(await runMigration()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already running on this data'),
    });
    await embedded.stop();
    const key = await readFile(join(embedded.dataDirectory, 'secret-key'));
    await writeFile(join(embedded.dataDirectory, 'secret-key'), SecretBox.generateKey());
    expect(await runMigration()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("can't decrypt all of the instance's secrets"),
    });
    // The failed attempt didn't change anything. Simulate a key rotation in progress.
    await writeFile(join(embedded.dataDirectory, 'secret-key-previous'), key);
    const moved = await runMigration();
    expect(moved).toMatchObject({ code: 0, stderr: expect.stringContaining('Copied all data from') });
    expect(await runMigration()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already contains projects'),
    });

    const instance = await Instance.start({ env: { DATABASE_URL: target.url, SECRET_KEY } });
    const successor = new Client({ url: instance.url, ...CREDENTIALS });
    expect(await successor.api(`${path}/${id}`)).toMatchObject({ token });
    const facts = await summarizeData(target.url);
    expect((await successor.post('/visits', [visit('/after')], { token })).status).toBe(204);
    expect(await successor.visits({ path: '/after' })).toHaveLength(1);
    await instance.stop();

    // The embedded instance's own data must be unchanged.
    embedded = await embedded.restart();
    expect(await summarizeData((await findRunningPostgres(embedded.dataDirectory)).url)).toEqual(facts);
  },
  180_000 + VISITS,
);

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client as Postgres } from 'pg';
import { SecretBox } from '#libs/database';
import { runningPostgres } from '#libs/embedded-postgres';
import { BROWSER, Client, CREDENTIALS, CREDENTIALS_ENV, visit } from '../kit/client.js';
import { ExternalPostgres } from '../kit/external-postgres.js';
import { isFull } from '../kit/faults.js';
import { Instance, KEEPS_COMPILED } from '../kit/instance.js';

const CLI = join(import.meta.dirname, '../../apps/cli/bin/agent-traffic.mjs');
const SECRET_KEY = SecretBox.newKey();
const VISITS = isFull ? 1_000_000 : 200;
const PER_REQUEST = Math.min(VISITS, 1_000);
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

const move = async (): Promise<{ code: number; stderr: string }> =>
  promisify(execFile)(process.execPath, [CLI, 'migrate', '--from-embedded', embedded.dataDirectory], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: target.url, SECRET_KEY, ...KEEPS_COMPILED },
  }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  );

async function sendVisits(client: Client): Promise<void> {
  const batch = Array.from({ length: PER_REQUEST }, (_, index) => visit(`/page/${index % 40}`));
  let left = VISITS;
  const send = async (): Promise<void> => {
    while (left > 0) {
      left -= PER_REQUEST;
      expect((await client.post('/visits', batch)).status).toBe(204);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
}

interface Facts {
  visits: string;
  counts: string;
  partitions: string;
}

/** Hash sums of all visits and counts, and the definitions of all partitions. */
async function factsOf(url: string): Promise<Facts> {
  const database = new Postgres({ connectionString: url });
  await database.connect();
  try {
    const { rows } = await database.query<Facts>(
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
  'moves visits, counts and tokens, and encrypts secrets with the key of the deployment',
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

    expect(await move()).toMatchObject({ code: 1, stderr: expect.stringContaining('already running on this data') });
    await embedded.stop();
    const key = await readFile(join(embedded.dataDirectory, 'secret-key'));
    await writeFile(join(embedded.dataDirectory, 'secret-key'), SecretBox.newKey());
    expect(await move()).toMatchObject({ code: 1, stderr: expect.stringContaining('does not decrypt all secrets') });
    // The failed attempt changed nothing. This simulates a key rotation in progress.
    await writeFile(join(embedded.dataDirectory, 'secret-key-previous'), key);
    const moved = await move();
    expect(moved).toMatchObject({ code: 0, stderr: expect.stringContaining('Moved everything from') });
    expect(await move()).toMatchObject({ code: 1, stderr: expect.stringContaining('already has projects') });

    const instance = await Instance.start({ env: { DATABASE_URL: target.url, SECRET_KEY } });
    const successor = new Client({ url: instance.url, ...CREDENTIALS });
    expect(await successor.api(`${path}/${id}`)).toMatchObject({ token });
    const facts = await factsOf(target.url);
    expect((await successor.post('/visits', [visit('/after')], { token })).status).toBe(204);
    expect(await successor.visits({ path: '/after' })).toHaveLength(1);
    await instance.stop();

    // The embedded instance still has the same data.
    embedded = await embedded.restart();
    expect(await factsOf((await runningPostgres(embedded.dataDirectory)).url)).toEqual(facts);
  },
  180_000 + VISITS,
);

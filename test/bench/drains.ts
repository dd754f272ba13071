/** Compares drains with `/visits` for the same visits, from the first byte sent to the last visit stored. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ROUNDS, STORED_VISITS, WARM_UP_ROUNDS, type Row } from './compare.ts';
import { createVisit } from './load.ts';
import { connectTo } from './postgres.ts';

export const LINES_PER_REQUEST = 1_000;
const CONNECTIONS = 4;

/** Returns a visit's Logpush line, with all headers as custom fields. */
function createLine(number: number, time: number): string {
  const { request_headers: headers, request_path: path, ...answered } = createVisit(number);
  return JSON.stringify({
    ClientIP: '203.0.113.250',
    ClientRequestHost: headers.host,
    ClientRequestMethod: 'GET',
    ClientRequestURI: path,
    ClientRequestUserAgent: headers['user-agent'],
    ClientRequestReferer: headers.referer,
    EdgeStartTimestamp: time * 1e6,
    EdgeEndTimestamp: time * 1e6 + 12_500_000,
    EdgeResponseStatus: answered.response_status_code,
    EdgeResponseContentType: answered.response_headers['content-type'],
    RayID: randomBytes(8).toString('hex'),
    ParentRayID: '00',
    RequestHeaders: headers,
  });
}

const numbers = Array.from({ length: LINES_PER_REQUEST }, (_, number) => number);
const createBodies = {
  '/drains/cloudflare-logpush': (time: number) => numbers.map((number) => createLine(number, time)).join('\n'),
  '/visits': (time: number) => {
    const created = new Date(time).toISOString();
    return JSON.stringify(
      numbers.map((number) => ({ ...createVisit(number), client_address: '203.0.113.250', created })),
    );
  },
};

/** Sends drain requests with {@link LINES_PER_REQUEST} lines each. */
export function postDrains({ url, token }: { url: string; token: string }, requests: number): Promise<void> {
  const path = '/drains/cloudflare-logpush';
  const now = Date.now();
  return postAll(
    url + path,
    token,
    Array.from({ length: requests }, (_, request) => createBodies[path](now - request)),
  );
}

async function postAll(url: string, token: string, pendingBodies: string[]): Promise<void> {
  const post = async (): Promise<void> => {
    for (let body = pendingBodies.pop(); body !== undefined; body = pendingBodies.pop())
      await postOnce(url, token, body);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, post));
}

/** @param databaseUrl The instance's database. Nothing else may store visits in it during the measurement. */
export async function measureDrains(url: string, databaseUrl: string, token: string): Promise<Row> {
  const row: Row = {
    what: `drain, ${LINES_PER_REQUEST} lines per request, received to stored`,
    peer: `/visits, ${LINES_PER_REQUEST} per request`,
    unit: 'visits/s',
    ours: [],
    theirs: [],
    goal: 0.9,
  };
  const pool = connectTo(databaseUrl);
  const rate = async (path: keyof typeof createBodies): Promise<number> => {
    await pool.query('TRUNCATE visits, unknown_visits');
    const now = Date.now();
    const pendingBodies = Array.from({ length: STORED_VISITS / LINES_PER_REQUEST }, (_, request) =>
      createBodies[path](now - request),
    );
    const started = performance.now();
    await postAll(url + path, token, pendingBodies);
    for (let stored = 0; stored < STORED_VISITS; await pause(5)) {
      const { rows } = await pool.query('SELECT count(*)::int AS stored FROM unknown_visits');
      stored = rows[0].stored;
    }
    return (STORED_VISITS * 1_000) / (performance.now() - started);
  };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const [ours, theirs] = [await rate('/drains/cloudflare-logpush'), await rate('/visits')];
    if (round < 0) continue;
    row.ours.push(ours);
    row.theirs.push(theirs);
    process.stderr.write('.');
  }
  await pool.end();
  return row;
}

/** Posts a body. Retries while the instance is overloaded. */
async function postOnce(url: string, token: string, body: string): Promise<void> {
  for (;;) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.arrayBuffer();
    if (response.ok) return;
    if (response.status !== 503) throw new Error(`${url}: ${response.status}`);
    await pause(Number(response.headers.get('retry-after')) * 100);
  }
}

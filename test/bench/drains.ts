/** Compares drains with `/visits`, for the same visits, from the first byte sent to the last visit stored. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ROUNDS, STORED, WARM_UPS, type Row } from './compare.ts';
import { visit } from './load.ts';
import { connectTo } from './postgres.ts';

/** Lines per request. */
export const LINES = 1_000;
const CONNECTIONS = 4;

/** Returns the Logpush line of a visit, with all headers as custom fields. */
function line(number: number, time: number): string {
  const { request_headers: headers, request_path: path, ...answered } = visit(number);
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

const numbers = Array.from({ length: LINES }, (_, number) => number);
const bodies = {
  '/drains/cloudflare-logpush': (time: number) => numbers.map((number) => line(number, time)).join('\n'),
  '/visits': (time: number) => {
    const created = new Date(time).toISOString();
    return JSON.stringify(numbers.map((number) => ({ ...visit(number), client_address: '203.0.113.250', created })));
  },
};

/** Sends drain requests with {@link LINES} lines each. */
export function postDrains({ url, token }: { url: string; token: string }, requests: number): Promise<void> {
  const path = '/drains/cloudflare-logpush';
  const now = Date.now();
  return postAll(
    url + path,
    token,
    Array.from({ length: requests }, (_, request) => bodies[path](now - request)),
  );
}

async function postAll(url: string, token: string, waiting: string[]): Promise<void> {
  const post = async (): Promise<void> => {
    for (let body = waiting.pop(); body !== undefined; body = waiting.pop()) await postOnce(url, token, body);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, post));
}

/** @param databaseUrl database of the instance. Nothing else may store visits in the meantime. */
export async function drainsRow(url: string, databaseUrl: string, token: string): Promise<Row> {
  const row: Row = {
    what: `drain of ${LINES} lines a request, received to stored`,
    peer: `/visits, ${LINES} a request`,
    unit: 'visits/s',
    ours: [],
    theirs: [],
    goal: 0.9,
  };
  const pool = connectTo(databaseUrl);
  const rate = async (path: keyof typeof bodies): Promise<number> => {
    await pool.query('TRUNCATE visits, unknown_visits');
    const now = Date.now();
    const waiting = Array.from({ length: STORED / LINES }, (_, request) => bodies[path](now - request));
    const started = performance.now();
    await postAll(url + path, token, waiting);
    for (let stored = 0; stored < STORED; await pause(5)) {
      const { rows } = await pool.query('SELECT count(*)::int AS stored FROM unknown_visits');
      stored = rows[0].stored;
    }
    return (STORED * 1_000) / (performance.now() - started);
  };
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
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

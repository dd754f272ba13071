import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip, zstdCompress } from 'node:zlib';
import type { DrainSource } from '#libs/contracts';

/** Path that the sample asks for. */
export const SAMPLE_PATH = '/agent-traffic-drain-test';
const USER_AGENT = 'agent-traffic-drain-test/1.0';
const CLIENT = '203.0.113.7';
const HOST = 'www.example.com';

/** A request as a sender makes it. */
export interface SampleRequest {
  /** What it is, for people. */
  name: string;
  /** After the path; empty without one. */
  query: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface SampleOptions {
  token: string;
  now: Date;
  /** That Vercel signs with. */
  vercelSecret?: string | undefined;
}

/** What a line says, in the units that sources have. */
interface Sample {
  now: Date;
  path: string;
  seconds: number;
}

type MakeLine = (sample: Sample) => object;

const LINES: Record<Exclude<DrainSource, 'opentelemetry' | 'aws-firehose'>, MakeLine> = {
  'cloudflare-logpush': ({ now, path }) => ({
    ClientIP: CLIENT,
    ClientRequestHost: HOST,
    ClientRequestMethod: 'GET',
    ClientRequestURI: path,
    ClientRequestUserAgent: USER_AGENT,
    ClientRequestReferer: '',
    EdgeStartTimestamp: now.toISOString(),
    EdgeEndTimestamp: now.toISOString(),
    EdgeResponseStatus: 200,
    RayID: randomBytes(8).toString('hex'),
    ParentRayID: '00',
  }),
  vercel: ({ now, path }) => ({
    id: randomUUID(),
    deploymentId: 'dpl_test',
    source: 'static',
    host: HOST,
    timestamp: now.getTime(),
    projectId: 'prj_test',
    level: 'info',
    environment: 'production',
    requestId: randomUUID(),
    proxy: {
      timestamp: now.getTime(),
      method: 'GET',
      host: HOST,
      path,
      userAgent: [USER_AGENT],
      region: 'fra1',
      statusCode: 200,
      clientIp: CLIENT,
    },
  }),
  netlify: ({ now, path }) => ({
    timestamp: now.toISOString(),
    log_type: 'traffic',
    request_id: randomUUID(),
    method: 'GET',
    url: `https://${HOST}${path}`,
    status_code: 200,
    duration: 12,
    client_ip: CLIENT,
    user_agent: USER_AGENT,
  }),
  fastly: ({ now, path }) => ({
    timestamp: now.toISOString(),
    client_ip: CLIENT,
    host: HOST,
    url: path,
    request_method: 'GET',
    request_user_agent: USER_AGENT,
    response_status: 200,
    time_elapsed: 12_000,
  }),
  akamai: ({ path, seconds }) => ({
    version: '2',
    reqId: randomBytes(4).toString('hex'),
    reqTimeSec: seconds.toFixed(3),
    reqMethod: 'GET',
    reqHost: HOST,
    reqPath: path.slice(1),
    cliIP: CLIENT,
    UA: encodeURIComponent(USER_AGENT),
    statusCode: '200',
    turnAroundTimeMSec: '12',
  }),
  vector: ({ now, path }) => ({
    timestamp: now.toISOString(),
    source_type: 'file',
    message: `${CLIENT} - - [${apacheTime(now)}] "GET ${path} HTTP/1.1" 200 5 "-" "${USER_AGENT}"`,
  }),
  'fluent-bit': ({ now, path, seconds }) => ({
    date: seconds,
    log: `${CLIENT} - - [${apacheTime(now)}] "GET ${path} HTTP/1.1" 200 5 "-" "${USER_AGENT}"`,
  }),
  json: ({ path, seconds }) => ({
    ts: seconds,
    request: { remote_ip: CLIENT, method: 'GET', host: HOST, uri: path, headers: { 'User-Agent': [USER_AGENT] } },
    status: 200,
    duration: 0.012,
  }),
};

const gzipped = promisify(gzip);
const zstdCompressed = promisify(zstdCompress);

/** Two lines: a page, and a static file, which is left out unless the project wants it. */
export async function sampleRequests(
  source: DrainSource,
  { token, now, vercelSecret }: SampleOptions,
): Promise<SampleRequest[]> {
  const lines = (make: MakeLine): object[] =>
    [SAMPLE_PATH, `${SAMPLE_PATH}.png`].map((path) => make({ now, path, seconds: now.getTime() / 1_000 }));
  const json = { 'content-type': 'application/json' };
  const bearer = { authorization: `Bearer ${token}` };
  const ndjson = (of: readonly object[]): string => of.map((line) => `${JSON.stringify(line)}\n`).join('');
  const request = (
    name: string,
    headers: Record<string, string>,
    body: string | Buffer,
    query = '',
  ): SampleRequest => ({
    name,
    query,
    headers,
    body: Buffer.from(body),
  });
  switch (source) {
    case 'cloudflare-logpush': {
      const headers = { ...bearer, 'content-type': 'text/plain', 'content-encoding': 'gzip' };
      return [
        request('the test upload, gzip', headers, await gzipped('{"content":"tests"}\n')),
        request('lines, gzip', headers, await gzipped(ndjson(lines(LINES[source])))),
      ];
    }
    case 'vercel': {
      const body = JSON.stringify(lines(LINES[source]));
      const signature: Record<string, string> =
        vercelSecret === undefined
          ? {}
          : { 'x-vercel-signature': createHmac('sha1', vercelSecret).update(body).digest('hex') };
      return [
        request(
          `an array, ${vercelSecret === undefined ? 'not signed' : 'signed'}`,
          { ...bearer, ...json, ...signature },
          body,
        ),
      ];
    }
    case 'akamai': {
      const authorization = `Basic ${Buffer.from(`agent-traffic:${token}`).toString('base64')}`;
      return [
        request(
          'lines, gzip, with a password',
          { authorization, ...json, 'content-encoding': 'gzip' },
          await gzipped(ndjson(lines(LINES[source]))),
        ),
      ];
    }
    case 'aws-firehose': {
      const requestId = randomUUID();
      const records = lines(LINES['cloudflare-logpush']).map((line) => ({
        data: Buffer.from(`${JSON.stringify(line)}\n`).toString('base64'),
      }));
      const headers = { ...json, 'x-amz-firehose-access-key': token, 'x-amz-firehose-request-id': requestId };
      return [
        request(
          'records, with an access key',
          headers,
          JSON.stringify({ requestId, timestamp: now.getTime(), records }),
        ),
      ];
    }
    case 'opentelemetry': {
      const logRecords = [SAMPLE_PATH, `${SAMPLE_PATH}.png`].map((path) => logRecord(now, path));
      return [
        request(
          'an export of logs, JSON',
          { ...bearer, ...json },
          JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
        ),
      ];
    }
    case 'vector':
      return [
        request(
          'an array, zstd',
          { ...bearer, ...json, 'content-encoding': 'zstd' },
          await zstdCompressed(JSON.stringify(lines(LINES[source]))),
        ),
      ];
    case 'fluent-bit':
      return [request('an array', { ...bearer, ...json }, JSON.stringify(lines(LINES[source])))];
    case 'netlify':
      return [request('lines, with the token in the address', json, ndjson(lines(LINES[source])), `?token=${token}`)];
    case 'fastly':
    case 'json':
      return [request('lines', { ...bearer, ...json }, ndjson(lines(LINES[source])))];
  }
}

function logRecord(now: Date, path: string): object {
  const attributes = {
    'http.request.method': 'GET',
    'url.path': path,
    'client.address': CLIENT,
    'server.address': HOST,
    'user_agent.original': USER_AGENT,
  };
  return {
    timeUnixNano: `${now.getTime()}000000`,
    attributes: [
      ...Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
      { key: 'http.response.status_code', value: { intValue: '200' } },
    ],
  };
}

/** `21/Nov/2026:08:30:00 +0000` */
function apacheTime(time: Date): string {
  const [, day, month, year, clock] = /(\d\d) (\w{3}) (\d{4}) ([\d:]+)/.exec(time.toUTCString())!;
  return `${day}/${month}/${year}:${clock} +0000`;
}

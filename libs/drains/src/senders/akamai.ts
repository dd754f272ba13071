import { VERIFIED_BY_ADDRESS, toDrainUrl } from '../guide-text.js';
import { JSON_HEADERS, toNdjson, randomHex, SAMPLE, createSampleLines, toEpochSeconds } from '../sample-lines.js';
import type { DrainSender } from '../sender.js';

const FIELDS = (
  'reqTimeSec cliIP reqMethod reqHost reqPath queryStr statusCode UA referer xForwardedFor ' +
  'rspContentType rspContentLen turnAroundTimeMSec transferTimeMSec reqId'
).split(' ');

const createLine = (now: Date, path: string): object => ({
  version: '2',
  reqId: randomHex(8),
  reqTimeSec: toEpochSeconds(now).toFixed(3),
  reqMethod: 'GET',
  reqHost: SAMPLE.host,
  reqPath: path.slice(1),
  cliIP: SAMPLE.client,
  UA: encodeURIComponent(SAMPLE.userAgent),
  statusCode: '200',
  turnAroundTimeMSec: '12',
});

export const akamai = {
  name: 'akamai',
  label: 'Akamai',
  sample: ({ token, now }) => [
    {
      name: 'lines, gzip, password',
      headers: { authorization: `Basic ${btoa(`agent-traffic:${token}`)}`, ...JSON_HEADERS },
      body: toNdjson(createSampleLines((path) => createLine(now, path))),
      encoding: 'gzip',
    },
  ],
  guide: {
    lead: 'DataStream 2 sends logs every 30 seconds. In Akamai Control Center, go to DataStream → Create stream. Choose the JSON log format and a Custom HTTPS destination with compression. Akamai requires a host name for this instance, not an IP address.',
    parts: (destination) => [
      { title: 'Endpoint URL', text: toDrainUrl(destination, 'akamai') },
      { title: 'User name, with Basic authentication', text: 'agent-traffic' },
      { title: 'Password', text: destination.token },
      { title: 'Data set fields', text: FIELDS.join(', ') },
    ],
    settings: [],
    isRemote: true,
    verifiedBy: VERIFIED_BY_ADDRESS,
    lacks: 'All headers except User-Agent, Referer and X-Forwarded-For, so signatures can’t be verified.',
  },
} as const satisfies DrainSender;

import { BY_ADDRESS, urlOf } from '../guide-text.js';
import { JSON_TYPE, ndjson, randomHex, SAMPLE, sampleLines, secondsOf } from '../sample-lines.js';
import type { DrainSender } from '../sender.js';

const FIELDS = (
  'reqTimeSec cliIP reqMethod reqHost reqPath queryStr statusCode UA referer xForwardedFor ' +
  'rspContentType rspContentLen turnAroundTimeMSec transferTimeMSec reqId'
).split(' ');

const line = (now: Date, path: string): object => ({
  version: '2',
  reqId: randomHex(8),
  reqTimeSec: secondsOf(now).toFixed(3),
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
      name: 'lines, gzip, with a password',
      headers: { authorization: `Basic ${btoa(`agent-traffic:${token}`)}`, ...JSON_TYPE },
      body: ndjson(sampleLines((path) => line(now, path))),
      encoding: 'gzip',
    },
  ],
  guide: {
    lead: 'DataStream 2 sends logs every 30 seconds. In Akamai Control Center: DataStream → Create stream → log format JSON → destination Custom HTTPS, compressed. Akamai needs a host name for this instance, not an IP address.',
    parts: (destination) => [
      { title: 'Endpoint URL', text: urlOf(destination, 'akamai') },
      { title: 'User name, with the authentication Basic', text: 'agent-traffic' },
      { title: 'Password', text: destination.token },
      { title: 'Data set fields', text: FIELDS.join(', ') },
    ],
    settings: [],
    isRemote: true,
    verifiedBy: BY_ADDRESS,
    lacks: 'All headers but the user agent, the referer and X-Forwarded-For, so no signatures.',
  },
} as const satisfies DrainSender;

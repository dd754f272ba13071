import { BY_SIGNATURE, bearer, urlOf } from '../guide-text.js';
import { bearerJson, ndjson, SAMPLE, sampleLines, secondsOf } from '../sample-lines.js';
import type { DrainSender } from '../sender.js';

const line = (now: Date, path: string): object => ({
  ts: secondsOf(now),
  request: {
    remote_ip: SAMPLE.client,
    method: 'GET',
    host: SAMPLE.host,
    uri: path,
    headers: { 'User-Agent': [SAMPLE.userAgent] },
  },
  status: 200,
  duration: 0.012,
});

export const json = {
  name: 'json',
  label: 'JSON',
  keys: 'project',
  sample: (options) => [
    { name: 'lines', headers: bearerJson(options), body: ndjson(sampleLines((path) => line(options.now, path))) },
  ],
  guide: {
    lead: 'For anything else that can post JSON: lines, an array or one object, compressed or not. Enter your keys below, or send a format that logs import reads.',
    parts: (destination) => [
      {
        title: 'In a shell, to try a file',
        text: `curl ${urlOf(destination, 'json')} \\\n  -H 'Authorization: ${bearer(destination)}' \\\n  --data-binary @access.ndjson`,
      },
    ],
    settings: ['mapping'],
    isRemote: false,
    verifiedBy: `${BY_SIGNATURE}, if an object has all headers and the mapping says where.`,
    lacks: 'What the mapping doesn’t name.',
  },
} as const satisfies DrainSender;

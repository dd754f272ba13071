import { VERIFIED_BY_SIGNATURE, toBearerHeader, toDrainUrl } from '../guide-text.js';
import { createJsonHeaders, toNdjson, SAMPLE, createSampleLines, toEpochSeconds } from '../sample-lines.js';
import type { DrainSender } from '../sender.js';

const createLine = (now: Date, path: string): object => ({
  ts: toEpochSeconds(now),
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
    {
      name: 'lines',
      headers: createJsonHeaders(options),
      body: toNdjson(createSampleLines((path) => createLine(options.now, path))),
    },
  ],
  guide: {
    lead: 'For any other sender that can post JSON, as lines, an array or a single object. Compression is optional. Enter your keys below, or send a format supported by logs import.',
    parts: (destination) => [
      {
        title: 'In a shell, to test with a file',
        text: `curl ${toDrainUrl(destination, 'json')} \\\n  -H 'Authorization: ${toBearerHeader(destination)}' \\\n  --data-binary @access.ndjson`,
      },
    ],
    settings: ['mapping'],
    isRemote: false,
    verifiedBy: `${VERIFIED_BY_SIGNATURE}. Signatures require objects with all headers and a mapping for them.`,
    lacks: 'Anything that the mapping doesn’t cover.',
  },
} as const satisfies DrainSender;

import {
  VERIFIED_BY_SIGNATURE,
  MCP_HEADERS,
  OFFER_HEADERS,
  PAYMENT_RESPONSE_HEADERS,
  SIGNATURE_HEADERS,
  toBearerHeader,
  toDrainUrl,
} from '../guide-text.js';
import { toNdjson, randomHex, SAMPLE, createSampleLines } from '../sample-lines.js';
import type { Destination, DrainSender } from '../sender.js';

/** Fields required for visits, and fields that distinguish visitors' requests from Cloudflare's own. */
const FIELDS = (
  'EdgeStartTimestamp EdgeEndTimestamp ClientIP ClientRequestMethod ClientRequestHost ClientRequestURI ' +
  'ClientRequestUserAgent ClientRequestReferer ClientRequestSource EdgeResponseStatus ' +
  'EdgeResponseContentType EdgeResponseBodyBytes EdgeTimeToFirstByteMs RayID ParentRayID ' +
  'RequestHeaders ResponseHeaders'
).split(' ');

/**
 * Filters by content type, because a list of file extensions would exceed Cloudflare's limit of 1,000 bytes per filter.
 */
const FILTER = JSON.stringify({
  where: {
    and: [
      ...['image/', 'font/', 'video/', 'audio/'].map((value) => ['!startsWith', value] as const),
      ...['css', 'javascript'].map((value) => ['!contains', value] as const),
    ].map(([operator, value]) => ({ key: 'EdgeResponseContentType', operator, value })),
  },
});

const toDestinationUrl = (destination: Destination): string =>
  `${toDrainUrl(destination, 'cloudflare-logpush')}?header_Authorization=Bearer%20${destination.token}`;

const toJobJson = (destination: Destination): string =>
  JSON.stringify({
    name: 'agent-traffic',
    dataset: 'http_requests',
    destination_conf: toDestinationUrl(destination),
    output_options: { field_names: FIELDS, timestamp_format: 'unixnano' },
    filter: FILTER,
    max_upload_bytes: 5_000_000,
    max_upload_interval_seconds: 30,
    enabled: true,
  });

export const createLogpushLine = (now: Date, path: string): object => ({
  ClientIP: SAMPLE.client,
  ClientRequestHost: SAMPLE.host,
  ClientRequestMethod: 'GET',
  ClientRequestURI: path,
  ClientRequestUserAgent: SAMPLE.userAgent,
  ClientRequestReferer: '',
  EdgeStartTimestamp: now.toISOString(),
  EdgeEndTimestamp: now.toISOString(),
  EdgeResponseStatus: 200,
  RayID: randomHex(16),
  ParentRayID: '00',
});

export const cloudflareLogpush = {
  name: 'cloudflare-logpush',
  label: 'Cloudflare',
  // Source: developers.cloudflare.com/logs/logpush/logpush-job/enable-destinations/http.
  isTest: (line) => /^\{"content": ?"tests?"\}$/.test(line.trim()),
  sample: (options) => {
    const headers = { authorization: toBearerHeader(options), 'content-type': 'text/plain' };
    const lines = createSampleLines((path) => createLogpushLine(options.now, path));
    return [
      { name: 'test upload, gzip', headers, body: '{"content":"tests"}\n', encoding: 'gzip' },
      { name: 'lines, gzip', headers, body: toNdjson(lines), encoding: 'gzip' },
    ];
  },
  guide: {
    lead: 'Logpush sends a zone’s requests about a minute after they occur. In the Cloudflare dashboard, select your domain and go to Analytics & Logs → Logpush → Create a Logpush job. Choose HTTP destination and the HTTP requests dataset.',
    parts: (destination) => [
      { title: 'HTTP endpoint', text: toDestinationUrl(destination) },
      { title: 'Send the following fields', text: FIELDS.join(', ') },
      { title: 'Filter that excludes images, styles and scripts, to save costs', text: FILTER },
      {
        title: 'Custom log fields (type Request Header), to verify signatures and recognize MCP calls and payments',
        text: [...SIGNATURE_HEADERS, ...MCP_HEADERS, ...OFFER_HEADERS].join('\n'),
      },
      {
        title: 'Custom log fields (type Response Header), to recognize payments',
        text: PAYMENT_RESPONSE_HEADERS.join('\n'),
      },
      {
        title: 'Or create the job with the Cloudflare API: POST /zones/{zone_id}/logpush/jobs',
        text: toJobJson(destination),
      },
    ],
    settings: [],
    isRemote: true,
    verifiedBy: `${VERIFIED_BY_SIGNATURE}. Signatures require the custom log fields above.`,
    lacks:
      'Request bodies and other headers. Choose UnixNano timestamps for exact durations. With whole seconds, the duration is the time to first byte.',
  },
} as const satisfies DrainSender;

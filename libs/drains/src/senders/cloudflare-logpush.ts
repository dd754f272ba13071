import { BY_SIGNATURE, SIGNATURE_HEADERS, bearer, urlOf } from '../guide-text.js';
import { ndjson, randomHex, SAMPLE, sampleLines } from '../sample-lines.js';
import type { Destination, DrainSender } from '../sender.js';

/** Fields that visits need, and fields that distinguish visitors' requests from Cloudflare's own. */
const FIELDS = (
  'EdgeStartTimestamp EdgeEndTimestamp ClientIP ClientRequestMethod ClientRequestHost ClientRequestURI ' +
  'ClientRequestUserAgent ClientRequestReferer ClientRequestSource EdgeResponseStatus ' +
  'EdgeResponseContentType EdgeResponseBodyBytes EdgeTimeToFirstByteMs RayID ParentRayID ' +
  'RequestHeaders'
).split(' ');

/** Filters by content type, because a list of file extensions would exceed the limit of 1,000 bytes per filter. */
const FILTER = JSON.stringify({
  where: {
    and: [
      ...['image/', 'font/', 'video/', 'audio/'].map((value) => ['!startsWith', value] as const),
      ...['css', 'javascript'].map((value) => ['!contains', value] as const),
    ].map(([operator, value]) => ({ key: 'EdgeResponseContentType', operator, value })),
  },
});

const destinationOf = (destination: Destination): string =>
  `${urlOf(destination, 'cloudflare-logpush')}?header_Authorization=Bearer%20${destination.token}`;

const jobOf = (destination: Destination): string =>
  JSON.stringify({
    name: 'agent-traffic',
    dataset: 'http_requests',
    destination_conf: destinationOf(destination),
    output_options: { field_names: FIELDS, timestamp_format: 'unixnano' },
    filter: FILTER,
    max_upload_bytes: 5_000_000,
    max_upload_interval_seconds: 30,
    enabled: true,
  });

export const logpushLine = (now: Date, path: string): object => ({
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
  // developers.cloudflare.com/logs/logpush/logpush-job/enable-destinations/http
  isTest: (line) => /^\{"content": ?"tests?"\}$/.test(line.trim()),
  sample: (options) => {
    const headers = { authorization: bearer(options), 'content-type': 'text/plain' };
    const lines = sampleLines((path) => logpushLine(options.now, path));
    return [
      { name: 'the test upload, gzip', headers, body: '{"content":"tests"}\n', encoding: 'gzip' },
      { name: 'lines, gzip', headers, body: ndjson(lines), encoding: 'gzip' },
    ];
  },
  guide: {
    lead: 'Logpush sends a zone’s requests about a minute after they happen. In Cloudflare’s dashboard: your domain → Analytics & Logs → Logpush → Create a Logpush job → HTTP destination, with the dataset HTTP requests.',
    parts: (destination) => [
      { title: 'HTTP endpoint', text: destinationOf(destination) },
      { title: 'Send the following fields', text: FIELDS.join(', ') },
      { title: 'Filter, so that you don’t pay for images, styles and scripts', text: FILTER },
      {
        title: 'Custom log fields of the type Request Header, for signatures',
        text: SIGNATURE_HEADERS.join('\n'),
      },
      {
        title: 'Or the job as one request: POST /zones/{zone_id}/logpush/jobs of Cloudflare’s API',
        text: jobOf(destination),
      },
    ],
    settings: [],
    isRemote: true,
    verifiedBy: `${BY_SIGNATURE}, once the custom log fields above are set.`,
    lacks:
      'Request bodies and other headers. The duration is the time to the first byte where times are whole seconds: choose UnixNano.',
  },
} as const satisfies DrainSender;

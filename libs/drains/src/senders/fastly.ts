import {
  OFFER_HEADERS,
  PAYMENT_RESPONSE_HEADERS,
  VERIFIED_BY_SIGNATURE,
  toBearerHeader,
  toDrainUrl,
} from '../guide-text.js';
import { createJsonHeaders, toNdjson, SAMPLE, createSampleLines } from '../sample-lines.js';
import type { DrainSender } from '../sender.js';

/** Returns the log format expression for a header. It evaluates to an empty string if the header is missing. */
const toHeaderExpression = (name: string, message: 'req' | 'resp' = 'req'): string =>
  `"%{if(${message}.http.${name}, json.escape(${message}.http.${name}), "")}V"`;

const toKey = (header: string): string => header.replaceAll('-', '_');

const FORMAT = `{ ${Object.entries({
  timestamp: '%{time.start.msec}V',
  time_elapsed: '%{time.elapsed.usec}V',
  client_ip: '"%{client.ip}V"',
  request_method: '"%{json.escape(req.method)}V"',
  host: '"%{json.escape(if(req.http.Fastly-Orig-Host, req.http.Fastly-Orig-Host, req.http.Host))}V"',
  url: '"%{json.escape(req.url)}V"',
  response_status: '%{resp.status}V',
  response_body_size: '%{resp.body_bytes_written}V',
  response_content_type: toHeaderExpression('Content-Type', 'resp'),
  request_user_agent: toHeaderExpression('User-Agent'),
  request_referer: toHeaderExpression('Referer'),
  signature: toHeaderExpression('Signature'),
  signature_input: toHeaderExpression('Signature-Input'),
  signature_agent: toHeaderExpression('Signature-Agent'),
  mcp_method: toHeaderExpression('Mcp-Method'),
  mcp_name: toHeaderExpression('Mcp-Name'),
  mcp_protocol_version: toHeaderExpression('Mcp-Protocol-Version'),
  ...Object.fromEntries(OFFER_HEADERS.map((name) => [toKey(name), toHeaderExpression(name)])),
  ...Object.fromEntries(
    PAYMENT_RESPONSE_HEADERS.map((name) => [`response_${toKey(name)}`, toHeaderExpression(name, 'resp')]),
  ),
})
  .map(([key, value]) => `"${key}": ${value}`)
  .join(', ')} }`;

const createLine = (now: Date, path: string): object => ({
  timestamp: now.toISOString(),
  client_ip: SAMPLE.client,
  host: SAMPLE.host,
  url: path,
  request_method: 'GET',
  request_user_agent: SAMPLE.userAgent,
  response_status: 200,
  time_elapsed: 12_000,
});

export const fastly = {
  name: 'fastly',
  label: 'Fastly',
  sample: (options) => [
    {
      name: 'lines',
      headers: createJsonHeaders(options),
      body: toNdjson(createSampleLines((path) => createLine(options.now, path))),
    },
  ],
  guide: {
    lead: 'Fastly sends one JSON line per request, in the format below. Enter your service ID here first, because Fastly checks with this host whether the service is allowed to send logs to it. Then select your service in Fastly and go to Logging → HTTPS → Create endpoint. Choose POST, newline-delimited JSON, the Blank log line format, and Gzip.',
    parts: (destination) => [
      { title: 'URL', text: toDrainUrl(destination, 'fastly') },
      { title: 'Log format', text: FORMAT },
      { title: 'Custom header name', text: 'Authorization' },
      { title: 'Custom header value', text: toBearerHeader(destination) },
      {
        title: 'Condition that prevents shielded requests from counting twice',
        text: 'fastly.ff.visits_this_service == 0',
      },
    ],
    settings: ['fastly_service_ids'],
    isRemote: true,
    verifiedBy: `${VERIFIED_BY_SIGNATURE}. This requires the log format above. Don’t replace client.ip with the Fastly-Client-IP header, because visitors can forge it.`,
    lacks:
      'Other headers, unless you add them to the log format. Without the condition, requests from Fastly’s shields count as visits.',
  },
} as const satisfies DrainSender;

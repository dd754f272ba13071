import { BY_SIGNATURE, bearer, urlOf } from '../guide-text.js';
import { bearerJson, ndjson, SAMPLE, sampleLines } from '../sample-lines.js';
import type { DrainSender } from '../sender.js';

/** Returns the log format expression for a request header. It evaluates to an empty string if the header is missing. */
const header = (name: string): string => `"%{if(req.http.${name}, json.escape(req.http.${name}), "")}V"`;

const FORMAT = `{ ${Object.entries({
  timestamp: '%{time.start.msec}V',
  time_elapsed: '%{time.elapsed.usec}V',
  client_ip: '"%{client.ip}V"',
  request_method: '"%{json.escape(req.method)}V"',
  host: '"%{json.escape(if(req.http.Fastly-Orig-Host, req.http.Fastly-Orig-Host, req.http.Host))}V"',
  url: '"%{json.escape(req.url)}V"',
  response_status: '%{resp.status}V',
  response_body_size: '%{resp.body_bytes_written}V',
  response_content_type: '"%{if(resp.http.Content-Type, json.escape(resp.http.Content-Type), "")}V"',
  request_user_agent: header('User-Agent'),
  request_referer: header('Referer'),
  signature: header('Signature'),
  signature_input: header('Signature-Input'),
  signature_agent: header('Signature-Agent'),
})
  .map(([key, value]) => `"${key}": ${value}`)
  .join(', ')} }`;

const line = (now: Date, path: string): object => ({
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
    { name: 'lines', headers: bearerJson(options), body: ndjson(sampleLines((path) => line(options.now, path))) },
  ],
  guide: {
    lead: 'Fastly sends a line of JSON for each request, in the format below. Enter the service’s ID here first: Fastly asks this host whether that service may send logs to it. Then, in Fastly: your service → Logging → HTTPS → Create endpoint, with POST, newline delimited JSON, the log line format Blank, and Gzip.',
    parts: (destination) => [
      { title: 'URL', text: urlOf(destination, 'fastly') },
      { title: 'Log format', text: FORMAT },
      { title: 'Custom header name', text: 'Authorization' },
      { title: 'Custom header value', text: bearer(destination) },
      {
        title: 'Condition, so that a request through a shield counts once',
        text: 'fastly.ff.visits_this_service == 0',
      },
    ],
    settings: ['fastly_service_ids'],
    isRemote: true,
    verifiedBy: `${BY_SIGNATURE}, with the log format above. Keep client.ip in it: visitors can forge the header Fastly-Client-IP.`,
    lacks:
      'Other headers, unless you add them to the format. Without the condition, requests from Fastly’s shields count as visits.',
  },
} as const satisfies DrainSender;

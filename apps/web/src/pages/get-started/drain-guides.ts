import type { DrainSource } from '../../drains/queries.js';
import type { DrainField } from '../../drains/settings-fields.js';
import type { Access, SnippetPart } from '../../ui/snippet-part.js';

/** How a source is made to send its logs, and what they are good for. */
export interface DrainGuide {
  /** What it sends, and where that is set up. */
  lead: string;
  /** What to enter where, in the order in which the source asks for it. */
  parts: (access: Access) => readonly SnippetPart[];
  /** Settings of the project that it needs. */
  settings: readonly DrainField[];
  /** Whether it sends over the internet, and to https alone. */
  isRemote: boolean;
  verifiedBy: string;
  lacks: string;
}

const BY_ADDRESS = 'Agents with published addresses or host names: the log has the visitor’s address.';
const BY_SIGNATURE = 'Agents with published addresses or host names, and Web Bot Auth signatures';
const SIGNATURE_HEADERS = ['signature', 'signature-input', 'signature-agent'];

const urlOf = ({ address }: Access, source: DrainSource): string => `${address}/drains/${source}`;
const bearer = ({ token }: Access): string => `Bearer ${token}`;

/** What Logpush is asked for: what a visit needs, and what tells visitors' requests from Cloudflare's own. */
const LOGPUSH_FIELDS = (
  'EdgeStartTimestamp EdgeEndTimestamp ClientIP ClientRequestMethod ClientRequestHost ClientRequestURI ' +
  'ClientRequestUserAgent ClientRequestReferer ClientRequestSource EdgeResponseStatus ' +
  'EdgeResponseContentType EdgeResponseBodyBytes EdgeTimeToFirstByteMs RayID ParentRayID ' +
  'RequestHeaders'
).split(' ');

/** By the type of the answer: a condition for each extension would exceed the 1,000 bytes that a filter may have. */
const LOGPUSH_FILTER = JSON.stringify({
  where: {
    and: [
      ...['image/', 'font/', 'video/', 'audio/'].map((value) => ['!startsWith', value] as const),
      ...['css', 'javascript'].map((value) => ['!contains', value] as const),
    ].map(([operator, value]) => ({ key: 'EdgeResponseContentType', operator, value })),
  },
});

const logpushUrl = (access: Access): string =>
  `${urlOf(access, 'cloudflare-logpush')}?header_Authorization=Bearer%20${access.token}`;

const logpushJob = (access: Access): string =>
  JSON.stringify({
    name: 'agent-traffic',
    dataset: 'http_requests',
    destination_conf: logpushUrl(access),
    output_options: { field_names: LOGPUSH_FIELDS, timestamp_format: 'unixnano' },
    filter: LOGPUSH_FILTER,
    max_upload_bytes: 5_000_000,
    max_upload_interval_seconds: 30,
    enabled: true,
  });

/** A header of the request in a log format of Fastly, empty where there is none. */
const fastlyHeader = (name: string): string => `"%{if(req.http.${name}, json.escape(req.http.${name}), "")}V"`;

const FASTLY_FORMAT = `{ ${Object.entries({
  timestamp: '%{time.start.msec}V',
  time_elapsed: '%{time.elapsed.usec}V',
  client_ip: '"%{client.ip}V"',
  request_method: '"%{json.escape(req.method)}V"',
  host: '"%{json.escape(if(req.http.Fastly-Orig-Host, req.http.Fastly-Orig-Host, req.http.Host))}V"',
  url: '"%{json.escape(req.url)}V"',
  response_status: '%{resp.status}V',
  response_body_size: '%{resp.body_bytes_written}V',
  response_content_type: '"%{if(resp.http.Content-Type, json.escape(resp.http.Content-Type), "")}V"',
  request_user_agent: fastlyHeader('User-Agent'),
  request_referer: fastlyHeader('Referer'),
  signature: fastlyHeader('Signature'),
  signature_input: fastlyHeader('Signature-Input'),
  signature_agent: fastlyHeader('Signature-Agent'),
})
  .map(([key, value]) => `"${key}": ${value}`)
  .join(', ')} }`;

const AKAMAI_FIELDS = (
  'reqTimeSec cliIP reqMethod reqHost reqPath queryStr statusCode UA referer xForwardedFor ' +
  'rspContentType rspContentLen turnAroundTimeMSec transferTimeMSec reqId'
).split(' ');

const vectorSink = (access: Access): string => `sinks:
  agent_traffic:
    type: http
    inputs: [access_log] # your source
    uri: ${urlOf(access, 'vector')}
    method: post
    compression: gzip
    encoding:
      codec: json
    framing:
      method: newline_delimited
    auth:
      strategy: bearer
      token: ${access.token}
    acknowledgements:
      enabled: true`;

function fluentBitOutput(access: Access): string {
  const { protocol, hostname, port, pathname } = new URL(urlOf(access, 'fluent-bit'));
  const isTls = protocol === 'https:';
  return `pipeline:
  outputs:
    - name: http
      match: '*' # the tag of your access log
      host: ${hostname}
      port: ${port || (isTls ? 443 : 80)}
      tls: ${isTls ? 'on' : 'off'}
      uri: ${pathname}
      format: json_lines
      compress: gzip
      header: Authorization ${bearer(access)}
      retry_limit: no_limits`;
}

const collectorExporter = (access: Access): string => `exporters:
  otlphttp/agent_traffic:
    logs_endpoint: ${urlOf(access, 'opentelemetry')}
    compression: gzip
    headers:
      Authorization: ${bearer(access)}
service:
  pipelines:
    logs:
      receivers: [filelog] # yours
      exporters: [otlphttp/agent_traffic]`;

const exporterEnvironment = (access: Access): string => `export OTEL_LOGS_EXPORTER=otlp
export OTEL_EXPORTER_OTLP_LOGS_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=${urlOf(access, 'opentelemetry')}
export OTEL_EXPORTER_OTLP_LOGS_HEADERS="Authorization=Bearer%20${access.token}"`;

const OPENTELEMETRY_ATTRIBUTES = [
  'network.peer.address',
  'client.address',
  'http.request.method',
  'url.path',
  'url.query',
  'http.response.status_code',
  'user_agent.original',
  'server.address',
  ...['referer', ...SIGNATURE_HEADERS].map((name) => `http.request.header.${name}`),
];

/** One entry is all that a source takes here. */
export const DRAIN_GUIDES: Record<DrainSource, DrainGuide> = {
  'cloudflare-logpush': {
    lead: 'Logpush sends a zone’s requests about a minute after they happen. In Cloudflare’s dashboard: your domain → Analytics & Logs → Logpush → Create a Logpush job → HTTP destination, with the dataset HTTP requests.',
    parts: (access) => [
      { title: 'HTTP endpoint', text: logpushUrl(access) },
      { title: 'Send the following fields', text: LOGPUSH_FIELDS.join(', ') },
      { title: 'Filter, so that you don’t pay for images, styles and scripts', text: LOGPUSH_FILTER },
      {
        title: 'Custom log fields of the type Request Header, for signatures',
        text: SIGNATURE_HEADERS.join('\n'),
      },
      {
        title: 'Or the job as one request: POST /zones/{zone_id}/logpush/jobs of Cloudflare’s API',
        text: logpushJob(access),
      },
    ],
    settings: [],
    isRemote: true,
    verifiedBy: `${BY_SIGNATURE}, once the custom log fields above are set.`,
    lacks:
      'Request bodies and other headers. The duration is the time to the first byte where times are whole seconds: choose UnixNano.',
  },
  vercel: {
    lead: 'A drain sends the logs of your deployments as they are written. In Vercel: team settings → Drains → Add drain → Logs, with all sources but Build and the environment Production. Plans Pro and Enterprise have drains.',
    parts: (access) => [
      { title: 'Endpoint URL, with the format NDJSON or JSON', text: urlOf(access, 'vercel') },
      { title: 'Custom header', text: `Authorization: ${bearer(access)}` },
    ],
    settings: ['vercel_secret', 'vercel_verify'],
    isRemote: true,
    verifiedBy: BY_ADDRESS,
    lacks:
      'Durations, and all headers but the user agent and the referer, so no signatures. Build output, previews and background revalidations are left out.',
  },
  netlify: {
    lead: 'A log drain sends the traffic of a site. Netlify can’t set a header, so first allow the access token in the URL below and save. Then, in Netlify: your site → Logs & metrics → Log drains → Enable a log drain → General HTTP endpoint. The plan Enterprise has log drains.',
    parts: (access) => [
      { title: 'Full URL, with the format NDJSON', text: `${urlOf(access, 'netlify')}?token=${access.token}` },
      { title: 'Log types', text: 'Traffic' },
    ],
    settings: ['allows_token_in_url'],
    isRemote: true,
    verifiedBy: `${BY_ADDRESS} Leave “Exclude PII” off: it removes addresses and user agents.`,
    lacks: 'All headers but the user agent and the referer, so no signatures.',
  },
  fastly: {
    lead: 'Fastly sends a line of JSON for each request, in the format below. Enter the service’s ID here first: Fastly asks this host whether that service may send logs to it. Then, in Fastly: your service → Logging → HTTPS → Create endpoint, with POST, newline delimited JSON, the log line format Blank, and Gzip.',
    parts: (access) => [
      { title: 'URL', text: urlOf(access, 'fastly') },
      { title: 'Log format', text: FASTLY_FORMAT },
      { title: 'Custom header name', text: 'Authorization' },
      { title: 'Custom header value', text: bearer(access) },
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
  akamai: {
    lead: 'DataStream 2 sends logs every 30 seconds. In Akamai Control Center: DataStream → Create stream → log format JSON → destination Custom HTTPS, compressed. Akamai needs a host name for this instance, not an IP address.',
    parts: (access) => [
      { title: 'Endpoint URL', text: urlOf(access, 'akamai') },
      { title: 'User name, with the authentication Basic', text: 'agent-traffic' },
      { title: 'Password', text: access.token },
      { title: 'Data set fields', text: AKAMAI_FIELDS.join(', ') },
    ],
    settings: [],
    isRemote: true,
    verifiedBy: BY_ADDRESS,
    lacks: 'All headers but the user agent, the referer and X-Forwarded-For, so no signatures.',
  },
  'aws-firehose': {
    lead: 'Data Firehose sends what AWS WAF, CloudFront (standard log v2, as JSON) or CloudWatch writes to it. In the AWS console: Amazon Data Firehose → Create Firehose stream → destination HTTP endpoint. It only sends to port 443.',
    parts: (access) => [
      { title: 'HTTP endpoint URL, with the content encoding GZIP', text: urlOf(access, 'aws-firehose') },
      { title: 'Access key', text: access.token },
    ],
    settings: [],
    isRemote: true,
    verifiedBy: `${BY_SIGNATURE} with the log of AWS WAF, which has all headers; CloudFront’s has addresses only.`,
    lacks:
      'AWS WAF: durations, and the status of requests that it lets through. CloudFront: headers but the user agent, the referer and X-Forwarded-For.',
  },
  vector: {
    lead: 'Vector follows your servers’ logs and sends them on. Lines can be in any format that logs import reads, raw or parsed to JSON.',
    parts: (access) => [{ title: 'In vector.yaml', text: vectorSink(access) }],
    settings: [],
    isRemote: false,
    verifiedBy: 'What the log allows: addresses always, signatures if it has all headers, as Caddy’s JSON does.',
    lacks: 'Whatever your log leaves out.',
  },
  'fluent-bit': {
    lead: 'Fluent Bit follows your servers’ logs and sends them on. Lines can be in any format that logs import reads, raw or parsed to JSON.',
    parts: (access) => [{ title: 'In fluent-bit.yaml', text: fluentBitOutput(access) }],
    settings: [],
    isRemote: false,
    verifiedBy: 'What the log allows: addresses always, signatures if it has all headers, as Caddy’s JSON does.',
    lacks: 'Whatever your log leaves out.',
  },
  opentelemetry: {
    lead: 'OTLP over HTTP, as protobuf or JSON: log records with the attributes of HTTP’s semantic conventions, or with a line of an access log as their body.',
    parts: (access) => [
      { title: 'In the configuration of the collector', text: collectorExporter(access) },
      { title: 'Or for an SDK that exports without a collector', text: exporterEnvironment(access) },
      { title: 'Attributes that are read', text: OPENTELEMETRY_ATTRIBUTES.join('\n') },
    ],
    settings: [],
    isRemote: false,
    verifiedBy: `${BY_SIGNATURE}, if the records have the attributes of the signature’s headers.`,
    lacks: 'Whatever the records leave out. Traces and metrics are not read.',
  },
  json: {
    lead: 'For anything else that can post JSON: lines, an array or one object, compressed or not. Enter your keys below, or send a format that logs import reads.',
    parts: (access) => [
      {
        title: 'In a shell, to try a file',
        text: `curl ${urlOf(access, 'json')} \\\n  -H 'Authorization: ${bearer(access)}' \\\n  --data-binary @access.ndjson`,
      },
    ],
    settings: ['mapping'],
    isRemote: false,
    verifiedBy: `${BY_SIGNATURE}, if an object has all headers and the mapping says where.`,
    lacks: 'What the mapping doesn’t name.',
  },
};

import {
  VERIFIED_BY_SIGNATURE,
  MCP_HEADERS,
  OFFER_HEADERS,
  PAYMENT_RESPONSE_HEADERS,
  SIGNATURE_HEADERS,
  toBearerHeader,
  toDrainUrl,
} from '../guide-text.js';
import { createJsonHeaders, SAMPLE, createSampleLines } from '../sample-lines.js';
import type { Destination, DrainSender } from '../sender.js';

const toExporterConfig = (destination: Destination): string => `exporters:
  otlphttp/agent_traffic:
    logs_endpoint: ${toDrainUrl(destination, 'opentelemetry')}
    compression: gzip
    headers:
      Authorization: ${toBearerHeader(destination)}
service:
  pipelines:
    logs:
      receivers: [filelog] # your receivers
      exporters: [otlphttp/agent_traffic]`;

const toEnvironment = (destination: Destination): string => `export OTEL_LOGS_EXPORTER=otlp
export OTEL_EXPORTER_OTLP_LOGS_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=${toDrainUrl(destination, 'opentelemetry')}
export OTEL_EXPORTER_OTLP_LOGS_HEADERS="Authorization=Bearer%20${destination.token}"`;

const ATTRIBUTES = [
  'network.peer.address',
  'client.address',
  'http.request.method',
  'url.path',
  'url.query',
  'http.response.status_code',
  'user_agent.original',
  'server.address',
  ...['referer', ...SIGNATURE_HEADERS, ...MCP_HEADERS, ...OFFER_HEADERS].map((name) => `http.request.header.${name}`),
  ...PAYMENT_RESPONSE_HEADERS.map((name) => `http.response.header.${name}`),
];

function createLogRecord(now: Date, path: string): object {
  const attributes = {
    'http.request.method': 'GET',
    'url.path': path,
    'client.address': SAMPLE.client,
    'server.address': SAMPLE.host,
    'user_agent.original': SAMPLE.userAgent,
  };
  return {
    timeUnixNano: `${now.getTime()}000000`,
    attributes: [
      ...Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
      { key: 'http.response.status_code', value: { intValue: '200' } },
    ],
  };
}

export const opentelemetry = {
  name: 'opentelemetry',
  label: 'OpenTelemetry',
  wrapping: 'otlp',
  // Protobuf requests require a protobuf response. An empty message serializes to zero bytes
  // (opentelemetry.io/docs/specs/otlp).
  answer: ({ 'content-type': type }) =>
    /protobuf/i.test(String(type)) ? { contentType: 'application/x-protobuf', body: '' } : null,
  sample: (options) => {
    const logRecords = createSampleLines((path) => createLogRecord(options.now, path));
    return [
      {
        name: 'log export, JSON',
        headers: createJsonHeaders(options),
        body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
      },
    ];
  },
  guide: {
    lead: 'OTLP over HTTP, as protobuf or JSON. Log records need either attributes that follow the HTTP semantic conventions or an access log line as their body.',
    parts: (destination) => [
      { title: 'In the collector configuration', text: toExporterConfig(destination) },
      { title: 'Or for an SDK that exports without a collector', text: toEnvironment(destination) },
      { title: 'Supported attributes', text: ATTRIBUTES.join('\n') },
    ],
    settings: [],
    isRemote: false,
    verifiedBy: `${VERIFIED_BY_SIGNATURE}. Signatures require attributes for the signature headers.`,
    lacks: 'Anything that the records omit. Metrics are ignored, and so are traces other than spans of MCP servers.',
  },
} as const satisfies DrainSender;

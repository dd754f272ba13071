import { BY_SIGNATURE, SIGNATURE_HEADERS, bearer, urlOf } from '../guide-text.js';
import { bearerJson, SAMPLE, sampleLines } from '../sample-lines.js';
import type { Destination, DrainSender } from '../sender.js';

const exporterOf = (destination: Destination): string => `exporters:
  otlphttp/agent_traffic:
    logs_endpoint: ${urlOf(destination, 'opentelemetry')}
    compression: gzip
    headers:
      Authorization: ${bearer(destination)}
service:
  pipelines:
    logs:
      receivers: [filelog] # yours
      exporters: [otlphttp/agent_traffic]`;

const environmentOf = (destination: Destination): string => `export OTEL_LOGS_EXPORTER=otlp
export OTEL_EXPORTER_OTLP_LOGS_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=${urlOf(destination, 'opentelemetry')}
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
  ...['referer', ...SIGNATURE_HEADERS].map((name) => `http.request.header.${name}`),
];

function recordOf(now: Date, path: string): object {
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
  // Protobuf requests require a protobuf response. An empty message has zero bytes (opentelemetry.io/docs/specs/otlp).
  answer: ({ 'content-type': type }) =>
    /protobuf/i.test(String(type)) ? { contentType: 'application/x-protobuf', body: '' } : null,
  sample: (options) => {
    const logRecords = sampleLines((path) => recordOf(options.now, path));
    return [
      {
        name: 'an export of logs, JSON',
        headers: bearerJson(options),
        body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
      },
    ];
  },
  guide: {
    lead: 'OTLP over HTTP, as protobuf or JSON: log records with the attributes of HTTP’s semantic conventions, or with a line of an access log as their body.',
    parts: (destination) => [
      { title: 'In the configuration of the collector', text: exporterOf(destination) },
      { title: 'Or for an SDK that exports without a collector', text: environmentOf(destination) },
      { title: 'Attributes that are read', text: ATTRIBUTES.join('\n') },
    ],
    settings: [],
    isRemote: false,
    verifiedBy: `${BY_SIGNATURE}, if the records have the attributes of the signature’s headers.`,
    lacks: 'Whatever the records leave out. Traces and metrics are not read.',
  },
} as const satisfies DrainSender;

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';

/** Subset of opentelemetry-proto (collector/trace/v1) that tests use. */
const SCHEMA = `syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { repeated Span spans = 2; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { string string_value = 1; int64 int_value = 3; }
message Link { bytes trace_id = 1; bytes span_id = 2; }
message Status { int32 code = 3; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
  fixed64 start = 7; fixed64 end = 8; repeated KeyValue attributes = 9; repeated Link links = 13; Status status = 15;
}`;
const REQUEST = protobuf.parse(SCHEMA, { keepCase: true }).root.lookupType('Request');

/** Span kinds, indexed by their OpenTelemetry number. */
const SPAN_KINDS = ['', 'internal', 'server', 'client', 'producer', 'consumer'];

interface ReceivedSpan {
  service: string;
  traceId: string;
  spanId: string;
  /** Empty for a trace's root span. */
  parentId: string;
  name: string;
  kind: string;
  /** Linked spans in the form `trace ID:span ID`. */
  links: string[];
  isError: boolean;
  attributes: Record<string, string>;
}

interface DecodedRequest {
  resource_spans?: {
    resource?: { attributes?: KeyValue[] };
    scope_spans?: {
      spans?: (Record<string, string> & { links?: Record<string, string>[]; attributes?: KeyValue[] })[];
    }[];
  }[];
}
interface KeyValue {
  key: string;
  value: { string_value?: string; int_value?: string };
}

/** Collector that receives spans over OTLP/HTTP. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OtlpReceiver> {
    const server = createServer();
    const receiver = new OtlpReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url === '/v1/traces') receiver.addSpans(Buffer.concat(chunks));
        response.writeHead(request.url === '/v1/traces' ? 200 : 404).end();
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Returns a trace's spans by name. */
  getTrace(traceId: string): Map<string, ReceivedSpan> {
    return new Map(this.spans.filter((span) => span.traceId === traceId).map((span) => [span.name, span]));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private addSpans(body: Buffer): void {
    const options = { bytes: String, longs: String };
    const { resource_spans: resources = [] } = REQUEST.toObject(REQUEST.decode(body), options) as DecodedRequest;
    for (const { resource, scope_spans: scopes = [] } of resources) {
      const service = toValues(resource?.attributes)['service.name'] ?? '';
      for (const span of scopes.flatMap(({ spans = [] }) => spans)) {
        this.spans.push({
          service,
          traceId: hex(span['trace_id']),
          spanId: hex(span['span_id']),
          parentId: hex(span['parent_span_id']),
          name: span['name'] ?? '',
          kind: SPAN_KINDS[Number(span['kind'])] ?? '',
          links: (span.links ?? []).map((link) => `${hex(link['trace_id'])}:${hex(link['span_id'])}`),
          isError: (span['status'] as unknown as { code?: number } | undefined)?.code === 2,
          attributes: toValues(span.attributes),
        });
      }
    }
  }
}

const hex = (base64 = ''): string => Buffer.from(base64, 'base64').toString('hex');

const toValues = (attributes: readonly KeyValue[] = []): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.string_value ?? value.int_value ?? '']));

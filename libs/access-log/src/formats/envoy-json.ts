import { firstValue, hasAny, namedHeaders, namedResponseHeaders } from '../json-keys.js';
import { toParsedLine } from '../json-line.js';
import { toMilliseconds } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import type { Entry, JsonFormat } from './log-format.js';

const PATH = ['x-envoy-origin-path', 'x-envoy-original-path', 'path'];

/**
 * Envoy access log in JSON with the default keys used by Envoy Gateway and Istio
 * (gateway.envoyproxy.io/docs/tasks/observability/proxy-accesslog).
 */
export const envoyJson: JsonFormat = {
  kind: 'json',
  name: 'envoy-json',
  title: 'Envoy, JSON (Envoy Gateway and Istio)',
  verifiedBy: 'addresses and signatures',
  limits:
    'Signatures require these fields in the format: "signature": "%REQ(SIGNATURE)%", and the same for signature-input and signature-agent. MCP calls require mcp-method, mcp-name and mcp-protocol-version. Payments require the payment headers. The referer isn\'t logged by default.',
  recognizes: (entry) => 'response_code' in entry && 'start_time' in entry && hasAny(entry, PATH),
  read,
};

function read(entry: Entry): ParsedLine {
  return toParsedLine({
    time: entry['start_time'],
    client: firstValue(entry, [
      'downstream_direct_remote_address',
      'downstream_remote_address',
      'downstream_remote_address_without_port',
    ]),
    method: entry['method'],
    target: firstValue(entry, PATH),
    host: firstValue(entry, [':authority', 'authority']),
    status: entry['response_code'],
    size: entry['bytes_sent'],
    milliseconds: toMilliseconds(entry['duration'], 'ms'),
    userAgent: firstValue(entry, ['user-agent', 'user_agent']),
    referer: firstValue(entry, ['referer', 'referrer']),
    forwardedFor: firstValue(entry, ['x-forwarded-for', 'x_forwarded_for']),
    headers: namedHeaders(entry),
    responseHeaders: namedResponseHeaders(entry),
  });
}

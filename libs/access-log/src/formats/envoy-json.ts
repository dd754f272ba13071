import { firstOf, hasOne, signatureHeaders } from '../json-keys.js';
import { lineOf } from '../json-line.js';
import { millisecondsOf } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import type { Entry, JsonFormat } from './log-format.js';

const PATH = ['x-envoy-origin-path', 'x-envoy-original-path', 'path'];

/**
 * Envoy access log as JSON, with the default keys of Envoy Gateway and Istio
 * (gateway.envoyproxy.io/docs/tasks/observability/proxy-accesslog).
 */
export const envoyJson: JsonFormat = {
  kind: 'json',
  name: 'envoy-json',
  title: 'Envoy, JSON as Envoy Gateway and Istio write it',
  verifiedBy: 'addresses and signatures',
  limits:
    'Signatures only if the format has them: "signature": "%REQ(SIGNATURE)%", with signature-input and signature-agent. The referer isn\'t logged by default.',
  recognizes: (entry) => 'response_code' in entry && 'start_time' in entry && hasOne(entry, PATH),
  read,
};

function read(entry: Entry): ParsedLine {
  return lineOf({
    time: entry['start_time'],
    client: firstOf(entry, [
      'downstream_direct_remote_address',
      'downstream_remote_address',
      'downstream_remote_address_without_port',
    ]),
    method: entry['method'],
    target: firstOf(entry, PATH),
    host: firstOf(entry, [':authority', 'authority']),
    status: entry['response_code'],
    size: entry['bytes_sent'],
    milliseconds: millisecondsOf(entry['duration'], 'ms'),
    userAgent: firstOf(entry, ['user-agent', 'user_agent']),
    referer: firstOf(entry, ['referer', 'referrer']),
    forwardedFor: firstOf(entry, ['x-forwarded-for', 'x_forwarded_for']),
    headers: signatureHeaders(entry),
  });
}

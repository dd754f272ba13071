import { firstValue, namedHeaders, namedResponseHeaders } from '../json-keys.js';
import { toParsedLine } from '../json-line.js';
import { toMilliseconds, toText } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import { METHOD } from '../request-line.js';
import type { Entry, JsonFormat } from './log-format.js';

/**
 * Fastly log format in JSON with the keys from Fastly's published examples
 * (www.fastly.com/documentation/guides/integrations/logging). In older examples, `request` is the method.
 * `time_elapsed` is in microseconds.
 */
export const fastly: JsonFormat = {
  kind: 'json',
  name: 'fastly',
  title: 'Fastly, JSON',
  verifiedBy: 'addresses and signatures',
  limits:
    'Fields must use the keys from Fastly\'s published examples. Signatures require these fields in the format: "signature": "%{json.escape(req.http.Signature)}V", and the same for signature_input and signature_agent. MCP calls require mcp_method, mcp_name and mcp_protocol_version. Payments require the payment headers.',
  recognizes: (entry) =>
    'client_ip' in entry && 'url' in entry && ('request_user_agent' in entry || 'time_elapsed' in entry),
  read,
};

function read(entry: Entry): ParsedLine {
  const request = toText(entry['request']);
  return toParsedLine({
    time: firstValue(entry, ['timestamp', 'time_start', 'time']),
    client: entry['client_ip'],
    method: entry['request_method'] ?? (request !== undefined && METHOD.test(request) ? request : undefined),
    target: entry['url'],
    host: firstValue(entry, ['host', 'request_host']),
    status: firstValue(entry, ['response_status', 'status']),
    size: firstValue(entry, ['response_body_size', 'resp_body_size']),
    milliseconds: toMilliseconds(entry['time_elapsed'], 'us'),
    userAgent: entry['request_user_agent'],
    referer: entry['request_referer'],
    forwardedFor: firstValue(entry, ['request_x_forwarded_for', 'x_forwarded_for']),
    contentType: firstValue(entry, ['response_content_type', 'content_type']),
    headers: namedHeaders(entry),
    responseHeaders: namedResponseHeaders(entry),
  });
}

import { firstOf, signatureHeaders } from '../json-keys.js';
import { lineOf } from '../json-line.js';
import { millisecondsOf, textOf } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import { METHOD } from '../request-line.js';
import type { Entry, JsonFormat } from './log-format.js';

/**
 * Fastly log format as JSON, with the keys of Fastly's published examples
 * (www.fastly.com/documentation/guides/integrations/logging). In older examples, `request` is the method.
 * `time_elapsed` is in microseconds.
 */
export const fastly: JsonFormat = {
  kind: 'json',
  name: 'fastly',
  title: 'Fastly, JSON',
  verifiedBy: 'addresses and signatures',
  limits:
    'Fields are found by the keys of Fastly\'s published examples. Signatures only if the format has them, for example "signature": "%{json.escape(req.http.Signature)}V", with signature_input and signature_agent.',
  recognizes: (entry) =>
    'client_ip' in entry && 'url' in entry && ('request_user_agent' in entry || 'time_elapsed' in entry),
  read,
};

function read(entry: Entry): ParsedLine {
  const request = textOf(entry['request']);
  return lineOf({
    time: firstOf(entry, ['timestamp', 'time_start', 'time']),
    client: entry['client_ip'],
    method: entry['request_method'] ?? (request !== undefined && METHOD.test(request) ? request : undefined),
    target: entry['url'],
    host: firstOf(entry, ['host', 'request_host']),
    status: firstOf(entry, ['response_status', 'status']),
    size: firstOf(entry, ['response_body_size', 'resp_body_size']),
    milliseconds: millisecondsOf(entry['time_elapsed'], 'us'),
    userAgent: entry['request_user_agent'],
    referer: entry['request_referer'],
    forwardedFor: firstOf(entry, ['request_x_forwarded_for', 'x_forwarded_for']),
    contentType: firstOf(entry, ['response_content_type', 'content_type']),
    headers: signatureHeaders(entry),
  });
}

import { toParsedLine } from '../json-line.js';
import { toHeaders } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import { toEntry, type Entry, type JsonFormat } from './log-format.js';

/** Default response status for blocked requests. */
const BLOCKED = 403;

/** AWS WAF log (docs.aws.amazon.com/waf/latest/developerguide/logging-fields.html). Contains all headers. */
export const awsWaf: JsonFormat = {
  kind: 'json',
  name: 'aws-waf',
  title: 'AWS WAF',
  verifiedBy: 'addresses and signatures',
  limits: 'No durations, and no status for allowed requests.',
  recognizes: ({ httpRequest }) => 'httpMethod' in toEntry(httpRequest) && 'clientIp' in toEntry(httpRequest),
  read,
};

function read({ httpRequest, timestamp, action, responseCodeSent }: Entry): ParsedLine {
  const { clientIp, uri, args, httpMethod, host, requestId, headers } = toEntry(httpRequest);
  return toParsedLine({
    time: timestamp,
    client: clientIp,
    method: httpMethod,
    target: uri,
    query: args,
    host: host ?? toHeaders(headers)['host'],
    status: responseCodeSent ?? (action === 'BLOCK' ? BLOCKED : undefined),
    headers,
    id: requestId,
  });
}

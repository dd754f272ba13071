import { lineOf } from '../json-line.js';
import { headersOf } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import { members, type Entry, type JsonFormat } from './log-format.js';

/** Default status of a blocked request. */
const BLOCKED = 403;

/** AWS WAF log (docs.aws.amazon.com/waf/latest/developerguide/logging-fields.html). Contains all headers. */
export const awsWaf: JsonFormat = {
  kind: 'json',
  name: 'aws-waf',
  title: 'AWS WAF',
  verifiedBy: 'addresses and signatures',
  limits: 'No durations, and no status of allowed requests.',
  recognizes: ({ httpRequest }) => 'httpMethod' in members(httpRequest) && 'clientIp' in members(httpRequest),
  read,
};

function read({ httpRequest, timestamp, action, responseCodeSent }: Entry): ParsedLine {
  const { clientIp, uri, args, httpMethod, host, requestId, headers } = members(httpRequest);
  return lineOf({
    time: timestamp,
    client: clientIp,
    method: httpMethod,
    target: uri,
    query: args,
    host: host ?? headersOf(headers)['host'],
    status: responseCodeSent ?? (action === 'BLOCK' ? BLOCKED : undefined),
    headers,
    id: requestId,
  });
}

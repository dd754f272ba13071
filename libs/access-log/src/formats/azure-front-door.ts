import { lineOf } from '../json-line.js';
import { millisecondsOf } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import { members, type Entry, type JsonFormat } from './log-format.js';

/**
 * Azure Front Door access log (learn.microsoft.com/azure/frontdoor/monitor-front-door). Clients can forge `clientIp`,
 * because it is taken from X-Forwarded-For. The peer is `socketIp`.
 */
export const azureFrontDoor: JsonFormat = {
  kind: 'json',
  name: 'azure-front-door',
  title: 'Azure Front Door',
  verifiedBy: 'addresses',
  limits:
    'Only the headers user agent and referer. The client is socketIp, the peer. clientIp can be forged, and counts only without a socketIp.',
  recognizes: ({ properties }) => 'requestUri' in members(properties),
  read,
};

function read({ properties, category, time }: Entry): ParsedLine {
  const fields = members(properties);
  if (typeof category === 'string' && !/access/i.test(category)) return { leftOut: 'not a record of the access log' };
  // Requests from an edge to an origin shield have their own records. Exports store the boolean as a string.
  if (/^false$/i.test(String(fields['isReceivedFromClient']))) {
    return { leftOut: 'a request between edges of Azure' };
  }
  return lineOf({
    time: fields['time'] ?? time,
    client: fields['socketIp'] ?? fields['clientIp'],
    method: fields['httpMethod'],
    target: fields['requestUri'],
    host: fields['hostName'],
    status: fields['httpStatusCode'],
    milliseconds: millisecondsOf(fields['timeTaken'], 's'),
    userAgent: fields['userAgent'],
    // Exports use either spelling.
    referer: fields['referer'] ?? fields['referrer'],
    id: fields['trackingReference'],
  });
}

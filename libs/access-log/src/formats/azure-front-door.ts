import { toParsedLine } from '../json-line.js';
import { toMilliseconds } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import { toEntry, type Entry, type JsonFormat } from './log-format.js';

/**
 * Azure Front Door access log (learn.microsoft.com/azure/frontdoor/monitor-front-door). `socketIp` is the peer. Clients
 * can forge `clientIp`, because it comes from X-Forwarded-For.
 */
export const azureFrontDoor: JsonFormat = {
  kind: 'json',
  name: 'azure-front-door',
  title: 'Azure Front Door',
  verifiedBy: 'addresses',
  limits:
    'Headers are limited to user agent and referer. The client is the peer (socketIp). clientIp can be forged, so it is only used if socketIp is missing.',
  recognizes: ({ properties }) => 'requestUri' in toEntry(properties),
  read,
};

function read({ properties, category, time }: Entry): ParsedLine {
  const fields = toEntry(properties);
  if (typeof category === 'string' && !/access/i.test(category)) return { leftOut: 'records from other logs' };
  // Requests from an edge to an origin shield are logged separately. Exports store the boolean as a string.
  if (/^false$/i.test(String(fields['isReceivedFromClient']))) {
    return { leftOut: 'requests between Azure edges' };
  }
  return toParsedLine({
    time: fields['time'] ?? time,
    client: fields['socketIp'] ?? fields['clientIp'],
    method: fields['httpMethod'],
    target: fields['requestUri'],
    host: fields['hostName'],
    status: fields['httpStatusCode'],
    cache: fields['cacheStatus'],
    milliseconds: toMilliseconds(fields['timeTaken'], 's'),
    userAgent: fields['userAgent'],
    // Exports use both spellings.
    referer: fields['referer'] ?? fields['referrer'],
    id: fields['trackingReference'],
  });
}

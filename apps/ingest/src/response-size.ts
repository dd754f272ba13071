import { getHeader, type Visit } from '#libs/contracts';

const STATUSES_WITHOUT_BODY: ReadonlySet<number | null | undefined> = new Set([204, 304]);

/** Returns the size of the response in bytes, as reported or from the Content-Length header, or null if unknown. */
export function getResponseSize(visit: Visit): number | null {
  const { response_size_in_bytes: reported, response_headers: headers } = visit;
  // Earlier versions accepted any value.
  if (Number.isSafeInteger(reported) && reported! >= 0) return reported!;
  if (headers == null) return null;
  // In these responses, Content-Length is the size of a body that wasn't sent.
  if (visit.request_method === 'HEAD' || STATUSES_WITHOUT_BODY.has(visit.response_status_code)) return null;
  if ('response_aborted' in visit) return null;
  const text = getHeader(headers, 'content-length');
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

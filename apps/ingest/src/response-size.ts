import { getHeader, type Visit } from '#libs/contracts';

const STATUSES_WITHOUT_BODY: ReadonlySet<number | null | undefined> = new Set([204, 304]);

/** Returns the size of the response in bytes, as reported or from the Content-Length header, or null if unknown. */
export function getResponseSize(visit: Visit): number | null {
  if (visit.response_size_in_bytes != null) return visit.response_size_in_bytes;
  // In these responses, Content-Length is the size of a body that wasn't sent.
  if (visit.request_method === 'HEAD' || STATUSES_WITHOUT_BODY.has(visit.response_status_code)) return null;
  if ('response_aborted' in visit) return null;
  const text = getHeader(visit.response_headers, 'content-length') ?? '';
  const size = text === '' ? Number.NaN : Number(text);
  return Number.isSafeInteger(size) && size >= 0 ? size : null;
}

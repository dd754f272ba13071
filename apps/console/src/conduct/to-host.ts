import { getHeader, type HeaderValue } from '#libs/contracts';

/** Returns the requested host in lower case, or null if the source of the visit reports none. */
export const toHost = (headers: Record<string, HeaderValue> | null): string | null =>
  (getHeader(headers, ':authority') ?? getHeader(headers, 'host'))?.toLowerCase() || null;

import type { HeaderMap } from './headers.js';

/** What a site tells of a request that it received. */
export interface ObservedRequest {
  headers: HeaderMap;
  /** As sent, e.g. `GET`; `null` where the site doesn't say. */
  method: string | null;
  /** Path with its query, which a site may have cut off; `null` where the site doesn't say. */
  path: string | null;
  /** When it arrived at the site, in milliseconds since the epoch. */
  at: number;
  /** When we were told of it; at once unless given. A log may be told of years later. */
  receivedAt?: number;
}

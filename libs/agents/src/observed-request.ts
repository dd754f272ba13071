import type { HeaderMap } from './headers.js';

export interface ObservedRequest {
  headers: HeaderMap;
  /** HTTP method in its original case, or null if it wasn't reported. */
  method: string | null;
  /** Path with query string, possibly truncated by the site. Null if it wasn't reported. */
  path: string | null;
  /** Time at which the site received the request, in milliseconds since the epoch. */
  at: number;
  /**
   * Time at which the report arrived, in milliseconds since the epoch. Logs may be imported years later. Default: `at`.
   */
  receivedAt?: number;
}

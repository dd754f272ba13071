import type { HeaderMap } from './headers.js';

export interface ObservedRequest {
  headers: HeaderMap;
  /** Method as sent, such as `GET`. Null if not reported. */
  method: string | null;
  /** Path with its query, which the site may have truncated. Null if not reported. */
  path: string | null;
  /** Time the site received the request, in milliseconds since the epoch. */
  at: number;
  /** Time we received the report, in milliseconds since the epoch. Default: `at`. A log may be imported years later. */
  receivedAt?: number;
}

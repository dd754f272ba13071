/** What a line of an access log says; what it doesn't say (`-`) is absent. */
export interface LogLine {
  /** Virtual host, without the default ports. */
  host?: string;
  /** Address (or, with host name look-ups, name) of the client that connected. */
  client: string;
  /** Value of X-Forwarded-For as it was received, from nginx' usual last field. */
  forwardedFor?: string;
  /** ISO 8601 with the line's own offset. */
  time: string;
  method: string;
  path: string;
  status?: number;
  /** Bytes of the response body. */
  size?: number;
  referer?: string;
  userAgent?: string;
  /** All that the request had, by their names in lower case, from a log that has them. */
  headers?: Record<string, string>;
}

export type ParsedLine = { line: LogLine } | { reason: string };

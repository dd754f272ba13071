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
  /** From the request to the response's end, or as near to it as the source measures. */
  durationInMilliseconds?: number;
  referer?: string;
  userAgent?: string;
  /** All that the request had, by their names in lower case, from a log that has them. */
  headers?: Record<string, string>;
  /** Of the response, by their names in lower case, from a log that has them. */
  responseHeaders?: Record<string, string>;
  /** What the source calls this request, the same whenever the line is sent again (RayID, x-edge-request-id). */
  id?: string;
}

/** A request, or why the line can't be read. */
export type ParsedRequest = { line: LogLine } | { reason: string };

/** A request, or why there is none: the line can't be read, or stands for nothing that a visitor asked for. */
export type ParsedLine = ParsedRequest | { leftOut: string };

/** Fields of an access log line. Missing fields (`-`) are absent. */
export interface LogLine {
  /** Virtual host without default ports. */
  host?: string;
  /** Address of the client that connected, or its host name if the server looks up names. */
  client: string;
  /** Value of X-Forwarded-For as received. nginx usually logs it as the last field. */
  forwardedFor?: string;
  /** ISO 8601 with the UTC offset from the line. */
  time: string;
  method: string;
  path: string;
  status?: number;
  /** Size of the response body in bytes. */
  size?: number;
  /** Time from the request to the end of the response, or the closest value that the source provides. */
  durationInMilliseconds?: number;
  referer?: string;
  userAgent?: string;
  /** Logged request headers by lowercase name. */
  headers?: Record<string, string>;
  /** Logged response headers by lowercase name. */
  responseHeaders?: Record<string, string>;
  /**
   * ID of the request at its source, such as a RayID or `x-edge-request-id`. Stays the same if the line is sent again.
   */
  id?: string;
}

export type ParsedRequest = { line: LogLine } | { reason: string };

/** A request, the reason why the line can't be read, or the reason why it isn't a visitor's request. */
export type ParsedLine = ParsedRequest | { leftOut: string };

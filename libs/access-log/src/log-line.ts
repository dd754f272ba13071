import type { CacheResult } from './cache-result.js';

/** MCP fields of a visit, for sources that report calls instead of requests. */
export interface McpFields {
  mcp_request_method: string;
  mcp_request_tool_name?: string;
  mcp_request_protocol_version?: string;
  mcp_response_result_is_error?: boolean;
  mcp_response_error_code?: number;
}

/** Parsed access log line. Fields logged as missing (`-`) are omitted. */
export interface LogLine {
  /** Virtual host without a default port. */
  host?: string;
  /** Peer address, or the host name if the server resolves addresses. */
  client: string;
  /** X-Forwarded-For value as received. nginx usually logs it as the last field. */
  forwardedFor?: string;
  /** Time in ISO 8601 format with the UTC offset from the line. */
  time: string;
  method: string;
  path: string;
  status?: number;
  /** Response size in bytes: of the body, or including headers if `isSizeWithHeaders` is set. */
  size?: number;
  isSizeWithHeaders?: true;
  /** Whether a cache served the response. */
  cache?: CacheResult;
  /** Time from the request to the end of the response, or the closest available value. */
  durationInMilliseconds?: number;
  referer?: string;
  userAgent?: string;
  /** Logged request headers by lowercase name. */
  headers?: Record<string, string>;
  /** Logged response headers by lowercase name. */
  responseHeaders?: Record<string, string>;
  /**
   * The source's own request ID, such as a RayID or `x-edge-request-id`. It doesn't change if the line is sent again.
   */
  id?: string;
  mcp?: McpFields;
}

export type ParsedRequest = { line: LogLine } | { reason: string };

/** A request, the reason why the line can't be parsed, or the kind of line if it isn't a visitor's request. */
export type ParsedLine = ParsedRequest | { leftOut: string };

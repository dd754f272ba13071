import type { AgentType } from '../../contracts/src/agent-type.js';

export { AGENT_TYPES, type AgentType } from '../../contracts/src/agent-type.js';

export type HeaderValue = string | number | boolean | null | undefined | readonly string[];
export type HeaderMap = Record<string, HeaderValue>;

/** A visit in the format of `POST /visits`. Additional fields are stored as they are. */
export interface Visit {
  /** URL path, including any query string. */
  request_path: string;
  request_method: string;
  request_headers: HeaderMap;
  /**
   * Peer address of the connection, without a port. Forwarding headers are only trusted if the peer is a trusted proxy.
   */
  client_address?: string | undefined;
  response_status_code?: number | undefined;
  response_headers?: HeaderMap | undefined;
  response_duration_in_milliseconds?: number | undefined;
  /** Response size in bytes, after compression. */
  response_size_in_bytes?: number | undefined;
  /** Parts of the response that the size includes: only the body, or also the headers (`sent`). Default: `body`. */
  response_size_type?: 'body' | 'sent' | undefined;
  /** Whether a cache served the response. Default: read from response headers. */
  response_cache?: 'hit' | 'miss' | undefined;
  /** Request time in ISO 8601 format. */
  created?: string | undefined;
  mcp_request_method?: string | undefined;
  mcp_request_tool_name?: string | undefined;
  mcp_request_protocol_version?: string | undefined;
  mcp_request_client_info_name?: string | undefined;
  mcp_request_client_info_version?: string | undefined;
  mcp_response_result_type?: string | undefined;
  mcp_response_result_is_error?: boolean | undefined;
  mcp_response_error_code?: number | undefined;
  mcp_response_error_message?: string | undefined;
  acp_response_body?: object | undefined;
  ucp_response_body?: object | undefined;
  /** Set if the visitor disconnected before the response was complete. */
  response_aborted?: true | undefined;
}

/** Request data that Agent Traffic uses to identify the sender. */
export interface IdentificationRequest {
  /** ID chosen by the caller and returned with the result. */
  id?: string | undefined;
  request_headers: HeaderMap;
  client_address?: string | undefined;
}

/** Identification result. Agent and operator fields are only present if an agent was identified. */
export interface Identification {
  id?: string;
  /**
   * `verified`: the sender is the agent it claims to be. `verification_failed`: it isn't. `not_verifiable`: there is no
   * proof either way. `unknown_agent`: the sender is a person, or an agent that isn't in the catalog.
   */
  result: 'verified' | 'verification_failed' | 'not_verifiable' | 'unknown_agent';
  agent_id?: string;
  agent_token?: string;
  agent_url?: string;
  agent_type_name?: AgentType;
  operator_name?: string;
}

/** Selects agents for a robots.txt file or a token list. */
export interface AgentSelection {
  agent_types: readonly AgentType[];
  excluded_agent_tokens?: readonly string[];
  excluded_operator_names?: readonly string[];
}

export interface RobotsTxtRequest extends AgentSelection {
  /** Path prefix to disallow. Default: `/`, which disallows all URLs. */
  disallow?: string;
}

/** Keeps a short-lived runtime alive until the promise settles. */
export type WaitUntil = (promise: Promise<unknown>) => void;

/** Context of a web request that the request object lacks. */
export interface WebRequestContext {
  /** Peer address of the connection, if the runtime provides it. */
  clientAddress?: string | undefined;
  waitUntil?: WaitUntil | undefined;
}

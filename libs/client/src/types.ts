import type { AgentType } from '../../contracts/src/agent-type.js';

export { AGENT_TYPES, type AgentType } from '../../contracts/src/agent-type.js';

export type HeaderValue = string | number | boolean | null | undefined | readonly string[];
export type HeaderMap = Record<string, HeaderValue>;

/** A visit as accepted by `POST /visits`. Additional fields are kept. */
export interface Visit {
  /** May include a query string. */
  request_path: string;
  request_method: string;
  request_headers: HeaderMap;
  /** Address of the connection's peer, without a port. Forwarding headers only count if it is a trusted proxy. */
  client_address?: string | undefined;
  response_status_code?: number | undefined;
  response_headers?: HeaderMap | undefined;
  response_duration_in_milliseconds?: number | undefined;
  /** Time of the request, in ISO 8601. */
  created?: string | undefined;
  mcp_request_method?: string | undefined;
  mcp_request_tool_name?: string | undefined;
  mcp_request_client_info_name?: string | undefined;
  mcp_request_client_info_version?: string | undefined;
  mcp_response_result_is_error?: boolean | undefined;
  mcp_response_error_code?: number | undefined;
  mcp_response_error_message?: string | undefined;
  acp_response_body?: object | undefined;
  ucp_response_body?: object | undefined;
  /** Set if the visitor left before the response was complete. */
  response_aborted?: true | undefined;
}

/** The data that Agent Traffic needs to identify the sender of a request. */
export interface IdentificationRequest {
  /** Returned with the result. */
  id?: string | undefined;
  request_headers: HeaderMap;
  client_address?: string | undefined;
}

/** Result of an identification. Fields about the agent and its operator are only present if an agent was identified. */
export interface Identification {
  id?: string;
  /**
   * `verified`: the sender is the agent it claims to be. `verification_failed`: it isn't. `not_verifiable`: there is no
   * proof either way. `unknown_agent`: a person, or an agent that isn't in the catalog.
   */
  result: 'verified' | 'verification_failed' | 'not_verifiable' | 'unknown_agent';
  agent_id?: string;
  agent_token?: string;
  agent_url?: string;
  agent_type_name?: AgentType;
  operator_name?: string;
}

/** Selects the agents for a robots.txt or a list of tokens. */
export interface AgentSelection {
  agent_types: readonly AgentType[];
  excluded_agent_tokens?: readonly string[];
  excluded_operator_names?: readonly string[];
}

export interface RobotsTxtRequest extends AgentSelection {
  /** Default: `/`, which covers all URLs. */
  disallow?: string;
}

/** Keeps a short-lived runtime alive until the promise settles. */
export type WaitUntil = (promise: Promise<unknown>) => void;

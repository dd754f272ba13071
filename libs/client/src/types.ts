import type { AgentType } from '../../contracts/src/agent-type.js';

export { AGENT_TYPES, type AgentType } from '../../contracts/src/agent-type.js';

export type HeaderValue = string | number | boolean | null | undefined | readonly string[];
export type HeaderMap = Record<string, HeaderValue>;

/** A visit as `POST /visits` takes it. Fields beyond these are kept. */
export interface Visit {
  /** May carry a query. */
  request_path: string;
  request_method: string;
  request_headers: HeaderMap;
  /** The connection's peer, without a port. Forwarding headers count only if it is a trusted proxy. */
  client_address?: string | undefined;
  response_status_code?: number | undefined;
  response_headers?: HeaderMap | undefined;
  response_duration_in_milliseconds?: number | undefined;
  /** When the request came, ISO 8601. */
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
  /** The visitor left before the response was complete. */
  response_aborted?: true | undefined;
}

/** All that Agent Traffic needs of a request to say who sent it. */
export interface IdentificationRequest {
  /** Comes back with the result. */
  id?: string | undefined;
  request_headers: HeaderMap;
  client_address?: string | undefined;
}

/** What Agent Traffic says of a request. All but `result` is there only if an agent was identified. */
export interface Identification {
  id?: string;
  /**
   * `verified`: it is who it says it is. `verification_failed`: it is not. `not_verifiable`: nothing proves or refutes
   * it. `unknown_agent`: a person, or an agent that the catalog does not list.
   */
  result: 'verified' | 'verification_failed' | 'not_verifiable' | 'unknown_agent';
  agent_id?: string;
  agent_token?: string;
  agent_url?: string;
  agent_type_name?: AgentType;
  operator_name?: string;
}

/** Which agents a robots.txt or a list of tokens is about. */
export interface AgentSelection {
  agent_types: readonly AgentType[];
  excluded_agent_tokens?: readonly string[];
  excluded_operator_names?: readonly string[];
}

export interface RobotsTxtRequest extends AgentSelection {
  /** Absent: `/`, all URLs. */
  disallow?: string;
}

/** Keeps a short-lived runtime alive until the promise is settled. */
export type WaitUntil = (promise: Promise<unknown>) => void;

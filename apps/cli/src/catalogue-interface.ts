import type { Identification } from '#libs/agents';
import type { Agent, AgentRecord } from '#libs/catalogue';

/** An agent as the instance serves it. */
export interface ServedAgent extends Agent {
  /** `own`: added by an operator; `bundled`: it came with the release. */
  origin: 'bundled' | 'own';
  /** Whether a bundled one was changed here. */
  is_edited: boolean;
}

export interface AgentPage {
  agents: ServedAgent[];
  /** `null` at the end. */
  next_cursor: string | null;
  catalogue_version: string;
}

export interface AgentImport {
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
}

export interface IdentificationRequest {
  project_id?: string;
  request_method?: string;
  request_path?: string;
  request_headers: Record<string, unknown>;
}

export interface IdentificationAnswer {
  client_address: string | null;
  identification: Identification;
}

/** A request that the instance signed as its test agent. */
export interface TestVisit {
  method: string;
  url: string;
  headers: Record<string, string>;
  signature_agent: string;
  key_id: string;
  agent_token: string;
}

/** The record of the data file within a served agent. */
export function recordOf(agent: ServedAgent): AgentRecord {
  const { id: _id, origin: _origin, is_edited: _isEdited, ...record } = agent;
  return record;
}

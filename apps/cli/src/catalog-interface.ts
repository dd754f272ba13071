import type { Identification } from '#libs/agents';
import type { AgentRecord } from '#libs/catalog';
import type { AgentListItem } from '#libs/contracts';

export type { AgentImportResult, AgentListItem, AgentPage, TestVisit } from '#libs/contracts';

/** An identification with its evidence, as the engine makes it. */
export interface IdentificationAnswer {
  client_address: string | null;
  identification: Identification;
}

/** The record of the data file within a served agent. */
export function recordOf(agent: AgentListItem): AgentRecord {
  const {
    id: _id,
    origin: _origin,
    is_edited: _isEdited,
    changed_at: _at,
    feed: _feed,
    faults: _faults,
    ...record
  } = agent;
  return record;
}

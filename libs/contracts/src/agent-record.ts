import type { AgentListItem, AgentRecord } from './agent.schema.js';

/** Strips the fields that the catalog adds to a record in listings, such as the ID and the origin. */
export function toAgentRecord(agent: AgentListItem): AgentRecord {
  const {
    id: _id,
    origin: _origin,
    is_edited: _isEdited,
    changed_at: _changedAt,
    feed: _feed,
    faults: _faults,
    ...record
  } = agent;
  return record;
}

/** Normalizes an edited record by removing empty fields, and lists, flags and dates that no longer apply. */
export function normalizeAgentRecord(record: AgentRecord): AgentRecord {
  const { user_agent_patterns: patterns, verification } = record;
  const isPattern = (pattern: string): boolean => patterns.includes(pattern);
  const isRobotsOnly = patterns.length === 0 && record.robots_only === true;
  const hasRanges = (verification.ip_ranges ?? []).length > 0;
  const hasSigners = (verification.signature_agents ?? []).length > 0;
  return {
    ...omitEmpty({
      ...record,
      fallback_patterns: record.fallback_patterns?.filter(isPattern),
      loose_patterns: record.loose_patterns?.filter(isPattern),
      framework: record.generic && record.framework,
      robots_only: isRobotsOnly,
      signature_only: patterns.length === 0 && !isRobotsOnly && hasSigners,
    }),
    user_agent_patterns: patterns,
    verification: omitEmpty({
      ...verification,
      ip_ranges_as_of: hasRanges ? verification.ip_ranges_as_of : undefined,
    }),
  };
}

function omitEmpty<T extends object>(members: T): T {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === false || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value))) as T;
}

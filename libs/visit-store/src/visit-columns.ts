import type { VisitRow } from './visit-row.js';

export type VisitTable = 'visits' | 'unknown_visits';

/** Property of `VisitRow` that is stored unchanged in a column. Exclude any new property that isn't. */
type StoredMember = Exclude<
  keyof VisitRow,
  'id' | 'projectId' | 'occurredAt' | 'page' | 'isCounted' | 'document' | 'dimensions' | 'checkouts'
>;

export interface VisitColumn {
  name: string;
  /** PostgreSQL type. */
  type: string;
  member: StoredMember;
}

/** Columns by `VisitRow` property. `visits` contains visits by agents, and `unknown_visits` all others. */
const COLUMNS: { [K in StoredMember]: Omit<VisitColumn, 'member'> & { table: VisitTable | 'both' } } = {
  path: { name: 'path', type: 'text', table: 'both' },
  status: { name: 'status', type: 'double precision', table: 'both' },
  responseBytes: { name: 'response_bytes', type: 'double precision', table: 'both' },
  responseUs: { name: 'response_us', type: 'integer', table: 'both' },
  responseFlags: { name: 'response_flags', type: 'smallint', table: 'both' },
  mcpTool: { name: 'mcp_tool', type: 'text', table: 'both' },
  kinds: { name: 'kinds', type: 'smallint', table: 'both' },
  decisions: { name: 'decisions', type: 'text', table: 'both' },
  agentId: { name: 'agent_id', type: 'uuid', table: 'visits' },
  agentType: { name: 'agent_type', type: 'text', table: 'visits' },
  operator: { name: 'operator', type: 'text', table: 'visits' },
  result: { name: 'result', type: 'text', table: 'visits' },
  robots: { name: 'robots', type: 'smallint', table: 'visits' },
  automation: { name: 'automation', type: 'smallint', table: 'unknown_visits' },
  assistant: { name: 'assistant', type: 'text', table: 'unknown_visits' },
  userAgentGroup: { name: 'user_agent_group', type: 'integer', table: 'unknown_visits' },
};

const columnsFor = (wanted: VisitTable | 'both'): readonly VisitColumn[] =>
  Object.entries(COLUMNS)
    .filter(([, { table }]) => table === wanted)
    .map(([member, { name, type }]) => ({ name, type, member: member as StoredMember }));

/** Columns that both visit tables have. */
export const COMMON_COLUMNS = columnsFor('both');
/** Columns that only one of the visit tables has. */
export const TABLE_COLUMNS = { visits: columnsFor('visits'), unknown_visits: columnsFor('unknown_visits') };

import { AGENT_TYPES, agentTypeNamed, cursorCodec, MAX_TIME, StoredText } from '#libs/contracts';
import { Type } from 'typebox';
import { memberOf, ParameterReader, type Parameters } from '../parameters.js';
import { readRange, type TimeRange } from './time-range.js';

export type AgentSort = 'visits' | 'last_seen' | 'token';

/** Where a page starts: behind this agent. */
export interface AgentPlace {
  /** What it is sorted by: visits, milliseconds since the epoch, or the token. */
  key: number | string;
  agentId: string;
}

/** Which agents of a range are asked for. Lists mean "one of them"; null means all. */
export interface AgentsQuery {
  range: TimeRange;
  /** In lower case; blank for all. */
  search: string;
  types: string[] | null;
  operators: string[] | null;
  sort: AgentSort;
  limit: number;
  after: AgentPlace | null;
}

/** @throws ProblemError 422 that names the parameters that don't fit. */
export function readAgentsQuery(parameters: Parameters, now: number): AgentsQuery {
  const reader = new ParameterReader(parameters);
  const sort = reader.one('sort', 'must be visits, last_seen or token', memberOf(['visits', 'last_seen', 'token']));
  const query: AgentsQuery = {
    range: readRange(reader, now),
    search: reader.values('search')?.at(-1)?.toLowerCase() ?? '',
    types: reader.each('type', `must be one of: ${AGENT_TYPES.join(', ')}`, agentTypeNamed),
    operators: reader.values('operator'),
    sort: sort ?? 'visits',
    limit: reader.limit(),
    after: reader.cursor((text) => readPlace(text, sort ?? 'visits')),
  };
  reader.finish();
  return query;
}

const agentId = Type.String({ format: 'uuid' });
const byNumber = cursorCodec({ key: Type.Integer({ minimum: 0, maximum: MAX_TIME }), agentId });
const byToken = cursorCodec({ key: StoredText({ maxLength: 500 }), agentId });

export const writePlace = ({ key, agentId }: AgentPlace): string =>
  typeof key === 'number' ? byNumber.write({ key, agentId }) : byToken.write({ key, agentId });

const readPlace = (text: string, sort: AgentSort): AgentPlace | null =>
  sort === 'token' ? byToken.read(text) : byNumber.read(text);

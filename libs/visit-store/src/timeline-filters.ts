import { covers, parseAddress, parseCidr, userAgentGroupNumber } from '#libs/agents';
import { agentId } from '#libs/catalog';
import {
  AUTOMATION_VERDICTS,
  firstIdAt,
  isUuid,
  kindBits,
  ROBOTS_VERDICTS,
  type FilterName,
  type TimelineFilters,
} from '#libs/contracts';

/** Columns of a visit that filters use. */
export interface FilteredColumns {
  /** Milliseconds since the epoch. */
  occurredAt: number;
  agentId: string | null;
  agentType: string | null;
  operator: string | null;
  result: string;
  path: string;
  clientAddress: string | null;
  status: number | null;
  mcpTool: string | null;
  kinds: number;
  /** One-based positions in the lists of verdicts. */
  robots: number | null;
  automation: number | null;
  assistant: string | null;
  userAgentGroup: number | null;
}

export const FILTERED_COLUMNS = Object.entries({
  occurredAt: '(extract(epoch FROM occurred_at) * 1000)::float8',
  agentId: 'agent_id',
  agentType: 'agent_type',
  operator: 'operator',
  result: 'result',
  path: 'path',
  clientAddress: 'client_address',
  status: 'status',
  mcpTool: 'mcp_tool',
  kinds: 'kinds',
  robots: 'robots',
  automation: 'automation',
  assistant: 'assistant',
  userAgentGroup: 'user_agent_group',
} satisfies Record<keyof FilteredColumns, string>);

export const NO_COLUMNS: FilteredColumns = {
  occurredAt: 0,
  agentId: null,
  agentType: null,
  operator: null,
  result: '',
  path: '',
  clientAddress: null,
  status: null,
  mcpTool: null,
  kinds: 0,
  robots: null,
  automation: null,
  assistant: null,
  userAgentGroup: null,
};

/** Adds a parameter to a statement and returns its placeholder, such as `$3`. */
type Bind = (parameter: unknown) => string;

/** A filter as SQL and as a predicate for a visit in memory. A test verifies that they agree. */
interface Condition {
  sql: (bind: Bind) => string;
  matches: (visit: FilteredColumns) => boolean;
  /**
   * SQL condition that is true for all visits that don't match. Lets PostgreSQL skip partitions for negated filters.
   */
  sqlOfOthers?: string;
}

const PAGE = kindBits(['page']);
const FAILED = 'verification_failed';
const UNKNOWN = 'unknown_agent';
/** Values in the conditions of the partial indexes. */
const DISALLOWED = ROBOTS_VERDICTS.indexOf('disallowed') + 1;
const UNLIKELY = AUTOMATION_VERDICTS.indexOf('unlikely') + 1;
/** Number of characters of paths and tool names in their indexes. */
const INDEXED_LENGTH = 100;

const time = (milliseconds: number, bind: Bind): string => `to_timestamp(${bind(milliseconds)}::float8 / 1000)`;

const among = (
  column: string,
  read: (visit: FilteredColumns) => string | null,
  wanted: readonly string[],
  type = 'text',
): Condition => ({
  // With equality, an index can return the visits in timeline order.
  sql: (bind) =>
    wanted.length === 1 ? `${column} = ${bind(wanted[0])}::${type}` : `${column} = ANY (${bind(wanted)}::${type}[])`,
  matches: (visit) => wanted.includes(read(visit)!),
});

function verdict<T extends string>(
  column: 'robots' | 'automation',
  all: readonly T[],
  wanted: readonly T[],
  indexed: (positions: readonly number[]) => string,
): Condition {
  const positions = wanted.map((one) => all.indexOf(one) + 1);
  return {
    // `indexed` adds a literal, because a parameter wouldn't match the partial index.
    sql: (bind) => `${column} = ANY (${bind(positions)}::smallint[])${indexed(positions)}`,
    matches: (visit) => positions.includes(visit[column]!),
  };
}

/** The index only contains the first characters. They narrow down the rows, which are then compared in full. */
const startsWith = (prefix: string): string =>
  `(left(path, ${INDEXED_LENGTH}) ^@ left(${prefix}::text, ${INDEXED_LENGTH}) AND path ^@ ${prefix}::text)`;

const isTool = (name: string): string =>
  `(left(mcp_tool, ${INDEXED_LENGTH}) = left(${name}::text, ${INDEXED_LENGTH}) AND mcp_tool = ${name}::text)`;

/** Conditions by filter name. The type requires an entry for every filter. */
const CONDITIONS: { [K in FilterName | 'from' | 'to']: (wanted: NonNullable<TimelineFilters[K]>) => Condition } = {
  from: (from) => ({
    // The ID condition skips older partitions: IDs contain the time of receipt, which is never before `occurred_at`.
    sql: (bind) => `occurred_at >= ${time(from, bind)} AND id >= ${bind(firstIdAt(from))}::uuid`,
    matches: ({ occurredAt }) => occurredAt >= from,
  }),
  to: (to) => ({
    sql: (bind) => `occurred_at < ${time(to, bind)}`,
    matches: ({ occurredAt }) => occurredAt < to,
  }),
  agent: (agents) =>
    among(
      'agent_id',
      (visit) => visit.agentId,
      agents.map((agent) => (isUuid(agent) ? agent.toLowerCase() : agentId(agent))),
      'uuid',
    ),
  type: (types) => among('agent_type', ({ agentType }) => agentType, types),
  operator: (operators) => among('operator', ({ operator }) => operator, operators),
  result: (results) => {
    const { sql, matches } = among('result', ({ result }) => result, results);
    const only = (wanted: string): boolean => results.every((result) => result === wanted);
    // A literal, because a parameter wouldn't match the partial index.
    const onlyFailed = only(FAILED) ? ` AND result = '${FAILED}'` : '';
    // Excludes the partitions of `visits`, whose constraint requires an agent.
    const onlyUnknown = only(UNKNOWN) ? ' AND agent_id IS NULL' : '';
    return {
      sql: (bind) => sql(bind) + onlyFailed + onlyUnknown,
      matches,
      ...(results.includes(UNKNOWN) && { sqlOfOthers: 'agent_id IS NOT NULL' }),
    };
  },
  path: (prefixes) => ({
    sql: (bind) => `(${prefixes.map((prefix) => startsWith(bind(prefix))).join(' OR ')})`,
    matches: ({ path }) => prefixes.some((prefix) => path.startsWith(prefix)),
  }),
  page: (pages) => ({
    sql: (bind) => {
      const is = (page: string): string => `(${startsWith(page)} AND split_part(path, '?', 1) = ${page}::text)`;
      return `(${pages.map((page) => is(bind(page))).join(' OR ')})`;
    },
    matches: ({ path }) => pages.includes(path.split('?', 1)[0]!),
  }),
  address: (networks) => {
    const blocks = networks.map(parseCidr).filter((block) => block !== null);
    return {
      sql: (bind) => `client_address::inet <<= ANY (${bind(networks)}::inet[])`,
      matches: ({ clientAddress }) => {
        const address = clientAddress === null ? null : parseAddress(clientAddress);
        return address !== null && blocks.some((block) => covers(block, address));
      },
    };
  },
  status: (ranges) => ({
    sql: (bind) =>
      `(${ranges.map(({ from, to }) => `(status >= ${bind(from)} AND status < ${bind(to)})`).join(' OR ')})`,
    matches: ({ status }) => status !== null && ranges.some(({ from, to }) => status >= from && status < to),
  }),
  robots: (verdicts) =>
    verdict('robots', ROBOTS_VERDICTS, verdicts, (positions) =>
      positions.every((position) => position === DISALLOWED) ? ` AND robots = ${DISALLOWED}` : '',
    ),
  automation: (verdicts) =>
    verdict('automation', AUTOMATION_VERDICTS, verdicts, (positions) =>
      positions.every((position) => position < UNLIKELY) ? ` AND automation < ${UNLIKELY}` : '',
    ),
  assistant: (assistants) => among('assistant', ({ assistant }) => assistant, assistants),
  user_agent_group: (groups) => {
    const numbers = groups.map(userAgentGroupNumber);
    return {
      // IS NOT NULL matches the partial index. With equality, the index can return the visits in timeline order.
      sql: (bind) =>
        `user_agent_group IS NOT NULL AND user_agent_group ${
          numbers.length === 1 ? `= ${bind(numbers[0])}::integer` : `= ANY (${bind(numbers)}::integer[])`
        }`,
      matches: ({ userAgentGroup }) => userAgentGroup !== null && numbers.includes(userAgentGroup),
    };
  },
  mcp_tool: (tools) => ({
    sql: (bind) => `(${tools.map((tool) => isTool(bind(tool))).join(' OR ')})`,
    matches: ({ mcpTool }) => tools.includes(mcpTool!),
  }),
  kind: (wanted) => {
    const bits = kindBits(wanted);
    return {
      // Matches the partial index of visits that are more than a page.
      sql: (bind) => `kinds & ${bind(bits)}::smallint <> 0` + ((bits & PAGE) === 0 ? ` AND kinds <> ${PAGE}` : ''),
      matches: ({ kinds }) => (kinds & bits) !== 0,
    };
  },
};

/** Negates a condition. Visits without a value also match, because `NULL IS NOT TRUE` is true. */
const not = ({ sql, matches, sqlOfOthers = 'true' }: Condition): Condition => ({
  sql: (bind) => `(${sql(bind)}) IS NOT TRUE AND ${sqlOfOthers}`,
  matches: (visit) => !matches(visit),
});

const requested = (filters: Partial<TimelineFilters>): Condition[] =>
  Object.entries(CONDITIONS).flatMap(([name, conditionOf]) => {
    const condition = (key: string): Condition | null => {
      const wanted = filters[key as FilterName] ?? null;
      return wanted === null ? null : (conditionOf as (wanted: unknown) => Condition)(wanted);
    };
    const [is, isNot] = [condition(name), condition(`not_${name}`)];
    return [...(is === null ? [] : [is]), ...(isNot === null ? [] : [not(isNot)])];
  });

/** Returns the filters as SQL conditions on `visits_full`. Join them with AND. */
export const conditionsOf = (filters: Partial<TimelineFilters>, bind: Bind): string[] =>
  requested(filters).map(({ sql }) => sql(bind));

/** Returns a predicate for visits that pass all filters, or null if there are no filters. */
export function matcherOf(filters: Partial<TimelineFilters>): ((visit: FilteredColumns) => boolean) | null {
  const all = requested(filters);
  return all.length === 0 ? null : (visit) => all.every(({ matches }) => matches(visit));
}

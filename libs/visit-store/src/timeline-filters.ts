import { covers, parseAddress, parseCidr, hashUserAgentGroup, type AddressBlock } from '#libs/agents';
import { agentId } from '#libs/catalog';
import {
  AUTOMATION_VERDICTS,
  type AgentBehavior,
  type DecisionFilter,
  getFirstIdAt,
  getPage,
  includesQuery,
  isPathPattern,
  isUuid,
  matchesPathPattern,
  toKindBits,
  ROBOTS_VERDICTS,
  type FilterName,
  type RequestedFormat,
  type ResponseFormat,
  type TimelineFilters,
} from '#libs/contracts';
import { CLICKHOUSE_PAGE_NAME, PAGE_NAME } from './page.js';
import { FORMAT_BITS, FORMAT_MASK, toFormatNumber } from './response-flags.js';
import { toReceiptDay } from './clickhouse/receipt-day.js';

/** Visit columns that filters use. */
export interface FilteredColumns {
  /** Time of the visit, in milliseconds since the epoch. */
  occurredAt: number;
  agentId: string | null;
  agentType: string | null;
  operator: string | null;
  result: string;
  path: string;
  clientAddress: string | null;
  status: number | null;
  mcpTool: string | null;
  mcpVersion: string | null;
  kinds: number;
  /** One-based index in the list of verdicts. */
  robots: number | null;
  automation: number | null;
  assistant: string | null;
  /** Decisions of the policy, as in the response header. */
  decisions: string | null;
  userAgentGroup: number | null;
  responseFlags: number | null;
}

const MCP = toKindBits(['mcp']);
/**
 * SQL expressions for the protocol version of an MCP call. It's part of the document and has no column. Documents of
 * other visits aren't parsed.
 */
const MCP_VERSION = `CASE WHEN kinds & ${MCP}::smallint <> 0 THEN document #>> '{visit,mcp_request_protocol_version}' END`;
const CLICKHOUSE_MCP_VERSION = `if(bitAnd(kinds, ${MCP}) <> 0,
  nullIf(JSONExtractString(document, 'visit', 'mcp_request_protocol_version'), ''), NULL)`;

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
  mcpVersion: MCP_VERSION,
  kinds: 'kinds',
  robots: 'robots',
  automation: 'automation',
  assistant: 'assistant',
  decisions: 'decisions',
  userAgentGroup: 'user_agent_group',
  responseFlags: 'response_flags',
} satisfies Record<keyof FilteredColumns, string>);

const CLICKHOUSE_EXPRESSIONS: Record<string, string> = {
  occurredAt: 'occurred_at',
  mcpVersion: CLICKHOUSE_MCP_VERSION,
};

/** Like {@link FILTERED_COLUMNS}, for ClickHouse. */
export const CLICKHOUSE_FILTERED_COLUMNS = FILTERED_COLUMNS.map(([name, column]): [string, string] => [
  name,
  CLICKHOUSE_EXPRESSIONS[name] ?? column,
]);

export const EMPTY_COLUMNS: FilteredColumns = {
  occurredAt: 0,
  agentId: null,
  agentType: null,
  operator: null,
  result: '',
  path: '',
  clientAddress: null,
  status: null,
  mcpTool: null,
  mcpVersion: null,
  kinds: 0,
  robots: null,
  automation: null,
  assistant: null,
  decisions: null,
  userAgentGroup: null,
  responseFlags: null,
};

/** Adds a parameter to a statement and returns its placeholder, such as `$3`. */
type Bind = (parameter: unknown) => string;

/** Adds a parameter to a ClickHouse statement and returns its placeholder, such as `{p3:Array(String)}`. */
export type BindTyped = (parameter: unknown, type: string) => string;

/**
 * A filter as SQL for PostgreSQL and ClickHouse, and as a predicate for visits in memory. Tests verify that all of them
 * agree.
 */
interface Condition {
  sql: (bind: Bind) => string;
  clickHouse: (bind: BindTyped) => string;
  matches: (visit: FilteredColumns) => boolean;
  /**
   * SQL condition that is true for every visit without a match. If the filter is negated, both databases use the
   * condition to skip partitions.
   */
  sqlOfOthers?: string;
}

/** Conditions that let ClickHouse skip the partitions of other visitors. */
const BY_AGENTS = 'agent_id IS NOT NULL';
const BY_UNKNOWN = 'agent_id IS NULL';

const PAGE = toKindBits(['page']);
const FAILED = 'verification_failed';
const UNKNOWN = 'unknown_agent';
/** Values used in the conditions of partial indexes. */
const DISALLOWED = ROBOTS_VERDICTS.indexOf('disallowed') + 1;
const UNLIKELY = AUTOMATION_VERDICTS.indexOf('unlikely') + 1;
/** Number of leading characters that the indexes on paths and tool names contain. */
const INDEXED_LENGTH = 100;

const time = (milliseconds: number, bind: Bind): string => `to_timestamp(${bind(milliseconds)}::float8 / 1000)`;

interface ColumnOptions {
  /** PostgreSQL type. Default: `text`. */
  type?: string;
  /** ClickHouse type. Default: `String`. */
  clickHouseType?: string;
  /** Condition for the visitors whose visits have a value in the column. Default: all visitors. */
  visitors?: string;
}

const isOneOf = (
  column: string,
  read: (visit: FilteredColumns) => string | null,
  wanted: readonly string[],
  { type = 'text', clickHouseType = 'String', visitors }: ColumnOptions = {},
): Condition => ({
  // With an equality condition, an index can return the visits in timeline order.
  sql: (bind) =>
    wanted.length === 1 ? `${column} = ${bind(wanted[0])}::${type}` : `${column} = ANY (${bind(wanted)}::${type}[])`,
  clickHouse: (bind) =>
    (visitors === undefined ? '' : `${visitors} AND `) + `${column} IN ${bind(wanted, `Array(${clickHouseType})`)}`,
  matches: (visit) => wanted.includes(read(visit)!),
});

function hasVerdict<T extends string>(
  column: 'robots' | 'automation',
  all: readonly T[],
  wanted: readonly T[],
  visitors: string,
  indexed: (positions: readonly number[]) => string,
): Condition {
  const positions = wanted.map((one) => all.indexOf(one) + 1);
  return {
    // `indexed` adds a literal, because PostgreSQL can't match a parameter to the partial index.
    sql: (bind) => `${column} = ANY (${bind(positions)}::smallint[])${indexed(positions)}`,
    clickHouse: (bind) => `${visitors} AND ${column} IN ${bind(positions, 'Array(Int16)')}`,
    matches: (visit) => positions.includes(visit[column]!),
  };
}

/** Returns a condition for visits with a decision that contains one of the texts. */
export const hasDecision = (parts: readonly string[]): Condition => ({
  // IS NOT NULL matches the partial index.
  sql: (bind) =>
    `decisions IS NOT NULL AND (${parts.map((part) => `strpos(decisions, ${bind(part)}::text) > 0`).join(' OR ')})`,
  clickHouse: (bind) =>
    `(${parts.map((part) => `position(ifNull(decisions, ''), ${bind(part, 'String')}) > 0`).join(' OR ')})`,
  matches: ({ decisions }) => decisions !== null && parts.some((part) => decisions.includes(part)),
});

/** Converts a filter value, such as `dry_run_refused`, to the start of a decision, such as `refused;dry_run;`. */
const toDecisionStart = (wanted: DecisionFilter): string =>
  wanted.startsWith(DRY_RUN) ? `${wanted.slice(DRY_RUN.length)};dry_run;` : `${wanted};live;`;

const DRY_RUN = 'dry_run_';

/** The index contains only the first characters. They narrow down the rows, which are then compared in full. */
const startsWith = (prefix: string): string =>
  `(left(path, ${INDEXED_LENGTH}) ^@ left(${prefix}::text, ${INDEXED_LENGTH}) AND path ^@ ${prefix}::text)`;

const LIKE_CHARACTERS = /[\\%_]/g;

/** Converts a path pattern to the right-hand side of LIKE. */
const toLike = (pattern: string): string => pattern.replace(LIKE_CHARACTERS, '\\$&').replaceAll('*', '%');

const toPathPrefix = (pattern: string): string => pattern.slice(0, pattern.indexOf('*'));

/** Returns a condition for paths that match a pattern. The index narrows down the rows by the pattern's start. */
function matchesPattern(pattern: string, bind: Bind): string {
  const prefix = toPathPrefix(pattern);
  const path = includesQuery(pattern) ? 'path' : `split_part(path, '?', 1)`;
  return `(${prefix === '' ? '' : `${startsWith(bind(prefix))} AND `}${path} LIKE ${bind(toLike(pattern))}::text)`;
}

/** Like {@link matchesPattern}, for ClickHouse. */
function matchesClickHousePattern(pattern: string, bind: BindTyped): string {
  const path = includesQuery(pattern) ? 'path' : `substringIndex(path, '?', 1)`;
  return `(startsWith(path, ${bind(toPathPrefix(pattern), 'String')}) AND ${path} LIKE ${bind(toLike(pattern), 'String')})`;
}

/** Returns a condition for the formats in `response_flags`. */
function hasFormat(name: keyof typeof FORMAT_BITS, wanted: readonly (RequestedFormat | ResponseFormat)[]): Condition {
  const { shift } = FORMAT_BITS[name];
  const numbers = wanted.map((format) => toFormatNumber(name, format));
  return {
    sql: (bind) => `(coalesce(response_flags, 0) >> ${shift}) & ${FORMAT_MASK} = ANY (${bind(numbers)}::integer[])`,
    clickHouse: (bind) =>
      `bitAnd(bitShiftRight(ifNull(response_flags, 0), ${shift}), ${FORMAT_MASK}) IN ${bind(numbers, 'Array(Int16)')}`,
    matches: ({ responseFlags }) => numbers.includes(((responseFlags ?? 0) >> shift) & FORMAT_MASK),
  };
}

/** Returns a condition for a path filter: a prefix or a pattern. */
export const toPathCondition = (filter: string, bind: Bind): string =>
  isPathPattern(filter) ? matchesPattern(filter, bind) : startsWith(bind(filter));

/** Like {@link toPathCondition}, for ClickHouse. */
export const toClickHousePathCondition = (filter: string, bind: BindTyped): string =>
  isPathPattern(filter) ? matchesClickHousePattern(filter, bind) : `startsWith(path, ${bind(filter, 'String')})`;

const toolMatches = (name: string): string =>
  `(left(mcp_tool, ${INDEXED_LENGTH}) = left(${name}::text, ${INDEXED_LENGTH}) AND mcp_tool = ${name}::text)`;

/** Returns a ClickHouse condition for client addresses in a block. IPv4 addresses are compared in their IPv6 form. */
function isInBlock({ family, first, last }: AddressBlock, bind: BindTyped): string {
  const range = `BETWEEN ${bind(toIpv6(first), 'IPv6')} AND ${bind(toIpv6(last), 'IPv6')}`;
  const isIpv4 = `toIPv6OrNull(client_address) BETWEEN toIPv6('::ffff:0.0.0.0') AND toIPv6('::ffff:255.255.255.255')`;
  return `(toIPv6OrNull(client_address) ${range}${family === 4 ? '' : ` AND NOT (${isIpv4})`})`;
}

const toIpv6 = (address: AddressBlock['first']): string =>
  (typeof address === 'string' ? address : address.toString(16).padStart(8, '0').padStart(12, 'f').padStart(32, '0'))
    .match(/.{4}/g)!
    .join(':');

/** Filters that refer to the catalog. `resolveBehaviors` replaces them with agents. */
type CatalogFilterName = 'behavior';

/** Conditions by filter name. The type requires an entry for every filter that visits are compared with. */
const CONDITIONS: {
  [K in Exclude<FilterName, CatalogFilterName> | 'from' | 'to']: (wanted: NonNullable<TimelineFilters[K]>) => Condition;
} = {
  from: (from) => ({
    // The ID condition lets PostgreSQL skip older partitions, because a visit's ID contains its time of receipt, which
    // is never before `occurred_at`.
    sql: (bind) => `occurred_at >= ${time(from, bind)} AND id >= ${bind(getFirstIdAt(from))}::uuid`,
    clickHouse: (bind) => `occurred_at >= ${bind(from, 'Int64')} AND day >= ${bind(toReceiptDay(from), 'Date')}`,
    matches: ({ occurredAt }) => occurredAt >= from,
  }),
  to: (to) => ({
    sql: (bind) => `occurred_at < ${time(to, bind)}`,
    clickHouse: (bind) => `occurred_at < ${bind(to, 'Int64')}`,
    matches: ({ occurredAt }) => occurredAt < to,
  }),
  agent: (agents) =>
    isOneOf('agent_id', (visit) => visit.agentId, agents.map(toAgentId), {
      type: 'uuid',
      clickHouseType: 'UUID',
      visitors: BY_AGENTS,
    }),
  type: (types) => isOneOf('agent_type', ({ agentType }) => agentType, types, { visitors: BY_AGENTS }),
  operator: (operators) => isOneOf('operator', ({ operator }) => operator, operators, { visitors: BY_AGENTS }),
  result: (results) => {
    const only = (wanted: string): boolean => results.every((result) => result === wanted);
    const visitors = only(UNKNOWN) ? BY_UNKNOWN : !results.includes(UNKNOWN) && BY_AGENTS;
    const { sql, clickHouse, matches } = isOneOf('result', ({ result }) => result, results, {
      ...(visitors && { visitors }),
    });
    // Use a literal, because PostgreSQL can't match a parameter to the partial index.
    const onlyFailed = only(FAILED) ? ` AND result = '${FAILED}'` : '';
    // Lets PostgreSQL skip the partitions of `visits`, whose constraint requires an agent.
    const onlyUnknown = only(UNKNOWN) ? ` AND ${BY_UNKNOWN}` : '';
    return {
      sql: (bind) => sql(bind) + onlyFailed + onlyUnknown,
      clickHouse,
      matches,
      ...(results.includes(UNKNOWN) && { sqlOfOthers: BY_AGENTS }),
    };
  },
  path: (filters) => ({
    sql: (bind) => `(${filters.map((filter) => toPathCondition(filter, bind)).join(' OR ')})`,
    clickHouse: (bind) => `(${filters.map((filter) => toClickHousePathCondition(filter, bind)).join(' OR ')})`,
    matches: ({ path }) =>
      filters.some((filter) => (isPathPattern(filter) ? matchesPathPattern(filter, path) : path.startsWith(filter))),
  }),
  page: (paths) => {
    const pages = [...new Set(paths.map(getPage))];
    return {
      sql: (bind) => {
        const is = (page: string): string => `(${startsWith(page)} AND ${PAGE_NAME} = ${page}::text)`;
        return `(${pages.map((page) => is(bind(page))).join(' OR ')})`;
      },
      // Comparing the start first avoids the regular expression for most paths.
      clickHouse: (bind) => {
        const is = (page: string): string => `(startsWith(path, ${page}) AND ${CLICKHOUSE_PAGE_NAME} = ${page})`;
        return `(${pages.map((page) => is(bind(page, 'String'))).join(' OR ')})`;
      },
      matches: ({ path }) => pages.includes(getPage(path)),
    };
  },
  address: (networks) => {
    const blocks = networks.map(parseCidr).filter((block) => block !== null);
    return {
      sql: (bind) => `client_address::inet <<= ANY (${bind(networks)}::inet[])`,
      clickHouse: (bind) => `(${['false', ...blocks.map((block) => isInBlock(block, bind))].join(' OR ')})`,
      matches: ({ clientAddress }) => {
        const address = clientAddress === null ? null : parseAddress(clientAddress);
        return address !== null && blocks.some((block) => covers(block, address));
      },
    };
  },
  status: (ranges) => ({
    sql: (bind) =>
      `(${ranges.map(({ from, to }) => `(status >= ${bind(from)} AND status < ${bind(to)})`).join(' OR ')})`,
    clickHouse: (bind) => {
      const isIn = ({ from, to }: (typeof ranges)[number]): string =>
        `(status >= ${bind(from, 'Float64')} AND status < ${bind(to, 'Float64')})`;
      return `(${ranges.map(isIn).join(' OR ')})`;
    },
    matches: ({ status }) => status !== null && ranges.some(({ from, to }) => status >= from && status < to),
  }),
  robots: (verdicts) =>
    hasVerdict('robots', ROBOTS_VERDICTS, verdicts, BY_AGENTS, (positions) =>
      positions.every((position) => position === DISALLOWED) ? ` AND robots = ${DISALLOWED}` : '',
    ),
  automation: (verdicts) =>
    hasVerdict('automation', AUTOMATION_VERDICTS, verdicts, BY_UNKNOWN, (positions) =>
      positions.every((position) => position < UNLIKELY) ? ` AND automation < ${UNLIKELY}` : '',
    ),
  assistant: (assistants) => isOneOf('assistant', ({ assistant }) => assistant, assistants, { visitors: BY_UNKNOWN }),
  rule: (ids) => hasDecision(ids.map((id) => id.toLowerCase())),
  decision: (wanted) => hasDecision(wanted.map(toDecisionStart)),
  user_agent_group: (groups) => {
    const numbers = groups.map(hashUserAgentGroup);
    return {
      // IS NOT NULL matches the partial index. With an equality condition, the index can return the visits in timeline
      // order.
      sql: (bind) =>
        `user_agent_group IS NOT NULL AND user_agent_group ${
          numbers.length === 1 ? `= ${bind(numbers[0])}::integer` : `= ANY (${bind(numbers)}::integer[])`
        }`,
      clickHouse: (bind) => `${BY_UNKNOWN} AND user_agent_group IN ${bind(numbers, 'Array(Int32)')}`,
      matches: ({ userAgentGroup }) => userAgentGroup !== null && numbers.includes(userAgentGroup),
    };
  },
  mcp_tool: (tools) => ({
    sql: (bind) => `(${tools.map((tool) => toolMatches(bind(tool))).join(' OR ')})`,
    clickHouse: (bind) => `mcp_tool IN ${bind(tools, 'Array(String)')}`,
    matches: ({ mcpTool }) => tools.includes(mcpTool!),
  }),
  mcp_version: (versions) => ({
    // The conditions on kinds match the partial index on visits that aren't just page visits.
    sql: (bind) =>
      `kinds & ${MCP}::smallint <> 0 AND kinds <> ${PAGE} AND ${MCP_VERSION} = ANY (${bind(versions)}::text[])`,
    // The condition on kinds comes first, so that ClickHouse only reads the documents of MCP calls.
    clickHouse: (bind) =>
      `bitAnd(kinds, ${MCP}) <> 0 AND ${CLICKHOUSE_MCP_VERSION} IN ${bind(versions, 'Array(String)')}`,
    matches: ({ mcpVersion }) => versions.includes(mcpVersion!),
  }),
  requested_format: (formats) => hasFormat('requested', formats),
  response_format: (formats) => hasFormat('response', formats),
  kind: (wanted) => {
    const bits = toKindBits(wanted);
    return {
      // Matches the partial index on visits that aren't just page visits.
      sql: (bind) => `kinds & ${bind(bits)}::smallint <> 0` + ((bits & PAGE) === 0 ? ` AND kinds <> ${PAGE}` : ''),
      clickHouse: (bind) => `bitAnd(kinds, ${bind(bits, 'Int16')}) <> 0`,
      matches: ({ kinds }) => (kinds & bits) !== 0,
    };
  },
};

const toAgentId = (agent: string): string => (isUuid(agent) ? agent.toLowerCase() : agentId(agent));

/**
 * Replaces the filters for behaviors with filters for the agents that have these behaviors.
 *
 * @param findAgents Returns the IDs of the agents that have at least one of the behaviors.
 */
export async function resolveBehaviors<T extends Partial<TimelineFilters>>(
  filters: T,
  findAgents: (behaviors: readonly AgentBehavior[]) => Promise<readonly string[]>,
): Promise<T> {
  const { behavior = null, not_behavior: excluded = null } = filters;
  if (behavior === null && excluded === null) return filters;
  const [ids, excludedIds] = await Promise.all([behavior && findAgents(behavior), excluded && findAgents(excluded)]);
  const agents = filters.agent?.map(toAgentId) ?? null;
  const resolved: Partial<TimelineFilters> = {
    behavior: null,
    not_behavior: null,
    agent: ids === null ? agents : ids.filter((id) => agents === null || agents.includes(id)),
    not_agent: excludedIds === null ? (filters.not_agent ?? null) : [...(filters.not_agent ?? []), ...excludedIds],
  };
  return { ...filters, ...resolved };
}

/** Negates a condition. Visits without a value also match, because `NULL IS NOT TRUE` is true. */
const not = ({ sql, clickHouse, matches, sqlOfOthers = 'true' }: Condition): Condition => ({
  sql: (bind) => `(${sql(bind)}) IS NOT TRUE AND ${sqlOfOthers}`,
  clickHouse: (bind) => `NOT ifNull(${clickHouse(bind)}, false) AND ${sqlOfOthers}`,
  matches: (visit) => !matches(visit),
});

const buildConditions = (filters: Partial<TimelineFilters>): Condition[] =>
  Object.entries(CONDITIONS).flatMap(([name, conditionOf]) => {
    const condition = (key: string): Condition | null => {
      const wanted = filters[key as FilterName] ?? null;
      return wanted === null ? null : (conditionOf as (wanted: unknown) => Condition)(wanted);
    };
    const [is, isNot] = [condition(name), condition(`not_${name}`)];
    return [...(is === null ? [] : [is]), ...(isNot === null ? [] : [not(isNot)])];
  });

/** Converts filters to SQL conditions on `visits_full`. Join them with AND. */
export const toSqlConditions = (filters: Partial<TimelineFilters>, bind: Bind): string[] =>
  buildConditions(filters).map(({ sql }) => sql(bind));

/** Converts filters to ClickHouse conditions on `visits`. Join them with AND. */
export const toClickHouseConditions = (filters: Partial<TimelineFilters>, bind: BindTyped): string[] =>
  buildConditions(filters).map(({ clickHouse }) => clickHouse(bind));

/** Returns a predicate for visits that match all filters, or null if there are no filters. */
export function createMatcher(filters: Partial<TimelineFilters>): ((visit: FilteredColumns) => boolean) | null {
  const all = buildConditions(filters);
  return all.length === 0 ? null : (visit) => all.every(({ matches }) => matches(visit));
}

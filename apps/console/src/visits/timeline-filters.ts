import { covers, parseAddress, parseCidr } from '#libs/agents';
import { agentId } from '#libs/catalog';
import { firstIdAt, isUuid, kindBits, type TimelineFilters } from '#libs/contracts';

/** The columns of a visit that filters look at. */
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
}

/** Takes a parameter of a statement; its place there is the answer. */
type Place = (parameter: unknown) => string;

/** What a filter means, twice: to the database, and for a visit at hand. A test holds the two together. */
interface Condition {
  sql: (place: Place) => string;
  fits: (visit: FilteredColumns) => boolean;
}

const PAGE = kindBits(['page']);
const FAILED = 'verification_failed';
/** Characters of a path, or of a tool's name, that its index holds. */
const INDEXED_LENGTH = 100;

const time = (milliseconds: number, place: Place): string => `to_timestamp(${place(milliseconds)}::float8 / 1000)`;

const among = (
  column: string,
  read: (visit: FilteredColumns) => string | null,
  wanted: readonly string[],
  type = 'text',
): Condition => ({
  // For a single value there may be an index in the order of the timeline.
  sql: (place) =>
    wanted.length === 1 ? `${column} = ${place(wanted[0])}::${type}` : `${column} = ANY (${place(wanted)}::${type}[])`,
  fits: (visit) => wanted.includes(read(visit)!),
});

/** The index has the first characters only; they find what then is compared in full. */
const startsWith = (prefix: string): string =>
  `(left(path, ${INDEXED_LENGTH}) ^@ left(${prefix}::text, ${INDEXED_LENGTH}) AND path ^@ ${prefix}::text)`;

const isTool = (name: string): string =>
  `(left(mcp_tool, ${INDEXED_LENGTH}) = left(${name}::text, ${INDEXED_LENGTH}) AND mcp_tool = ${name}::text)`;

/** By name of the filter, as the interface declares it: a filter without an entry does not compile. */
const CONDITIONS: { [K in keyof TimelineFilters]: (wanted: NonNullable<TimelineFilters[K]>) => Condition } = {
  from: (from) => ({
    // The id bounds the partitions that are read: a visit never occurs after its receipt.
    sql: (place) => `occurred_at >= ${time(from, place)} AND id >= ${place(firstIdAt(from))}::uuid`,
    fits: ({ occurredAt }) => occurredAt >= from,
  }),
  to: (to) => ({
    sql: (place) => `occurred_at < ${time(to, place)}`,
    fits: ({ occurredAt }) => occurredAt < to,
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
    const { sql, fits } = among('result', ({ result }) => result, results);
    // The index on failures is found by the value itself only, which a parameter does not show.
    const onlyFailed = results.every((result) => result === FAILED) ? ` AND result = '${FAILED}'` : '';
    return { sql: (place) => sql(place) + onlyFailed, fits };
  },
  path: (prefixes) => ({
    sql: (place) => `(${prefixes.map((prefix) => startsWith(place(prefix))).join(' OR ')})`,
    fits: ({ path }) => prefixes.some((prefix) => path.startsWith(prefix)),
  }),
  page: (pages) => ({
    sql: (place) => {
      const is = (page: string): string => `(${startsWith(page)} AND split_part(path, '?', 1) = ${page}::text)`;
      return `(${pages.map((page) => is(place(page))).join(' OR ')})`;
    },
    fits: ({ path }) => pages.includes(path.split('?', 1)[0]!),
  }),
  address: (networks) => {
    const blocks = networks.map(parseCidr).filter((block) => block !== null);
    return {
      sql: (place) => `(document ->> 'client_address')::inet <<= ANY (${place(networks)}::inet[])`,
      fits: ({ clientAddress }) => {
        const address = clientAddress === null ? null : parseAddress(clientAddress);
        return address !== null && blocks.some((block) => covers(block, address));
      },
    };
  },
  status: (ranges) => ({
    sql: (place) =>
      `(${ranges.map(({ from, to }) => `(status >= ${place(from)} AND status < ${place(to)})`).join(' OR ')})`,
    fits: ({ status }) => status !== null && ranges.some(({ from, to }) => status >= from && status < to),
  }),
  mcp_tool: (tools) => ({
    sql: (place) => `(${tools.map((tool) => isTool(place(tool))).join(' OR ')})`,
    fits: ({ mcpTool }) => tools.includes(mcpTool!),
  }),
  kind: (wanted) => {
    const bits = kindBits(wanted);
    return {
      // There is an index on what is no mere page.
      sql: (place) => `kinds & ${place(bits)}::smallint <> 0` + ((bits & PAGE) === 0 ? ` AND kinds <> ${PAGE}` : ''),
      fits: ({ kinds }) => (kinds & bits) !== 0,
    };
  },
};

const asked = (filters: TimelineFilters): Condition[] =>
  Object.entries(CONDITIONS).flatMap(([name, conditionOf]) => {
    const wanted = filters[name as keyof TimelineFilters];
    return wanted === null ? [] : (conditionOf as (wanted: unknown) => Condition)(wanted);
  });

/** The filters as conditions of a statement that reads `visits`; all of them have to hold. */
export const conditionsOf = (filters: TimelineFilters, place: Place): string[] =>
  asked(filters).map(({ sql }) => sql(place));

/** The filters as a question about a visit at hand; null when they leave nothing out. */
export function fitsFilters(filters: TimelineFilters): ((visit: FilteredColumns) => boolean) | null {
  const all = asked(filters);
  return all.length === 0 ? null : (visit) => all.every(({ fits }) => fits(visit));
}

import { covers, parseAddress, parseCidr } from '#libs/agents';
import { firstIdAt, kindBits } from '#libs/contracts';

/** Which of a project's visits are asked for. Lists mean "one of them"; null means all. */
export interface TimelineFilters {
  /** Milliseconds since the epoch. */
  from: number | null;
  /** Exclusive. */
  to: number | null;
  agentIds: string[] | null;
  types: string[] | null;
  operators: string[] | null;
  results: string[] | null;
  pathPrefixes: string[] | null;
  /** Whole paths, whatever their query. */
  pages: string[] | null;
  /** Addresses, or networks as CIDR. */
  addresses: string[] | null;
  /** Ranges of status codes, the end exclusive. */
  statuses: { from: number; to: number }[] | null;
  mcpTools: string[] | null;
  /** Bit mask. */
  kinds: number | null;
}

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
interface Meaning<T> {
  sql: (wanted: T, place: Place) => string;
  fits: (wanted: T, visit: FilteredColumns) => boolean;
}

const PAGE = kindBits(['page']);
const FAILED = 'verification_failed';
/** Characters of a path, or of a tool's name, that its index holds. */
const INDEXED_LENGTH = 100;

const time = (milliseconds: number, place: Place): string => `to_timestamp(${place(milliseconds)}::float8 / 1000)`;

const among = (column: string, read: (visit: FilteredColumns) => string | null, type = 'text'): Meaning<string[]> => ({
  // For a single value there may be an index in the order of the timeline.
  sql: (wanted, place) =>
    wanted.length === 1 ? `${column} = ${place(wanted[0])}::${type}` : `${column} = ANY (${place(wanted)}::${type}[])`,
  fits: (wanted, visit) => wanted.includes(read(visit)!),
});

/** The index has the first characters only; they find what then is compared in full. */
const startsWith = (prefix: string): string =>
  `(left(path, ${INDEXED_LENGTH}) ^@ left(${prefix}::text, ${INDEXED_LENGTH}) AND path ^@ ${prefix}::text)`;

const isTool = (name: string): string =>
  `(left(mcp_tool, ${INDEXED_LENGTH}) = left(${name}::text, ${INDEXED_LENGTH}) AND mcp_tool = ${name}::text)`;

const results = among('result', ({ result }) => result);

const MEANINGS: { [K in keyof TimelineFilters]: Meaning<NonNullable<TimelineFilters[K]>> } = {
  from: {
    // The id bounds the partitions that are read: a visit never occurs after its receipt.
    sql: (from, place) => `occurred_at >= ${time(from, place)} AND id >= ${place(firstIdAt(from))}::uuid`,
    fits: (from, { occurredAt }) => occurredAt >= from,
  },
  to: {
    sql: (to, place) => `occurred_at < ${time(to, place)}`,
    fits: (to, { occurredAt }) => occurredAt < to,
  },
  agentIds: among('agent_id', ({ agentId }) => agentId, 'uuid'),
  types: among('agent_type', ({ agentType }) => agentType),
  operators: among('operator', ({ operator }) => operator),
  results: {
    // The index on failures is found by the value itself only, which a parameter does not show.
    sql: (wanted, place) =>
      results.sql(wanted, place) + (wanted.every((result) => result === FAILED) ? ` AND result = '${FAILED}'` : ''),
    fits: results.fits,
  },
  pathPrefixes: {
    sql: (prefixes, place) => `(${prefixes.map((prefix) => startsWith(place(prefix))).join(' OR ')})`,
    fits: (prefixes, { path }) => prefixes.some((prefix) => path.startsWith(prefix)),
  },
  pages: {
    sql: (pages, place) => {
      const is = (page: string): string => `(${startsWith(page)} AND split_part(path, '?', 1) = ${page}::text)`;
      return `(${pages.map((page) => is(place(page))).join(' OR ')})`;
    },
    fits: (pages, { path }) => pages.includes(path.split('?', 1)[0]!),
  },
  addresses: {
    sql: (networks, place) => `(document ->> 'client_address')::inet <<= ANY (${place(networks)}::inet[])`,
    fits: (networks, { clientAddress }) => {
      const address = clientAddress === null ? null : parseAddress(clientAddress);
      return address !== null && networks.some((network) => covers(parseCidr(network)!, address));
    },
  },
  statuses: {
    sql: (ranges, place) =>
      `(${ranges.map(({ from, to }) => `(status >= ${place(from)} AND status < ${place(to)})`).join(' OR ')})`,
    fits: (ranges, { status }) => status !== null && ranges.some(({ from, to }) => status >= from && status < to),
  },
  mcpTools: {
    sql: (tools, place) => `(${tools.map((tool) => isTool(place(tool))).join(' OR ')})`,
    fits: (tools, { mcpTool }) => tools.includes(mcpTool!),
  },
  kinds: {
    // There is an index on what is no mere page.
    sql: (bits, place) =>
      `kinds & ${place(bits)}::smallint <> 0` + ((bits & PAGE) === 0 ? ` AND kinds <> ${PAGE}` : ''),
    fits: (bits, { kinds }) => (kinds & bits) !== 0,
  },
};

type Asked = [meaning: Meaning<unknown>, wanted: unknown][];

const asked = (filters: TimelineFilters): Asked =>
  Object.entries(MEANINGS)
    .map(([name, meaning]): Asked[number] => [meaning as Meaning<unknown>, filters[name as keyof TimelineFilters]])
    .filter(([, wanted]) => wanted !== null);

/** The filters as conditions of a statement that reads `visits`; all of them have to hold. */
export const conditionsOf = (filters: TimelineFilters, place: Place): string[] =>
  asked(filters).map(([{ sql }, wanted]) => sql(wanted, place));

/** The filters as a question about a visit at hand; null when they leave nothing out. */
export function fitsFilters(filters: TimelineFilters): ((visit: FilteredColumns) => boolean) | null {
  const all = asked(filters);
  return all.length === 0 ? null : (visit) => all.every(([{ fits }, wanted]) => fits(wanted, visit));
}

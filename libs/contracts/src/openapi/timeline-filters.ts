import { Type } from 'typebox';
import { IDENTIFICATION_RESULTS } from '../enriched-visit.schema.js';
import { AUTOMATION_VERDICTS, ROBOTS_VERDICTS } from '../insights.schema.js';
import { isNetwork } from '../ip-address.js';
import { VISIT_KINDS } from '../visit.schema.js';
import type { QueryOf, QueryParameter } from './operation.js';
import { AGENT_TYPE, one, oneOf, several, textThat, TIME } from './parameters.js';

/** The dashboard checks these two patterns while a person types, before it sends a request. */
const NETWORK =
  /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}(\/(3[0-2]|[12]?\d))?|[\da-fA-F]*:[\da-fA-F:.]*(\/\d{1,3})?)$/;
const STATUS = /^(\d{1,9}|[1-9][xX]{2})$/;

const TIMES = {
  from: one('Not before this time, ISO 8601', TIME),
  to: one('Before this time, ISO 8601', TIME),
};

/**
 * Which visits are meant: name of the parameter, and what it takes. With a `label` the dashboard offers it, with an
 * `argument` the command line. What a filter does is in the console's `CONDITIONS`. Each has its opposite, `not_…`.
 */
const POSITIVE_FILTERS = {
  path: { ...several('Start of the request path'), label: 'Path', placeholder: '/articles', argument: 'start' },
  agent: { ...several('Token or id of the agent'), label: 'Agent', argument: 'token|id' },
  result: {
    ...several('Result of the identification', oneOf(IDENTIFICATION_RESULTS)),
    label: 'Verdict',
    argument: 'result',
  },
  type: { ...several('Type of the agent', AGENT_TYPE), label: 'Type', argument: 'type' },
  operator: { ...several('Company behind the agent'), label: 'Operator', argument: 'name' },
  page: { ...several('Whole request path, without its query'), label: 'Page', argument: 'path' },
  address: {
    ...several(
      "The client's address, or its network such as 192.0.2.0/24",
      textThat(
        'must be an address, or a network such as 192.0.2.0/24',
        (text) => (isNetwork(text) ? text : null),
        Type.String({ pattern: NETWORK.source, maxLength: 49 }),
      ),
    ),
    label: 'Address',
    placeholder: '192.0.2.0/24',
    argument: 'address|network',
  },
  status: {
    ...several(
      'Status of the response, such as 404, or a class, such as 4xx',
      textThat(
        'must be a status such as 404, or a class such as 4xx',
        readStatus,
        Type.String({ pattern: STATUS.source, maxLength: 9 }),
      ),
    ),
    label: 'Status',
    placeholder: '4xx',
    argument: 'status',
  },
  robots: {
    ...several("What the site's robots.txt said about it", oneOf(ROBOTS_VERDICTS)),
    label: 'robots.txt',
    argument: 'verdict',
  },
  assistant: { ...several('AI assistant that sent the visitor'), label: 'Assistant', argument: 'name' },
  automation: {
    ...several('Whether a program made a visit of an unknown visitor', oneOf(AUTOMATION_VERDICTS)),
    label: 'Automation',
    argument: 'verdict',
  },
  user_agent_group: {
    ...several('User agent without versions, as the list of unlisted programs has it'),
    label: 'Unlisted user agent',
    argument: 'group',
  },
  mcp_tool: { ...several('Name of the MCP tool'), label: 'MCP tool', argument: 'name' },
  kind: { ...several('Kind of visit', oneOf(VISIT_KINDS)), label: 'Kind', argument: 'kind' },
};

/** The values that a parameter takes, where they are few; null for any text. */
export const valuesOf = ({ schema }: QueryParameter): readonly string[] | null =>
  (schema as { items?: { enum?: string[] } }).items?.enum ?? null;

/** What a text has to match; null for any text. */
export const patternOf = ({ schema }: QueryParameter): string | null =>
  (schema as { items?: { pattern?: string } }).items?.pattern ?? null;

/** Status codes from the first to before the second. */
interface StatusRange {
  from: number;
  to: number;
}

function readStatus(text: string): StatusRange | null {
  if (!STATUS.test(text)) return null;
  if (/x/i.test(text)) return { from: Number(text[0]) * 100, to: Number(text[0]) * 100 + 100 };
  return { from: Number(text), to: Number(text) + 1 };
}

type Positive = typeof POSITIVE_FILTERS;
type Negative = {
  [K in keyof Positive as `not_${K}`]: Positive[K] extends QueryParameter<infer T> ? QueryParameter<T> : never;
};

/** What a visit lacks altogether, such as an operator, is not the one that is named: such visits pass. */
const NEGATIVE_FILTERS = Object.fromEntries(
  Object.entries<QueryParameter>(POSITIVE_FILTERS).map(([name, { description, schema, fault, read }]) => [
    `not_${name}`,
    { description: `All but these. ${description.replace('one of them', 'none of them')}`, schema, fault, read },
  ]),
) as Negative;

/** The filters of a list whose times are fixed. */
export const UNTIMED_FILTERS = { ...POSITIVE_FILTERS, ...NEGATIVE_FILTERS };
/** The filters of the timeline. */
export const TIMELINE_FILTERS = { ...TIMES, ...UNTIMED_FILTERS };

/** Lists mean "one of them", those of `not_…` "none of them"; null means all. */
export type TimelineFilters = QueryOf<{ query: typeof TIMELINE_FILTERS }>;
/** Name of a filter that has an opposite. */
export type FilterName = keyof Positive;

export const TIMELINE_ORDERS = ['newest', 'oldest'] as const;
export type TimelineOrder = (typeof TIMELINE_ORDERS)[number];

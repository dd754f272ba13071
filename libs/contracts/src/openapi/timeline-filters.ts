import { Type } from 'typebox';
import { IDENTIFICATION_RESULTS } from '../enriched-visit.schema.js';
import { AUTOMATION_VERDICTS, ROBOTS_VERDICTS } from '../insights.schema.js';
import { isNetwork } from '../ip-address.js';
import { VISIT_KINDS } from '../visit.schema.js';
import type { QueryOf, QueryParameter } from './operation.js';
import { AGENT_TYPE, one, oneOf, REPEATABLE, several, textThat, TIME } from './parameters.js';

/** Both patterns are also checked in the dashboard while the user types. */
const NETWORK =
  /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}(\/(3[0-2]|[12]?\d))?|[\da-fA-F]*:[\da-fA-F:.]*(\/\d{1,3})?)$/;
const STATUS = /^(\d{1,9}|[1-9][xX]{2})$/;

const TIMES = {
  from: one('Start of the period (inclusive), in ISO 8601', TIME),
  to: one('End of the period (exclusive), in ISO 8601', TIME),
};

/**
 * Visit filters by parameter name. Those with a `label` are available in the dashboard, those with an `argument` in the
 * CLI. Each filter also has a negated form, `not_…`. `CONDITIONS` in libs/visit-store defines how each one matches.
 */
const POSITIVE_FILTERS = {
  path: { ...several('Prefix of the request path'), label: 'Path', placeholder: '/articles', argument: 'start' },
  agent: { ...several('Token or ID of the agent'), label: 'Agent', argument: 'token|id' },
  result: {
    ...several('Result of the identification', oneOf(IDENTIFICATION_RESULTS)),
    label: 'Verdict',
    argument: 'result',
  },
  type: { ...several('Agent type', AGENT_TYPE), label: 'Type', argument: 'type' },
  operator: { ...several('Company behind the agent'), label: 'Operator', argument: 'name' },
  page: { ...several('Exact request path, without the query'), label: 'Page', argument: 'path' },
  address: {
    ...several(
      'Client address, or a network such as 192.0.2.0/24',
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
      'Response status such as 404, or a class such as 4xx',
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
    ...several("Verdict of the site's robots.txt", oneOf(ROBOTS_VERDICTS)),
    label: 'robots.txt',
    argument: 'verdict',
  },
  assistant: { ...several('AI assistant that referred the visitor'), label: 'Assistant', argument: 'name' },
  automation: {
    ...several('Automation verdict for an unknown visitor', oneOf(AUTOMATION_VERDICTS)),
    label: 'Automation',
    argument: 'verdict',
  },
  user_agent_group: {
    ...several('User agent without versions, as in the list of unlisted agents'),
    label: 'Unlisted user agent',
    argument: 'group',
  },
  mcp_tool: { ...several('Name of the MCP tool'), label: 'MCP tool', argument: 'name' },
  kind: { ...several('Kind of visit', oneOf(VISIT_KINDS)), label: 'Kind', argument: 'kind' },
};

/** Returns the allowed values of a parameter, or null if it accepts any text. */
export const valuesOf = ({ schema }: QueryParameter): readonly string[] | null =>
  (schema as { items?: { enum?: string[] } }).items?.enum ?? null;

/** Returns the pattern that values must match, or null if it accepts any text. */
export const patternOf = ({ schema }: QueryParameter): string | null =>
  (schema as { items?: { pattern?: string } }).items?.pattern ?? null;

/** Status codes from `from` (inclusive) to `to` (exclusive). */
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

/** A negated filter also matches visits that lack the property, such as an operator. */
const NEGATIVE_FILTERS = Object.fromEntries(
  Object.entries<QueryParameter>(POSITIVE_FILTERS).map(([name, { description, schema, fault, read }]) => [
    `not_${name}`,
    {
      description: `Excludes matches. ${description.replace(REPEATABLE, 'Repeat to exclude several values.')}`,
      schema,
      fault,
      read,
    },
  ]),
) as Negative;

/** Filters without the period. */
export const UNTIMED_FILTERS = { ...POSITIVE_FILTERS, ...NEGATIVE_FILTERS };
export const TIMELINE_FILTERS = { ...TIMES, ...UNTIMED_FILTERS };

/** Parsed filters. Visits match any of the listed values, or none of them for `not_…`. Null matches every visit. */
export type TimelineFilters = QueryOf<{ query: typeof TIMELINE_FILTERS }>;
/** Name of a filter that can be negated. */
export type FilterName = keyof Positive;

export const TIMELINE_ORDERS = ['newest', 'oldest'] as const;
export type TimelineOrder = (typeof TIMELINE_ORDERS)[number];

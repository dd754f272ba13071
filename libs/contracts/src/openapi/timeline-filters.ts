import { Type } from 'typebox';
import { AGENT_BEHAVIORS } from '../agent-behavior.js';
import { REQUESTED_FORMATS, RESPONSE_FORMATS } from '../content-format.js';
import { IDENTIFICATION_RESULTS } from '../enriched-visit.schema.js';
import { AUTOMATION_VERDICTS, ROBOTS_VERDICTS } from '../insights.schema.js';
import { isNetwork } from '../ip-address.js';
import { MAX_PATH_WILDCARDS, PATH_FILTER_PATTERN } from '../path-pattern.js';
import { DECISION_FILTERS } from '../policy.schema.js';
import { isUuid } from '../uuid.js';
import { VISIT_KINDS, VISIT_LIMITS } from '../visit.schema.js';
import type { QueryOf, QueryParameter } from './operation.js';
import {
  AGENT_TYPE,
  singleParameter,
  oneOf,
  REPEAT_NOTE,
  repeatableParameter,
  parsedText,
  TIME,
} from './parameters.js';

/** The dashboard also uses {@link NETWORK} and {@link STATUS} to check filter values while the user types. */
const NETWORK =
  /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}(\/(3[0-2]|[12]?\d))?|[\da-fA-F]*:[\da-fA-F:.]*(\/\d{1,3})?)$/;
const STATUS = /^(\d{1,9}|[1-9][xX]{2})$/;

const TIMES = {
  from: singleParameter('Start of the time range (inclusive, ISO 8601)', TIME),
  to: singleParameter('End of the time range (exclusive, ISO 8601)', TIME),
};

/**
 * Visit filters by parameter name. The dashboard offers filters that have a `label`, and the CLI those that have an
 * `argument`. Every filter also has a negated form, `not_…`. `CONDITIONS` in libs/visit-store defines what they match.
 */
const POSITIVE_FILTERS = {
  path: {
    ...repeatableParameter(
      `Prefix of the request path, such as \`/docs\`, or a pattern, such as \`/docs/*\` or \`*.pdf\`. In patterns, \`*\` stands for any characters, and can be used up to ${MAX_PATH_WILDCARDS} times. There are no other wildcards. Patterns must match the entire path, without its query unless they contain \`?\``,
      parsedText(
        `must contain at most ${MAX_PATH_WILDCARDS} * and ${VISIT_LIMITS.pathLength} characters`,
        (text) =>
          text.length <= VISIT_LIMITS.pathLength && text.split('*').length <= MAX_PATH_WILDCARDS + 1 ? text : null,
        Type.String({ pattern: PATH_FILTER_PATTERN, maxLength: VISIT_LIMITS.pathLength }),
      ),
    ),
    label: 'Path',
    placeholder: '/docs/*',
    argument: 'start|pattern',
  },
  agent: { ...repeatableParameter('Agent token or ID'), label: 'Agent', argument: 'token|id' },
  result: {
    ...repeatableParameter('Identification result', oneOf(IDENTIFICATION_RESULTS)),
    label: 'Verdict',
    argument: 'result',
  },
  type: { ...repeatableParameter('Agent type', AGENT_TYPE), label: 'Type', argument: 'type' },
  behavior: {
    ...repeatableParameter("Behavior of the agent, according to today's catalog", oneOf(AGENT_BEHAVIORS)),
    label: 'Behavior',
    argument: 'behavior',
  },
  operator: { ...repeatableParameter('Company that operates the agent'), label: 'Operator', argument: 'name' },
  page: {
    ...repeatableParameter(
      'Path of a page, without the query. Matches all paths of the page: `/start` also matches `/start/`, `/start.html`, `/start.md`, `/start/index.html` and `/start/index.md`.',
    ),
    label: 'Page',
    argument: 'path',
  },
  address: {
    ...repeatableParameter(
      'Client IP address, or a network such as 192.0.2.0/24',
      parsedText(
        'must be an IP address, or a network such as 192.0.2.0/24',
        (text) => (isNetwork(text) ? text : null),
        Type.String({ pattern: NETWORK.source, maxLength: 49 }),
      ),
    ),
    label: 'Address',
    placeholder: '192.0.2.0/24',
    argument: 'address|network',
  },
  status: {
    ...repeatableParameter(
      'Response status such as 404, or a class such as 4xx',
      parsedText(
        'must be a status such as 404, or a class such as 4xx',
        parseStatus,
        Type.String({ pattern: STATUS.source, maxLength: 9 }),
      ),
    ),
    label: 'Status',
    placeholder: '4xx',
    argument: 'status',
  },
  robots: {
    ...repeatableParameter("Verdict from the site's robots.txt", oneOf(ROBOTS_VERDICTS)),
    label: 'robots.txt',
    argument: 'verdict',
  },
  assistant: { ...repeatableParameter('AI assistant that referred the visitor'), label: 'Assistant', argument: 'name' },
  decision: {
    ...repeatableParameter(
      'Decision of the policy. `dry_run_` marks what a rule in dry run would have done',
      oneOf(DECISION_FILTERS),
    ),
    label: 'Decision',
    argument: 'decision',
  },
  rule: {
    ...repeatableParameter(
      'ID of a policy rule or exception that matched',
      parsedText('must be the ID of a rule', (text) => (isUuid(text) ? text : null), Type.String({ format: 'uuid' })),
    ),
    label: 'Rule ID',
    argument: 'id',
  },
  automation: {
    ...repeatableParameter('Automation verdict for an unknown visitor', oneOf(AUTOMATION_VERDICTS)),
    label: 'Automation',
    argument: 'verdict',
  },
  user_agent_group: {
    ...repeatableParameter('User-Agent without versions, as shown in the list of unknown bots'),
    label: 'Unknown bot',
    argument: 'group',
  },
  mcp_tool: {
    ...repeatableParameter('Name of an MCP tool or prompt, or URI of an MCP resource'),
    label: 'MCP tool',
    argument: 'name',
  },
  mcp_version: {
    ...repeatableParameter('MCP protocol version'),
    label: 'MCP version',
    placeholder: '2026-07-28',
    argument: 'version',
  },
  requested_format: {
    ...repeatableParameter(
      'Format that the `Accept` header prefers. `any` stands for `*/*`, and `none` for visits without the header',
      oneOf(REQUESTED_FORMATS),
    ),
    label: 'Asked for',
    argument: 'format',
  },
  response_format: {
    ...repeatableParameter(
      'Format in the `Content-Type` header of the response. `none` stands for visits without the header',
      oneOf(RESPONSE_FORMATS),
    ),
    label: 'Got',
    argument: 'format',
  },
  kind: { ...repeatableParameter('Kind of visit', oneOf(VISIT_KINDS)), label: 'Kind', argument: 'kind' },
};

/** Returns the allowed values of a parameter, or null if it accepts any text. */
export const getAllowedValues = ({ schema }: QueryParameter): readonly string[] | null =>
  (schema as { items?: { enum?: string[] } }).items?.enum ?? null;

/** Returns the pattern that values of a parameter must match, or null if it accepts any text. */
export const getValuePattern = ({ schema }: QueryParameter): string | null =>
  (schema as { items?: { pattern?: string } }).items?.pattern ?? null;

/** Status codes from `from` (inclusive) to `to` (exclusive). */
interface StatusRange {
  from: number;
  to: number;
}

function parseStatus(text: string): StatusRange | null {
  if (!STATUS.test(text)) return null;
  if (/x/i.test(text)) return { from: Number(text[0]) * 100, to: Number(text[0]) * 100 + 100 };
  return { from: Number(text), to: Number(text) + 1 };
}

type PositiveFilters = typeof POSITIVE_FILTERS;
type NegativeFilters = {
  [K in keyof PositiveFilters as `not_${K}`]: PositiveFilters[K] extends QueryParameter<infer T>
    ? QueryParameter<T>
    : never;
};

/** Negated filters also match visits that lack the property. For example, `not_operator` matches unknown visitors. */
const NEGATIVE_FILTERS = Object.fromEntries(
  Object.entries<QueryParameter>(POSITIVE_FILTERS).map(([name, { description, schema, fault, read }]) => [
    `not_${name}`,
    {
      description: `Excludes matching visits. ${description.replace(REPEAT_NOTE, 'Repeat the parameter to exclude several values.')}`,
      schema,
      fault,
      read,
    },
  ]),
) as NegativeFilters;

/** All filters except the time range. */
export const UNTIMED_FILTERS = { ...POSITIVE_FILTERS, ...NEGATIVE_FILTERS };
export const TIMELINE_FILTERS = { ...TIMES, ...UNTIMED_FILTERS };

/** Parsed filters. Visits must match any of the listed values, or none for `not_…`. Null matches all visits. */
export type TimelineFilters = QueryOf<{ query: typeof TIMELINE_FILTERS }>;
export type FilterName = keyof PositiveFilters;

export const TIMELINE_ORDERS = ['newest', 'oldest'] as const;
export type TimelineOrder = (typeof TIMELINE_ORDERS)[number];

import {
  CRAWL_PURPOSES,
  IDENTIFICATION_RESULTS,
  type CrawlPurpose,
  type IdentificationResult,
} from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { AGENT_TYPES, type AgentType } from './agent-type.js';
import {
  HOST_PATTERN,
  HTTP_URL_PATTERN,
  LOWERCASE_UUID_PATTERN,
  METHOD_PATTERN,
  SITE_PATH_PATTERN,
} from './patterns.js';
import { ROBOTS_PATH } from './robots-path.js';
import { openEnum } from './open-enum.js';
import { SingleLine } from './text.schema.js';

/** Maximum number of rules in a policy. */
const MAX_POLICY_RULES = 100;
/** Maximum number of exceptions per rule. */
const MAX_POLICY_EXCEPTIONS = 20;
/** Maximum number of values per condition. */
const MAX_CONDITION_VALUES = 500;
/** Maximum number of policy versions retained per project. */
export const MAX_POLICY_VERSIONS = 50;

/**
 * Modes of a rule. A rule in `dry_run` is evaluated and counted but doesn't change the response. New rules start in
 * this mode.
 */
export const POLICY_MODES = ['dry_run', 'live', 'off'] as const;
export type PolicyMode = (typeof POLICY_MODES)[number];

/** Actions of rules, from the least to the most restrictive one. */
export const POLICY_ACTIONS = ['allow', 'slow_down', 'redirect', 'charge', 'refuse'] as const;
export type PolicyActionKind = (typeof POLICY_ACTIONS)[number];

const values = <T extends string>(schema: object, description: string) =>
  Type.Optional(
    Type.Unsafe<T[]>({
      type: 'array',
      items: schema,
      minItems: 1,
      maxItems: MAX_CONDITION_VALUES,
      uniqueItems: true,
      description,
    }),
  );

const oneOf = (choices: readonly string[]): object => ({ type: 'string', enum: [...choices] });

export const PolicyVisitorsSchema = Type.Object(
  {
    agent_tokens: values(SingleLine({ minLength: 1, maxLength: 200 }), 'Agent tokens (case-insensitive)'),
    operators: values(SingleLine({ minLength: 1, maxLength: 200 }), 'Operator names (case-insensitive)'),
    agent_types: values<AgentType>(oneOf(AGENT_TYPES), 'Agent types'),
    purposes: values<CrawlPurpose>(oneOf(Object.keys(CRAWL_PURPOSES)), 'Purposes of agents, by their type'),
    networks: values(
      SingleLine({ minLength: 2, maxLength: 43, examples: ['203.0.113.0/24'] }),
      'Addresses and networks in CIDR notation. All visitors from these networks match, including people.',
    ),
    likely_automated: Type.Optional(
      Type.Literal(true, { description: 'Also matches unknown visitors that are likely automated' }),
    ),
    results: values<IdentificationResult>(
      oneOf(IDENTIFICATION_RESULTS),
      'Identification results that the visitor must also have. Default: any.',
    ),
  },
  {
    additionalProperties: false,
    description:
      'Visitors that a rule applies to: those that match any of the tokens, operators, types, purposes, networks or ' +
      '`likely_automated`. If none of these is set, all known agents match. Unknown visitors only match `networks` and ' +
      '`likely_automated`.',
  },
);

export const PolicyRequestsSchema = Type.Object(
  {
    paths: values(
      { type: 'string', format: ROBOTS_PATH, minLength: 1, maxLength: 2_048 },
      'Path patterns, with `*` and `$` as in RFC 9309. A pattern without `*` matches all paths that start with it.',
    ),
    methods: values({ type: 'string', pattern: METHOD_PATTERN, maxLength: 20 }, 'Request methods, such as `GET`'),
    hosts: values(
      { type: 'string', pattern: HOST_PATTERN, maxLength: 255 },
      'Hosts in lower case. A host without a port matches all ports.',
    ),
  },
  {
    additionalProperties: false,
    description: 'Requests that a rule applies to. A request must match each condition. Default: all requests.',
  },
);

const ACTIONS = [
  Type.Object({ kind: Type.Literal('allow') }, { additionalProperties: false }),
  Type.Object(
    {
      kind: Type.Literal('slow_down'),
      requests_per_minute: Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description:
          'Number of requests per minute that each agent can send, from all addresses together. Requests above it ' +
          'are rejected with status 429 and Retry-After. Verified visitors have a separate allowance.',
      }),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      kind: Type.Literal('charge'),
      price: SingleLine({ minLength: 1, maxLength: 200, description: 'Price in words', examples: ['USD 0.01'] }),
      url: Type.String({
        format: 'uri',
        pattern: HTTP_URL_PATTERN,
        maxLength: 2_048,
        description: 'Page about the price and how to pay',
      }),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      kind: Type.Literal('redirect'),
      status: Type.Unsafe<301 | 308>({ type: 'integer', enum: [301, 308] }),
      location: Type.String({
        pattern: SITE_PATH_PATTERN,
        maxLength: 2_048,
        description:
          'Path on the same host. `{path}` stands for the requested path without its leading slash and query.',
        examples: ['/{path}.md'],
      }),
    },
    { additionalProperties: false },
  ),
  Type.Object({ kind: Type.Literal('refuse') }, { additionalProperties: false }),
];

export const PolicyActionSchema = Type.Unsafe<Static<(typeof ACTIONS)[number]>>({
  oneOf: ACTIONS,
  discriminator: { propertyName: 'kind' },
  description: 'Response to matching requests',
});

const ruleParts = {
  id: Type.String({
    format: 'uuid',
    pattern: LOWERCASE_UUID_PATTERN,
    maxLength: 36,
    description: 'ID chosen by the client, in lower case. Counts of a rule belong to its ID.',
  }),
  visitors: Type.Optional(PolicyVisitorsSchema),
  requests: Type.Optional(PolicyRequestsSchema),
  action: PolicyActionSchema,
};

export const PolicyExceptionSchema = Type.Object(ruleParts, {
  additionalProperties: false,
  description: 'Applies to requests that match both the rule and the exception. Has the same mode as the rule.',
});

export const PolicyRuleSchema = Type.Object(
  {
    ...ruleParts,
    name: SingleLine({ minLength: 1, maxLength: 100 }),
    mode: Type.Unsafe<PolicyMode>({ type: 'string', enum: [...POLICY_MODES], default: 'dry_run' }),
    when_unreachable: Type.Optional(
      Type.Unsafe<'allow' | 'enforce'>({
        type: 'string',
        enum: ['allow', 'enforce'],
        default: 'allow',
        description:
          'Applied by clients that decide locally, while the instance cannot be reached. `enforce` keeps applying the ' +
          'last known rules.',
      }),
    ),
    exceptions: Type.Optional(
      Type.Array(PolicyExceptionSchema, {
        maxItems: MAX_POLICY_EXCEPTIONS,
        description: 'Exceptions in order. The first match replaces the action.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const PolicyRulesSchema = Type.Array(PolicyRuleSchema, {
  maxItems: MAX_POLICY_RULES,
  description: 'Rules in order. The first match wins.',
});

/** Outcomes of decisions. `allowed` includes requests within the limit of a rule that slows down. */
export const POLICY_OUTCOMES = ['allowed', 'slowed', 'redirected', 'charged', 'refused'] as const;
export type PolicyOutcome = (typeof POLICY_OUTCOMES)[number];

/** Values of the filter by decision: outcomes of live rules, then those of rules in dry run. */
export const DECISION_FILTERS = [
  ...POLICY_OUTCOMES,
  ...POLICY_OUTCOMES.map((outcome) => `dry_run_${outcome}` as const),
] as const;
export type DecisionFilter = (typeof DECISION_FILTERS)[number];

/** Maximum number of decisions per visit: one live, and one of a rule in dry run. */
export const MAX_VISIT_DECISIONS = 2;

export const PolicyDecisionSchema = Type.Object(
  {
    rule_id: Type.String({ format: 'uuid', description: 'ID of the rule or exception' }),
    mode: openEnum<Exclude<PolicyMode, 'off'>>(['live', 'dry_run'], 'Mode of the rule'),
    outcome: openEnum<PolicyOutcome>(POLICY_OUTCOMES, 'What the rule did, or would have done if it were live'),
  },
  { description: 'Decision of a rule on one request' },
);

export type PolicyVisitors = Static<typeof PolicyVisitorsSchema>;
export type PolicyRequests = Static<typeof PolicyRequestsSchema>;
export type PolicyAction = Static<typeof PolicyActionSchema>;
export type PolicyException = Static<typeof PolicyExceptionSchema>;
export type PolicyRule = Static<typeof PolicyRuleSchema>;

import { Type, type Static } from 'typebox';
import { OutcomeCountsSchema } from './policy-forecast.schema.js';
import { PolicyDecisionSchema } from './policy.schema.js';
import { MAX_RETURNS, ReturnSchema } from './return.schema.js';
import { agentNames } from './statistics.schema.js';

/** Number of days, including today, that the effect of a rule covers by default, and at most. */
export const MAX_EFFECT_DAYS = 30;
/** Maximum number of visits that a rule acted on that are read. If there are more, the newest are read. */
export const MAX_EFFECT_VISITS = 10_000;
/** Maximum number of visitors in a rule's effect. */
export const MAX_EFFECT_AGENTS = 50;
/** Maximum number of visits that each list of examples contains. */
export const MAX_EFFECT_EXAMPLES = 20;
/** Time in which visits under another name are searched, in hours. */
export const EFFECT_RETURN_HOURS = 24;
/** Maximum number of days before and after a rule went live whose referrals are compared. */
export const MAX_REFERRAL_DAYS = 30;
/** Number of an agent's newest served responses that savings are estimated from. */
export const MAX_SERVED_RESPONSES = 1_000;

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Time = (description: string) => Type.String({ format: 'date-time', description });
const nullableTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });
const nullableCount = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, description });
const VisitIds = (description: string) => Type.Array(Type.String({ format: 'uuid' }), { description });

const requestCounts = OutcomeCountsSchema('requests');

const CameBackSchema = Type.Object(
  {
    requests: Count('Number of slowed, charged and refused requests'),
    inside_retry_after: Count('Requests after which the visitor came back before the time in `Retry-After` was over'),
    after_retry_after: Count('Requests after which the visitor waited for that time and then came back'),
    without_retry_after: Count('Requests after which the visitor came back, without a reported `Retry-After`'),
    not_again: Count("Requests that are the visitor's last ones in the range"),
    median_seconds: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      minimum: 0,
      description: 'Median time until the next request, in seconds. Null if no visitor came back.',
    }),
  },
  { description: "Next request of the same visitor, for any path, after the rule's live decisions" },
);

const savings = {
  saved_bytes: nullableCount(
    'Estimate: median size of the served responses × number of slowed, charged and refused requests. Null if no sizes were reported.',
  ),
  saved_milliseconds: nullableCount(
    'Estimate: median time of the served responses × number of slowed, charged and refused requests. Null if no times were reported.',
  ),
};

const EffectAgentSchema = Type.Object({
  ...agentNames,
  agent_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Agent ID. Null for unknown visitors, each of which is identified by its address.',
  }),
  is_spoofed: Type.Boolean({ description: 'Whether the visits failed verification as this agent' }),
  came_back: CameBackSchema,
  visit_ids: VisitIds('Some of the requests with which this visitor came back, earliest after the decision first'),
  as_others: Type.Array(ReturnSchema, {
    maxItems: MAX_RETURNS,
    description: `Visits under another name from the same addresses and networks within ${EFFECT_RETURN_HOURS} hours. Several visitors can share a network. Empty for unknown visitors, who have no name.`,
  }),
  served_responses: Count(
    `Number of newest responses with status 2xx that the estimate is based on, up to ${MAX_SERVED_RESPONSES.toLocaleString('en')}`,
  ),
  ...savings,
});

const PersonVisitSchema = Type.Object({
  visit_id: Type.String({ format: 'uuid' }),
  occurred_at: Time('Time of the visit'),
  path: Type.String({ description: 'Path with the query' }),
  mode: PolicyDecisionSchema.properties.mode,
  outcome: PolicyDecisionSchema.properties.outcome,
});

export const PolicyEffectSchema = Type.Object(
  {
    from: Time('Start of the range'),
    to: Time('End of the range (exclusive)'),
    rule_ids: Type.Array(Type.String({ format: 'uuid' }), {
      description: 'IDs of the rule and of all exceptions that it ever had. Filter visits by them.',
    }),
    bucket: Type.Unsafe<'1h' | '1d'>({ type: 'string', enum: ['1h', '1d'], description: 'Length of the series items' }),
    live_since: nullableTime(
      'Time at which the rule last went live, or time of the oldest retained version. Null if it was never live.',
    ),
    live_until: nullableTime('Time at which the rule stopped being live. Null if it is live, or never was.'),
    live: requestCounts,
    dry_run: requestCounts,
    series: Type.Array(Type.Object({ time: Time('Start'), live: requestCounts, dry_run: requestCounts }), {
      description: "Requests per hour (up to 7 days) or per day in the project's time zone",
    }),
    visits: Count('Number of stored visits that the rule acted on, live or in dry run, since `counted_from`'),
    counted_from: Time(
      `Start of the time that was searched for these visits. Later than \`from\` if there are more than ${MAX_EFFECT_VISITS.toLocaleString('en')}, of which only the newest are read.`,
    ),
    returns_from: Time('Start of the time in which visits under other names were searched'),
    came_back: CameBackSchema,
    ...savings,
    agents: Type.Array(EffectAgentSchema, {
      maxItems: MAX_EFFECT_AGENTS,
      description: `Visitors with the most slowed, charged and refused requests, up to ${MAX_EFFECT_AGENTS}`,
    }),
    agents_total: Count('Number of visitors, including those that are left out'),
    referrals: Type.Unsafe<{
      days: number;
      operators: { operator_name: string; before: number; after: number }[];
    } | null>({
      anyOf: [
        Type.Object({
          days: Type.Number({
            minimum: 0,
            description: `Number of days compared: up to ${MAX_REFERRAL_DAYS}, not before the first recorded visit, and not after now`,
          }),
          operators: Type.Array(
            Type.Object({
              operator_name: Type.String({ description: 'Operator of agents that the rule acted on' }),
              before: Count('Visitors sent by its assistants in the days before the rule went live'),
              after: Count('Visitors sent in the days after it went live'),
            }),
          ),
        }),
        Type.Null(),
      ],
      description: 'Referrals before and after the rule went live. Null if it was never live.',
    }),
    people: Type.Object(
      {
        visits: Count('Number of visits'),
        examples: Type.Array(PersonVisitSchema, {
          maxItems: MAX_EFFECT_EXAMPLES,
          description: 'Newest of these visits',
        }),
      },
      {
        description:
          "Visits by unknown visitors with a browser's full headers that the rule acted on, live or in dry run. These may be people.",
      },
    ),
  },
  {
    $id: 'PolicyEffect',
    description:
      'Facts about the requests that a rule decided on. Changes after the rule went live can have other causes.',
  },
);

export type PolicyEffect = Static<typeof PolicyEffectSchema>;

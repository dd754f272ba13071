import { IDENTIFICATION_RESULTS, type IdentificationResult } from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { POLICY_OUTCOMES, PolicyRulesSchema, type PolicyOutcome } from './policy.schema.js';

/** Maximum number of days that a forecast covers, including today. */
const MAX_FORECAST_DAYS = 30;
/** Maximum number of visits that a forecast replays. If there are more, it replays the newest. */
export const MAX_FORECAST_VISITS = 50_000;
/** Maximum number of agents in a forecast, and of agents and results per rule. */
export const MAX_FORECAST_AGENTS = 100;
/** Maximum number of visits that a forecast lists per rule. */
export const MAX_FORECAST_EXAMPLES = 2;
/** Maximum number of networks that a forecast lists per rule. */
export const MAX_FORECAST_NETWORKS = 5;

export const FORECAST_DAYS = Type.Integer({ minimum: 1, maximum: MAX_FORECAST_DAYS });

const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** Returns a schema for the number of things by outcome. */
export const OutcomeCountsSchema = (things: string) =>
  Type.Object(
    Object.fromEntries(POLICY_OUTCOMES.map((outcome) => [outcome, Count(`Number of ${things}`)])) as Record<
      PolicyOutcome,
      ReturnType<typeof Count>
    >,
    { description: `${things.charAt(0).toUpperCase()}${things.slice(1)} by outcome` },
  );
const outcomes = OutcomeCountsSchema('visits');
const agentToken = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'Agent token. Null for unknown visitors.',
});
const savings = {
  bytes: Count('Bytes of the responses to visits that would have been slowed, redirected, charged or refused'),
  milliseconds: Type.Number({ minimum: 0, description: 'Response time of these visits' }),
};

export const PolicyTrialSchema = Type.Object(
  { rules: PolicyRulesSchema, days: FORECAST_DAYS },
  { $id: 'PolicyTrial', additionalProperties: false },
);

export const PolicyForecastSchema = Type.Object(
  {
    from: Type.String({ format: 'date-time', description: 'Start of the replayed period' }),
    to: Type.String({ format: 'date-time', description: 'End of the replayed period (exclusive)' }),
    visits: Count('Number of visits that were replayed'),
    is_complete: Type.Boolean({
      description: `False if the period was shortened, because there are more than ${MAX_FORECAST_VISITS.toLocaleString('en')} visits`,
    }),
    total: Type.Object(
      {
        outcomes,
        ...savings,
        referrals_at_risk: Count(
          'Visitors referred by assistants of operators with affected verified agents, each counted once',
        ),
        referrals_asked_to_pay: Count(
          'Part of `referrals_at_risk`: from operators whose verified agents would only have been charged',
        ),
        referrals: Count('Visitors in the period that any assistant referred'),
      },
      { description: 'Effect of all rules. Counts each visit once. Visits that no rule matched are `allowed`.' },
    ),
    rules: Type.Array(
      Type.Object({
        rule_id: Type.String({ format: 'uuid', description: 'ID of a rule or exception' }),
        outcomes,
        ...savings,
        referrals_at_risk: Count(
          'Visitors in the period referred by assistants of operators with affected verified agents. They may send fewer.',
        ),
        exempt: Count(
          'Visits to `/robots.txt` and below `/.well-known/` that would have matched if rules applied to these paths',
        ),
        recorded: Type.Unsafe<{ live: number; dry_run: number } | null>({
          anyOf: [
            Type.Object({
              live: Count('Requests that the rule slowed, redirected, charged or refused'),
              dry_run: Count('Requests that it would have, in dry run'),
            }),
            Type.Null(),
          ],
          description:
            'Decisions on requests in the period when they arrived. Null if the period was shortened, does not start with a full hour, or starts before the retention period of visits that the rule can match.',
        }),
        since: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          format: 'date-time',
          description: 'Time of the oldest retained version with this rule. Null if it was never saved.',
        }),
        people: Count("Number of these visits by unknown visitors with a browser's full headers. These may be people."),
        networks: Type.Array(
          Type.Object({
            network: Type.String({ description: 'Network in CIDR notation: /24 for IPv4, /48 for IPv6' }),
            visits: Count('Number of visits'),
          }),
          { maxItems: MAX_FORECAST_NETWORKS, description: 'Networks of these visits, most first' },
        ),
        agents: Type.Array(
          Type.Object({
            agent_token: agentToken,
            result: Type.Unsafe<IdentificationResult>({
              type: 'string',
              enum: [...IDENTIFICATION_RESULTS],
              description: 'Identification result',
            }),
            visits: Count('Number of visits'),
          }),
          {
            maxItems: MAX_FORECAST_AGENTS,
            description: 'Visits that would have been slowed, redirected, charged or refused, most first',
          },
        ),
        examples: Type.Array(
          Type.Object({
            visit_id: Type.String({ format: 'uuid' }),
            path: Type.String({ description: 'Path with the query' }),
          }),
          { maxItems: MAX_FORECAST_EXAMPLES, description: 'Some of these visits, with different paths' },
        ),
      }),
      {
        description:
          'Rules and exceptions that matched or have recorded decisions, in order. A visit that matches a rule in dry run also counts for the live rule behind it, which decides now.',
      },
    ),
    agents: Type.Array(
      Type.Object({
        agent_token: agentToken,
        outcomes,
        exempt: Count('Part of `outcomes.allowed`: visits to `/robots.txt` and below `/.well-known/`'),
      }),
      {
        description:
          'Agents, those with the most visits that would have been slowed, redirected, charged or refused first. `allowed` includes visits that no rule matched.',
      },
    ),
    bucket: Type.Unsafe<'15m' | '1h' | '1d'>({
      type: 'string',
      enum: ['15m', '1h', '1d'],
      description: 'Length of the series items',
    }),
    series: Type.Array(Type.Object({ time: Type.String({ format: 'date-time', description: 'Start' }), outcomes }), {
      description: "Visits over time, in the project's time zone",
    }),
  },
  {
    $id: 'PolicyForecast',
    description:
      'Visits of the past that the rules would have applied to, if all rules in dry run were live. Agents may react to rules, so the future can differ.',
  },
);

/** Maximum number of versions whose forecasts are compared. */
export const MAX_COMPARED_VERSIONS = 10;

const PerDay = (description: string) => Type.Number({ minimum: 0, description });

export const PolicyOutcomesSchema = Type.Object(
  {
    versions: Type.Array(
      Type.Object({
        version_id: Type.String({ format: 'uuid' }),
        saved_at: Type.String({ format: 'date-time' }),
        replaced_at: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          format: 'date-time',
          description: 'Time at which the next version replaced it. Null for the current version.',
        }),
        compared_hours: Count('Number of hours in which only this version applied'),
        rules: Type.Array(
          Type.Object({
            rule_id: Type.String({ format: 'uuid', description: 'ID of a rule or exception' }),
            forecast_per_day: PerDay(
              'Visits per day that would have been slowed, redirected, charged or refused before the version was saved',
            ),
            outcome_per_day: Type.Unsafe<number | null>({
              type: ['number', 'null'],
              description: 'Such requests per day since then, live or in dry run. Null before the first full hour.',
            }),
            error: Type.Unsafe<number | null>({
              type: ['number', 'null'],
              description: 'Relative error of the forecast, such as 0.5 for 50 % too high. Null without an outcome.',
            }),
          }),
        ),
      }),
      { description: `Newest versions with a forecast, up to ${MAX_COMPARED_VERSIONS}, newest first` },
    ),
  },
  {
    $id: 'PolicyOutcomes',
    description: 'Forecasts next to what happened. Differences can have other causes than the rules.',
  },
);

export type PolicyOutcomes = Static<typeof PolicyOutcomesSchema>;
export type PolicyForecast = Static<typeof PolicyForecastSchema>;
export type OutcomeCounts = PolicyForecast['agents'][number]['outcomes'];

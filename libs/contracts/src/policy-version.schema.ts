import { Type, type Static } from 'typebox';
import { FORECAST_DAYS } from './policy-forecast.schema.js';
import { MAX_POLICY_VERSIONS, POLICY_MODES, POLICY_OUTCOMES, PolicyRulesSchema } from './policy.schema.js';
import type { PolicyMode, PolicyOutcome } from './policy.schema.js';

/** Number of days, including today, that decisions of rules are counted for. */
export const POLICY_COUNT_DAYS = 30;

const savedFields = {
  saved_at: Type.String({ format: 'date-time' }),
  saved_by: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Name of the person who saved it. Null if an API key was used or the account has since been deleted.',
  }),
};

export const PolicyChangeSchema = Type.Object(
  {
    rules: PolicyRulesSchema,
    forecast_days: Type.Optional({
      ...FORECAST_DAYS,
      description:
        'Number of past days to replay for a forecast, which is stored with the version and later compared with the ' +
        'outcome. If the visits cannot be read in time, the version is saved without one. Default: no forecast.',
    }),
  },
  { $id: 'PolicyChange', additionalProperties: false },
);

const VersionSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  ...savedFields,
  rules: PolicyRulesSchema,
});

export const PolicyVersionSchema = Type.Object(VersionSchema.properties, { $id: 'PolicyVersion' });

export const CurrentPolicySchema = Type.Object(
  {
    version: Type.Union([Type.Object({ id: Type.String({ format: 'uuid' }), ...savedFields }), Type.Null()], {
      description: 'Current version. Null if no policy has been saved.',
    }),
    rules: PolicyRulesSchema,
  },
  { $id: 'CurrentPolicy' },
);

export const PolicyVersionListSchema = Type.Object(
  {
    versions: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        ...savedFields,
        rules: Type.Integer({ minimum: 0, description: 'Number of rules, without exceptions' }),
      }),
      { description: `The ${MAX_POLICY_VERSIONS} most recent versions, newest first` },
    ),
  },
  { $id: 'PolicyVersionList' },
);

export const PolicyCountsSchema = Type.Object(
  {
    from: Type.String({
      format: 'date-time',
      description: `Start of the first of ${POLICY_COUNT_DAYS} days in the project's time zone`,
    }),
    counts: Type.Array(
      Type.Object({
        rule_id: Type.String({ format: 'uuid', description: 'ID of a rule or exception' }),
        mode: Type.Unsafe<Exclude<PolicyMode, 'off'>>({
          type: 'string',
          enum: POLICY_MODES.filter((mode) => mode !== 'off'),
        }),
        outcome: Type.Unsafe<PolicyOutcome>({ type: 'string', enum: [...POLICY_OUTCOMES] }),
        decisions: Type.Integer({ minimum: 1, description: 'Number of requests' }),
      }),
      { description: 'Requests by rule, mode and outcome. Includes rules that have been removed.' },
    ),
    last_hour: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Start of the hour of the last decision. Null if there are no decisions.',
    }),
  },
  { $id: 'PolicyCounts' },
);

export type CurrentPolicy = Static<typeof CurrentPolicySchema>;
export type PolicyVersion = Static<typeof PolicyVersionSchema>;
export type PolicyVersionList = Static<typeof PolicyVersionListSchema>;
export type PolicyCounts = Static<typeof PolicyCountsSchema>;

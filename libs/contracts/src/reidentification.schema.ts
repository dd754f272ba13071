import { METHODS, type IdentificationResult, type VerificationMethod } from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { EnrichedIdentificationSchema } from './enriched-visit.schema.js';
import { StoredText } from './text.schema.js';

/**
 * States of a re-identification. A preview doesn't change any visits until it is applied. Pausing or queuing a
 * re-identification doesn't change its state.
 */
export const REIDENTIFICATION_STATES = ['previewing', 'previewed', 'applying', 'applied', 'canceled'] as const;
/** Maximum number of re-identifications retained per project. */
export const MAX_REIDENTIFICATIONS = 100;

export type ReidentificationState = (typeof REIDENTIFICATION_STATES)[number];

export const REIDENTIFICATION_ACTIONS = ['apply', 'pause', 'resume', 'cancel'] as const;
export type ReidentificationAction = (typeof REIDENTIFICATION_ACTIONS)[number];

/** Maximum number of changes listed in a report. For other changes, only the total number of visits is reported. */
export const MAX_CHANGES = 200;
/** Maximum number of visit IDs per change in a report. */
export const MAX_CHANGE_SAMPLES = 5;

const Count = Type.Integer({ minimum: 0 });
const Time = Type.String({ format: 'date-time' });
const nullable = (type: string, extra: object = {}) => Type.Unsafe<string | null>({ type: [type, 'null'], ...extra });

const { result, reason } = EnrichedIdentificationSchema.properties;
const VerdictSchema = Type.Object({
  agent_token: nullable('string', { description: 'Agent token. Null for an unknown visitor.' }),
  agent_type_name: nullable('string'),
  result: Type.Unsafe<IdentificationResult>(result),
  reason: Type.Unsafe<string | null>(reason),
  robots: nullable('string', {
    description: 'Verdict of robots.txt. Null if it is unknown or the visitor is not an agent.',
  }),
  automation: nullable('string', { description: 'Automation verdict. Null for agents.' }),
  assistant: nullable('string', { description: 'AI assistant that referred the visitor. Null if unknown.' }),
});

export const ReidentificationReportSchema = Type.Object(
  {
    looked_at: Type.Integer({ minimum: 0, description: 'Number of stored visits that were re-identified' }),
    changed: Type.Integer({ minimum: 0, description: 'Number of visits whose verdict changes' }),
    changes: Type.Array(
      Type.Object({
        from: VerdictSchema,
        to: VerdictSchema,
        visits: Count,
        first_at: Time,
        last_at: Time,
        visit_ids: Type.Array(Type.String({ format: 'uuid' }), {
          description: `IDs of the first ${MAX_CHANGE_SAMPLES} visits`,
        }),
      }),
      { description: `Up to ${MAX_CHANGES} changes from one verdict to another, most frequent first` },
    ),
    other_changes: Type.Integer({
      minimum: 0,
      description: 'Number of changed visits that are not included in `changes`',
    }),
    kept_steps: Type.Object(
      Object.fromEntries(Object.keys(METHODS).map((method) => [method, Count])) as Record<
        VerificationMethod,
        typeof Count
      >,
      {
        description:
          "Number of visits with a check that can't be repeated, by method. The original outcome is used instead.",
      },
    ),
    by_user_agent: Type.Integer({
      minimum: 0,
      description: 'Number of visits stored in reduced form, which are identified only by User-Agent',
    }),
    past_retention: Type.Integer({
      minimum: 0,
      description:
        'Number of visits left unchanged because their retention period would already have ended under the new verdict',
    }),
  },
  { $id: 'ReidentificationReport' },
);

const fields = {
  from: Type.String({ format: 'date-time', description: 'Start of the time range (inclusive)' }),
  to: Type.String({
    format: 'date-time',
    description: 'End of the time range (exclusive). A time in the future is replaced with the current time.',
  }),
};

export const NewReidentificationSchema = Type.Object(
  {
    ...fields,
    agent: Type.Optional(
      StoredText({
        minLength: 1,
        maxLength: 200,
        description:
          'Token of an agent in the catalog or in a stored visit. Includes only changes from or to this agent.',
      }),
    ),
  },
  { $id: 'NewReidentification', additionalProperties: false },
);

export const ReidentificationChangeSchema = Type.Object(
  {
    action: Type.Unsafe<ReidentificationAction>({
      type: 'string',
      enum: [...REIDENTIFICATION_ACTIONS],
      description:
        '`apply` applies the preview. `pause` and `resume` pause and resume unfinished work. `cancel` stops it without undoing changes that have already been applied.',
    }),
  },
  { $id: 'ReidentificationChange', additionalProperties: false },
);

export const ReidentificationSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...fields,
    agent: nullable('string', {
      description: 'Token of the agent that the changes are limited to. Null means all agents.',
    }),
    state: Type.Unsafe<ReidentificationState>({ type: 'string', enum: [...REIDENTIFICATION_STATES] }),
    is_paused: Type.Boolean(),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'Progress in the current state, from 0 to 1' }),
    preview: Type.Unsafe<ReidentificationReport | null>(Type.Union([ReidentificationReportSchema, Type.Null()])),
    result: Type.Unsafe<ReidentificationReport | null>(Type.Union([ReidentificationReportSchema, Type.Null()])),
    error: nullable('string', { description: 'Error that paused the re-identification. Null if there was none.' }),
    created_at: Time,
    created_by: nullable('string', {
      description:
        'Name of the person who created it. Null if an API key was used or the account has since been deleted.',
    }),
  },
  { $id: 'Reidentification' },
);

export const ReidentificationsSchema = Type.Object(
  {
    reidentifications: Type.Array(ReidentificationSchema, {
      description: 'The 100 most recent re-identifications, newest first',
    }),
    catalog_changed_at: nullable('string', {
      format: 'date-time',
      description:
        'Time of the last change to agents or assistants. Null if the project has no older visits or has been re-identified since.',
    }),
  },
  { $id: 'Reidentifications' },
);

export type ReidentificationReport = Static<typeof ReidentificationReportSchema>;
export type Reidentification = Static<typeof ReidentificationSchema>;
export type Reidentifications = Static<typeof ReidentificationsSchema>;
export type ReidentificationChange = Static<typeof ReidentificationChangeSchema>;

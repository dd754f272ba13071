import { METHODS, type IdentificationResult, type VerificationMethod } from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { EnrichedIdentificationSchema } from './enriched-visit.schema.js';
import { StoredText } from './text.schema.js';

/**
 * States of a re-identification. A preview changes nothing until it is applied. Paused and queued re-identifications keep
 * their state.
 */
export const REIDENTIFICATION_STATES = ['previewing', 'previewed', 'applying', 'applied', 'canceled'] as const;
/** Maximum number of re-identifications kept per project. */
export const KEPT_REIDENTIFICATIONS = 100;

export type ReidentificationState = (typeof REIDENTIFICATION_STATES)[number];

export const REIDENTIFICATION_ACTIONS = ['apply', 'pause', 'resume', 'cancel'] as const;
export type ReidentificationAction = (typeof REIDENTIFICATION_ACTIONS)[number];

/** Maximum number of changes in a report. The visits of further changes are summed up. */
export const MAX_CHANGES = 200;
/** Maximum number of visit IDs per change in a report. */
export const MAX_CHANGE_SAMPLES = 5;

const Count = Type.Integer({ minimum: 0 });
const Time = Type.String({ format: 'date-time' });
const nullable = (type: string, extra: object = {}) => Type.Unsafe<string | null>({ type: [type, 'null'], ...extra });

const { result, reason } = EnrichedIdentificationSchema.properties;
const VerdictSchema = Type.Object({
  agent_token: nullable('string', { description: 'Agent token, or null for an unknown visitor' }),
  agent_type_name: nullable('string'),
  result: Type.Unsafe<IdentificationResult>(result),
  reason: Type.Unsafe<string | null>(reason),
  robots: nullable('string', {
    description: 'Verdict of robots.txt, or null if unknown or not an agent',
  }),
  automation: nullable('string', { description: 'Automation verdict, or null for agents' }),
  assistant: nullable('string', { description: 'AI assistant that referred the visitor, or null if unknown' }),
});

export const ReidentificationReportSchema = Type.Object(
  {
    looked_at: Type.Integer({ minimum: 0, description: 'Number of stored visits that were identified again' }),
    changed: Type.Integer({ minimum: 0, description: 'Number of visits whose verdict differs' }),
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
      { description: `Changes from one verdict to another, most frequent first, up to ${MAX_CHANGES}` },
    ),
    other_changes: Type.Integer({ minimum: 0, description: 'Changed visits that are not included in `changes`' }),
    kept_steps: Type.Object(
      Object.fromEntries(Object.keys(METHODS).map((method) => [method, Count])) as Record<
        VerificationMethod,
        typeof Count
      >,
      { description: 'Visits with a check that cannot be repeated, by method. The earlier outcome is used.' },
    ),
    by_user_agent: Type.Integer({
      minimum: 0,
      description: 'Visits stored in reduced form, so agents are identified by User-Agent only',
    }),
    past_retention: Type.Integer({
      minimum: 0,
      description: 'Visits left unchanged because the retention for the new verdict has already ended',
    }),
  },
  { $id: 'ReidentificationReport' },
);

const fields = {
  from: Type.String({ format: 'date-time', description: 'Start of the period (inclusive)' }),
  to: Type.String({
    format: 'date-time',
    description: 'End of the period (exclusive). Times in the future are replaced with the current time.',
  }),
};

export const NewReidentificationSchema = Type.Object(
  {
    ...fields,
    agent: Type.Optional(
      StoredText({
        minLength: 1,
        maxLength: 200,
        description: 'Token of an agent in the catalog or a stored visit. Only changes from or to this agent are made.',
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
        '`apply`: apply the preview. `pause`, `resume`: pause or resume unfinished work. `cancel`: stop, but keep applied changes.',
    }),
  },
  { $id: 'ReidentificationChange', additionalProperties: false },
);

export const ReidentificationSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...fields,
    agent: nullable('string', { description: 'Agent whose changes are included, or null for all' }),
    state: Type.Unsafe<ReidentificationState>({ type: 'string', enum: [...REIDENTIFICATION_STATES] }),
    is_paused: Type.Boolean(),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'Progress in the current state, from 0 to 1' }),
    preview: Type.Unsafe<ReidentificationReport | null>(Type.Union([ReidentificationReportSchema, Type.Null()])),
    result: Type.Unsafe<ReidentificationReport | null>(Type.Union([ReidentificationReportSchema, Type.Null()])),
    error: nullable('string', { description: 'Error that paused the re-identification. Null if there is none.' }),
    created_at: Time,
    created_by: nullable('string', {
      description: 'Name of the person, or null for programs and deleted accounts',
    }),
  },
  { $id: 'Reidentification' },
);

export const ReidentificationsSchema = Type.Object(
  {
    reidentifications: Type.Array(ReidentificationSchema, { description: 'Latest first, up to 100' }),
    catalog_changed_at: nullable('string', {
      format: 'date-time',
      description:
        'Time of the last change to agents or assistants, if the project has older visits and no later re-identification. Otherwise null.',
    }),
  },
  { $id: 'Reidentifications' },
);

export type ReidentificationReport = Static<typeof ReidentificationReportSchema>;
export type Reidentification = Static<typeof ReidentificationSchema>;
export type Reidentifications = Static<typeof ReidentificationsSchema>;
export type ReidentificationChange = Static<typeof ReidentificationChangeSchema>;

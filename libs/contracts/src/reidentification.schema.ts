import { METHODS, type IdentificationResult, type VerificationMethod } from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { EnrichedIdentificationSchema } from './enriched-visit.schema.js';
import { StoredText } from './text.schema.js';

/**
 * How far it is. A preview changes nothing; it is applied when somebody has seen it. One that is paused, or that waits for
 * its turn, is in the same state.
 */
export const REIDENTIFICATION_STATES = ['previewing', 'previewed', 'applying', 'applied', 'canceled'] as const;
/** Re-identifications of a project that are kept. */
export const KEPT_REIDENTIFICATIONS = 100;

export type ReidentificationState = (typeof REIDENTIFICATION_STATES)[number];

export const REIDENTIFICATION_ACTIONS = ['apply', 'pause', 'resume', 'cancel'] as const;
export type ReidentificationAction = (typeof REIDENTIFICATION_ACTIONS)[number];

/** Kinds of changes in a report, at most; the visits of others are counted together. */
export const MAX_CHANGES = 200;
/** Visits of a kind of change that a report names. */
export const MAX_CHANGE_SAMPLES = 5;

const Count = Type.Integer({ minimum: 0 });
const Time = Type.String({ format: 'date-time' });
const nullable = (type: string, extra: object = {}) => Type.Unsafe<string | null>({ type: [type, 'null'], ...extra });

const { result, reason } = EnrichedIdentificationSchema.properties;
const VerdictSchema = Type.Object({
  agent_token: nullable('string', { description: 'null for an unknown visitor' }),
  agent_type_name: nullable('string'),
  result: Type.Unsafe<IdentificationResult>(result),
  reason: Type.Unsafe<string | null>(reason),
  robots: nullable('string', {
    description: 'What robots.txt said; null where that is not known, and for others than agents',
  }),
  automation: nullable('string', { description: 'Whether a program made it; null for agents' }),
  assistant: nullable('string', { description: 'The AI assistant that sent the visitor; null where none is known' }),
});

export const ReidentificationReportSchema = Type.Object(
  {
    looked_at: Type.Integer({ minimum: 0, description: 'Stored visits that were judged again' }),
    changed: Type.Integer({ minimum: 0, description: 'Visits whose verdict is another one now' }),
    changes: Type.Array(
      Type.Object({
        from: VerdictSchema,
        to: VerdictSchema,
        visits: Count,
        first_at: Time,
        last_at: Time,
        visit_ids: Type.Array(Type.String({ format: 'uuid' }), { description: `The first ${MAX_CHANGE_SAMPLES}` }),
      }),
      { description: `What they were and what they are, the most frequent first; ${MAX_CHANGES} at most` },
    ),
    other_changes: Type.Integer({ minimum: 0, description: 'Changed visits that are in none of `changes`' }),
    kept_steps: Type.Object(
      Object.fromEntries(Object.keys(METHODS).map((method) => [method, Count])) as Record<
        VerificationMethod,
        typeof Count
      >,
      { description: 'Visits with a check that cannot be repeated, by method: its earlier outcome counts' },
    ),
    by_user_agent: Type.Integer({
      minimum: 0,
      description: 'Visits that were kept reduced, so that agents are found by User-Agent alone',
    }),
    past_retention: Type.Integer({
      minimum: 0,
      description: 'Visits that were left unchanged, because visits of what they would become are not kept for so long',
    }),
  },
  { $id: 'ReidentificationReport' },
);

const fields = {
  from: Type.String({ format: 'date-time', description: 'Visits that occurred from this time on' }),
  to: Type.String({
    format: 'date-time',
    description: 'Visits that occurred before this time. A time in the future is replaced by now',
  }),
};

export const NewReidentificationSchema = Type.Object(
  {
    ...fields,
    agent: Type.Optional(
      StoredText({
        minLength: 1,
        maxLength: 200,
        description: 'Only changes from or to the agent with this token, which is in the catalog or a stored visit',
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
        '`apply` what was previewed; `pause` or `resume` work that is not over; `cancel` it, which leaves applied changes',
    }),
  },
  { $id: 'ReidentificationChange', additionalProperties: false },
);

export const ReidentificationSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...fields,
    agent: nullable('string', { description: 'Only changes from or to this agent; null for all' }),
    state: Type.Unsafe<ReidentificationState>({ type: 'string', enum: [...REIDENTIFICATION_STATES] }),
    is_paused: Type.Boolean(),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'Share that is done, in the present state' }),
    preview: Type.Unsafe<ReidentificationReport | null>(Type.Union([ReidentificationReportSchema, Type.Null()])),
    result: Type.Unsafe<ReidentificationReport | null>(Type.Union([ReidentificationReportSchema, Type.Null()])),
    error: nullable('string', { description: 'The error that paused it; null if a person did, or nothing' }),
    created_at: Time,
    created_by: nullable('string', {
      description: 'Name of the person; null for a program, or an account that is gone',
    }),
  },
  { $id: 'Reidentification' },
);

export const ReidentificationsSchema = Type.Object(
  {
    reidentifications: Type.Array(ReidentificationSchema, { description: 'The latest first, 100 at most' }),
    catalog_changed_at: nullable('string', {
      format: 'date-time',
      description:
        'When agents or assistants last changed, if the project has visits from before and none were judged again since; null otherwise',
    }),
  },
  { $id: 'Reidentifications' },
);

export type ReidentificationReport = Static<typeof ReidentificationReportSchema>;
export type Reidentification = Static<typeof ReidentificationSchema>;
export type Reidentifications = Static<typeof ReidentificationsSchema>;
export type ReidentificationChange = Static<typeof ReidentificationChangeSchema>;

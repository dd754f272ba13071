import { Type, type Static } from 'typebox';

/** What the audit log is about. */
export const AUDIT_SUBJECTS = [
  'access_token',
  'agent',
  'agent_feed',
  'alert',
  'alert_channel',
  'alert_delivery',
  'api_key',
  'assistant',
  'chart_note',
  'dead_letter',
  'dismissed_user_agent',
  'drain_settings',
  'invitation',
  'login',
  'member',
  'passkey',
  'password_reset',
  'project',
  'reidentification',
  'report_subscription',
  'robots_version',
  'rules_version',
  'sample_visit',
  'saved_filter',
  'second_factor',
  'session',
  'settings',
  'setup_code',
  'shared_link',
  'test_visit',
  'user',
  'visits',
] as const;
export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

/** What became of a subject. */
export const AUDIT_CHANGES = ['created', 'changed', 'removed', 'revealed', 'done'] as const;
export type AuditChange = (typeof AUDIT_CHANGES)[number];

/** Who acts. */
export const ACTOR_TYPES = [
  'person',
  'api_key',
  'visitor',
  'command_line',
  'environment',
  'service',
  'database',
] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

/** With what somebody sends a request. */
export const ACTOR_VIAS = ['dashboard', 'api', 'command_line'] as const;
export type ActorVia = (typeof ACTOR_VIAS)[number];

/** Days for which entries of the audit log are kept. */
export const AUDIT_DAYS = { min: 30, max: 3_650 } as const;

const text = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });
const values = (description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'], additionalProperties: true, description });

export const AuditEntrySchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    occurred_at: Type.String({ format: 'date-time' }),
    project_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'The project it belongs to, which may be gone; null for what belongs to the instance',
    }),
    actor: Type.Object({
      type: Type.Unsafe<ActorType>({
        type: 'string',
        enum: [...ACTOR_TYPES],
        description:
          'visitor: somebody who was not signed in. command_line: a command that uses the database itself. environment: ' +
          'a setting at the start. service: a task of a service. database: a connection of somebody’s own.',
      }),
      id: text('ID of the person or the API key'),
      name: text('Email address of the person, or name of the API key, as it was then'),
      address: text('Where the request came from'),
      via: Type.Unsafe<ActorVia | null>({
        anyOf: [{ type: 'string', enum: [...ACTOR_VIAS] }, { type: 'null' }],
        description: 'With what it was sent; a command line names itself in its User-Agent',
      }),
      request_id: text('The `X-Request-Id` of the request, which the logs have, too'),
    }),
    operation: text('ID of the operation in this document; null for what no request changed'),
    change: Type.Unsafe<AuditChange>({
      type: 'string',
      enum: [...AUDIT_CHANGES],
      description: 'revealed: a secret was shown. done: something happened that changes none of the settings.',
    }),
    subject: Type.Object({
      type: Type.Unsafe<AuditSubject>({ type: 'string', enum: [...AUDIT_SUBJECTS] }),
      id: text('ID of what changed'),
      name: text('Its name as it was then'),
    }),
    before: values('Former values of what changed; secrets are `[hidden]`'),
    after: values('Values since then; of what was done, its parameters'),
  },
  { $id: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntrySchema>;

export const AuditPageSchema = Type.Object(
  {
    entries: Type.Array(AuditEntrySchema, { description: 'Newest first' }),
    next_cursor: text('Of the page with older entries; null at the end'),
  },
  { $id: 'AuditPage' },
);
export type AuditPage = Static<typeof AuditPageSchema>;

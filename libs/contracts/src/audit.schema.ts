import { Type, type Static } from 'typebox';

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

export const AUDIT_CHANGES = ['created', 'changed', 'removed', 'revealed', 'done'] as const;
export type AuditChange = (typeof AUDIT_CHANGES)[number];

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

export const ACTOR_VIAS = ['dashboard', 'api', 'command_line'] as const;
export type ActorVia = (typeof ACTOR_VIAS)[number];

/** Allowed retention of audit log entries in days. */
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
      description: 'Project of the entry, which may have been removed. Null for entries of the instance.',
    }),
    actor: Type.Object({
      type: Type.Unsafe<ActorType>({
        type: 'string',
        enum: [...ACTOR_TYPES],
        description:
          '`visitor`: not signed in. `command_line`: a command that accesses the database directly. `environment`: a ' +
          'setting at startup. `service`: a background task. `database`: any other database connection.',
      }),
      id: text('ID of the person or API key'),
      name: text('Email address of the person or name of the API key, at that time'),
      address: text('Client address of the request'),
      via: Type.Unsafe<ActorVia | null>({
        anyOf: [{ type: 'string', enum: [...ACTOR_VIAS] }, { type: 'null' }],
        description: 'Client that sent the request. The command line is recognized by its User-Agent.',
      }),
      request_id: text('`X-Request-Id` of the request, which also appears in the logs'),
    }),
    operation: text('ID of the operation in this document. Null if the change was not made by a request.'),
    change: Type.Unsafe<AuditChange>({
      type: 'string',
      enum: [...AUDIT_CHANGES],
      description: '`revealed`: a secret was shown. `done`: an action that changes no settings.',
    }),
    subject: Type.Object({
      type: Type.Unsafe<AuditSubject>({ type: 'string', enum: [...AUDIT_SUBJECTS] }),
      id: text('Subject ID'),
      name: text('Subject name at that time'),
    }),
    before: values('Values before the change. Secrets are `[hidden]`.'),
    after: values('Values after the change, or the parameters of an action'),
  },
  { $id: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntrySchema>;

export const AuditPageSchema = Type.Object(
  {
    entries: Type.Array(AuditEntrySchema, { description: 'Newest first' }),
    next_cursor: text('Cursor of the next page, or null at the end'),
  },
  { $id: 'AuditPage' },
);
export type AuditPage = Static<typeof AuditPageSchema>;

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
  'mail_server',
  'member',
  'passkey',
  'password_reset',
  'project',
  'reidentification',
  'report_schedule',
  'report_subscription',
  'robots_version',
  'rules_version',
  'policy_version',
  'sample_visit',
  'policy_proof',
  'saved_filter',
  'second_factor',
  'session',
  'settings',
  'setup_code',
  'shared_link',
  'sitemap',
  'statement_key',
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

/** Allowed retention periods for audit log entries, in days. */
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
      description:
        'ID of the project that the entry belongs to. The project may have since been removed. Null for instance-wide entries.',
    }),
    actor: Type.Object({
      type: Type.Unsafe<ActorType>({
        type: 'string',
        enum: [...ACTOR_TYPES],
        description:
          '`visitor` is a person who is not signed in. `command_line` is a command that accesses the database directly. ' +
          '`environment` is a setting read at startup. `service` is a background task. `database` is any other database connection.',
      }),
      id: text('ID of the person or API key'),
      name: text('Email address of the person, or name of the API key, at the time of the action'),
      address: text('Client address that the request came from'),
      via: Type.Unsafe<ActorVia | null>({
        anyOf: [{ type: 'string', enum: [...ACTOR_VIAS] }, { type: 'null' }],
        description: 'Client that sent the request. Requests from the command line are recognized by their User-Agent.',
      }),
      request_id: text('`X-Request-Id` of the request. It also appears in the logs.'),
    }),
    operation: text('OpenAPI operation ID. Null if the change was not made through a request.'),
    change: Type.Unsafe<AuditChange>({
      type: 'string',
      enum: [...AUDIT_CHANGES],
      description:
        "Kind of change. `revealed` means that a secret was shown. `done` means that an action was performed that doesn't change any settings.",
    }),
    subject: Type.Object({
      type: Type.Unsafe<AuditSubject>({ type: 'string', enum: [...AUDIT_SUBJECTS] }),
      id: text('Subject ID'),
      name: text('Subject name at the time of the action'),
    }),
    before: values('Values before the change. Secrets are replaced with `[hidden]`.'),
    after: values('Values after the change, or the parameters of an action'),
  },
  { $id: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntrySchema>;

export const AuditPageSchema = Type.Object(
  {
    entries: Type.Array(AuditEntrySchema, { description: 'Entries, newest first' }),
    next_cursor: text('Cursor for the next page. Null on the last page.'),
  },
  { $id: 'AuditPage' },
);
export type AuditPage = Static<typeof AuditPageSchema>;

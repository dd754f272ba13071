import { Type, type Static } from 'typebox';
import { EMAIL_PATTERN } from './patterns.js';

/** Maximum number of report recipients without an account, per project. */
export const MAX_REPORT_RECIPIENTS = 50;
/** Periods that a report can cover. `this_week` ends now. Other weeks and months are complete. */
export const REPORT_PERIODS = ['last_week', 'this_week', 'last_month', 'last_30_days'] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];
/** Maximum length of a report's custom period in days. */
export const MAX_REPORT_DAYS = 92;

const ProjectIds = (description: string) =>
  Type.Array(Type.String({ format: 'uuid' }), { maxItems: 1_000, uniqueItems: true, description });
const CanSendMail = Type.Boolean({ description: 'Whether a mail server is configured for this instance' });
const Time = (description: string) => Type.String({ format: 'date-time', description });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

export const ReportSettingsSchema = Type.Object(
  {
    can_send_mail: CanSendMail,
    project_ids: ProjectIds('IDs of the projects whose report you receive by email'),
  },
  { $id: 'ReportSettings' },
);
export const ReportSettingsChangeSchema = Type.Object(
  {
    project_ids: ProjectIds('IDs of all projects whose report you want to receive. Replaces the previous selection.'),
  },
  { $id: 'ReportSettingsChange', additionalProperties: false },
);

const scheduleFields = {
  frequency: Type.Unsafe<'weekly' | 'monthly'>({
    type: 'string',
    enum: ['weekly', 'monthly'],
    description: 'Monthly reports are sent on the first day of the month.',
  }),
  weekday: Type.Integer({
    minimum: 1,
    maximum: 7,
    description: 'Day on which weekly reports are sent, from 1 (Monday) to 7 (Sunday)',
  }),
  time_zone: nullable<string>('string', {
    minLength: 1,
    maxLength: 64,
    description: "IANA time zone. Null means the project's.",
  }),
};
export const ReportScheduleSchema = Type.Object(scheduleFields, {
  $id: 'ReportSchedule',
  additionalProperties: false,
});

const ReportFigureSchema = Type.Object(
  {
    label: Type.String(),
    value: Type.String(),
    change: Type.String({ description: 'Change since the previous period, such as `+12%`, or empty if unknown' }),
    detail: Type.String({ description: 'Remark on the value, or empty' }),
    url: Type.String({ description: 'Dashboard page with the details' }),
  },
  { $id: 'ReportFigure' },
);
const Figures = Type.Array(ReportFigureSchema);

const ReportSectionSchema = Type.Object(
  {
    title: Type.String(),
    text: Type.String({ description: 'Finding in a sentence, or empty' }),
    items: Type.Array(
      Type.Object({
        text: Type.String(),
        detail: Type.String({ description: 'Likely reason, or empty' }),
        url: Type.String({ description: 'Dashboard page with the details' }),
      }),
      { description: 'Findings of a list' },
    ),
    unit: Type.String({ description: 'Heading for the values of `rows`' }),
    rows: Figures,
  },
  { $id: 'ReportSection' },
);

export const ReportSchema = Type.Object(
  {
    subject: Type.String({ description: 'Subject of the email' }),
    title: Type.String({ description: 'Kind of report and its period, such as `Weekly report, Nov 16 – 22, 2026`' }),
    project: Type.String(),
    period: Type.String({ description: 'Date range, such as `Nov 16 – 22, 2026`' }),
    compared_with: nullable<string>('string', {
      description:
        'Period that the report compares with, such as `the previous week`. Null if no visits were reported in it.',
    }),
    summary: Type.String({ description: 'Most important numbers in a sentence' }),
    overview_url: Type.String(),
    hint: Type.Unsafe<{ text: string; label: string; url: string } | null>({
      type: ['object', 'null'],
      properties: { text: { type: 'string' }, label: { type: 'string' }, url: { type: 'string' } },
      required: ['text', 'label', 'url'],
      description: 'Advice if agents made no visits, otherwise null',
    }),
    days: Type.Array(Type.Object({ day: Type.String(), visits: Type.Integer({ minimum: 0 }) }), {
      description: 'Agent visits on each day',
    }),
    figures: Figures,
    changes: Type.Unsafe<Static<typeof ReportSectionSchema> | null>({
      anyOf: [ReportSectionSchema, { type: 'null' }],
      description: 'Most important changes and their likely reasons, or null if there is nothing to compare with',
    }),
    sections: Type.Array(ReportSectionSchema, { description: 'Other sections, most important first' }),
  },
  { $id: 'Report' },
);

export const ReportRecipientSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    address: Type.String(),
    is_member: Type.Boolean({ description: 'Whether the recipient has an account' }),
    is_confirmed: Type.Boolean({ description: 'Whether the recipient has agreed to receive reports' }),
    delivery: Type.Unsafe<{ state: 'sending' | 'sent' | 'failed'; at: string; error: string | null } | null>({
      type: ['object', 'null'],
      properties: {
        state: { type: 'string', enum: ['sending', 'sent', 'failed'] },
        at: { type: 'string', format: 'date-time' },
        error: { type: ['string', 'null'], description: 'Reason for the failure' },
      },
      required: ['state', 'at', 'error'],
      description: 'Most recent delivery of a report, or null before the first one',
    }),
  },
  { $id: 'ReportRecipient' },
);

export const ProjectReportSchema = Type.Object(
  {
    can_send_mail: CanSendMail,
    schedule: ReportScheduleSchema,
    next_at: Time('Time of the next report'),
    recipients: Type.Array(ReportRecipientSchema),
    report: ReportSchema,
  },
  { $id: 'ProjectReport' },
);

export const NewReportRecipientSchema = Type.Object(
  { address: Type.String({ minLength: 3, maxLength: 254, pattern: EMAIL_PATTERN, description: 'Email address' }) },
  { $id: 'NewReportRecipient', additionalProperties: false },
);

export const SendReportSchema = Type.Object(
  {
    period: Type.Optional(
      Type.Unsafe<ReportPeriod>({
        type: 'string',
        enum: [...REPORT_PERIODS],
        description: "Reported period. Default: the schedule's.",
      }),
    ),
    range: Type.Optional(
      Type.Object(
        {
          from: Time('Start (inclusive)'),
          to: Time(`End (exclusive), at most ${MAX_REPORT_DAYS} days after \`from\``),
        },
        { additionalProperties: false, description: 'Custom period, which replaces `period`' },
      ),
    ),
    to: Type.Unsafe<'me' | 'everyone'>({
      type: 'string',
      enum: ['me', 'everyone'],
      description: '`me`: your own address. `everyone`: all confirmed recipients.',
    }),
  },
  { $id: 'SendReport', additionalProperties: false },
);
export const SentReportSchema = Type.Object(
  { recipients: Type.Integer({ minimum: 0, description: 'Number of recipients' }) },
  { $id: 'SentReport' },
);

export type ReportSettings = Static<typeof ReportSettingsSchema>;
export type ReportSchedule = Static<typeof ReportScheduleSchema>;
export type ReportFigure = Static<typeof ReportFigureSchema>;
export type ReportSection = Static<typeof ReportSectionSchema>;
export type Report = Static<typeof ReportSchema>;
export type ReportRecipient = Static<typeof ReportRecipientSchema>;
export type ProjectReport = Static<typeof ProjectReportSchema>;
export type SentReport = Static<typeof SentReportSchema>;

import { Type, type Static } from 'typebox';
import { MAIL_HOST_PATTERN } from './patterns.js';
import { SINGLE_LINE, SingleLine, StoredText } from './text.schema.js';

const MAIL_SECURITY = ['starttls', 'tls', 'none'] as const;
export type MailSecurity = (typeof MAIL_SECURITY)[number];

const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

const SECURITY = Type.Unsafe<MailSecurity>({
  type: 'string',
  enum: [...MAIL_SECURITY],
  description:
    '`starttls` and `tls` require encryption and a valid certificate. `none` sends emails and the password in plain text.',
});

export const MailServerSchema = Type.Object(
  {
    source: Type.Unsafe<'environment' | 'dashboard' | null>({
      type: ['string', 'null'],
      enum: ['environment', 'dashboard', null],
      description:
        '`environment`: set by `SMTP_HOST` and the other `SMTP_*` variables, so it cannot be changed here. `dashboard`: set through the API. Null if no mail server is set.',
    }),
    host: nullable<string>('string', { description: 'Host name or IP address. Null if no mail server is set.' }),
    port: Type.Integer({ description: 'TCP port' }),
    security: SECURITY,
    user: nullable<string>('string', { description: 'User name. Null if the server requires no sign-in.' }),
    has_password: Type.Boolean({ description: 'Whether a password is set. The password itself is never returned.' }),
    from: nullable<string>('string', { description: 'Sender of all emails. Null if no mail server is set.' }),
  },
  { $id: 'MailServer' },
);

export const MailServerChangeSchema = Type.Object(
  {
    host: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: MAIL_HOST_PATTERN,
      description: 'Host name or IP address. Private addresses are allowed.',
    }),
    port: Type.Integer({ minimum: 1, maximum: 65_535, description: 'TCP port, usually 587, 465 or 25' }),
    security: SECURITY,
    user: nullable<string>('string', {
      minLength: 1,
      maxLength: 320,
      format: SINGLE_LINE,
      description: 'User name. Null if the server requires no sign-in, which also removes the stored password.',
    }),
    password: Type.Optional(
      StoredText({
        minLength: 1,
        maxLength: 1_000,
        description:
          'Password. If omitted, the stored one is kept. Required if `user` is set and the host, port, encryption or user changes, so the stored password is never sent to another server.',
      }),
    ),
    from: SingleLine({
      minLength: 3,
      maxLength: 320,
      description: 'Sender of all emails: an address, with or without a name',
      examples: ['Agent Traffic <alerts@example.com>'],
    }),
  },
  { $id: 'MailServerChange', additionalProperties: false },
);

export const MailTestSchema = Type.Object(
  {
    address: Type.String({ description: 'Your email address, which the test email was sent to' }),
    error: nullable<string>('string', {
      description: 'Problem and how to fix it. Null if the mail server accepted the email.',
    }),
    response: nullable<string>('string', {
      description: "The mail server's SMTP response to the rejected command. Null if there was none.",
    }),
  },
  { $id: 'MailTest' },
);

export type MailServer = Static<typeof MailServerSchema>;
export type MailServerChange = Static<typeof MailServerChangeSchema>;
export type MailTest = Static<typeof MailTestSchema>;

import { ConfigurationError, integer, secret, str } from '#libs/platform';

export interface MailSettings {
  host: string;
  port: number;
  /** `starttls` fails if the server doesn't support encryption. */
  security: 'starttls' | 'tls' | 'none';
  user: string | null;
  password: string | null;
  from: string;
}

export const mailSettings = {
  SMTP_HOST: str({
    default: undefined,
    desc: 'Mail server for alerts, weekly reports and sign-in notices. Default: no email',
  }),
  SMTP_PORT: integer({ min: 1, max: 65_535 })({ default: 587, desc: 'Port of the mail server' }),
  SMTP_SECURITY: str({
    choices: ['starttls', 'tls', 'none'] as const,
    default: 'starttls',
    desc: 'starttls and tls require encryption; none sends plain text',
  }),
  SMTP_USER: str({ default: undefined, desc: 'User name for the mail server. Default: no authentication' }),
  SMTP_PASSWORD: secret(1)({ default: undefined, desc: 'Password for SMTP_USER' }),
  SMTP_FROM: str({ default: undefined, desc: 'Sender of emails, such as Agent Traffic <alerts@example.com>' }),
};

/**
 * Returns the email settings, or null if no mail server is configured.
 *
 * @throws {ConfigurationError} if the settings are incomplete.
 */
export function toMailSettings(settings: {
  SMTP_HOST: string | undefined;
  SMTP_PORT: number;
  SMTP_SECURITY: MailSettings['security'];
  SMTP_USER: string | undefined;
  SMTP_PASSWORD: string | undefined;
  SMTP_FROM: string | undefined;
}): MailSettings | null {
  const { SMTP_HOST: host, SMTP_FROM: from, SMTP_USER: user, SMTP_PASSWORD: password } = settings;
  if (host === undefined) return null;
  if (from === undefined)
    throw new ConfigurationError('SMTP_HOST is set, so SMTP_FROM is required. Set it to the sender address.');
  if ((user === undefined) !== (password === undefined)) {
    throw new ConfigurationError('SMTP_USER and SMTP_PASSWORD must be set together. Set both or neither.');
  }
  return {
    host,
    port: settings.SMTP_PORT,
    security: settings.SMTP_SECURITY,
    user: user ?? null,
    password: password ?? null,
    from,
  };
}

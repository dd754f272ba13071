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
    desc: 'Mail server for alerts, reports and sign-in notices. Default: the one set in the dashboard',
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
 * Returns the email settings, or null if SMTP_HOST isn't set.
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

/**
 * Returns true if the text is an email address, with or without a name, such as `Agent Traffic <alerts@example.com>`.
 * The domain can be any host, because local relays accept senders such as `root@localhost`.
 */
export function isSender(text: string): boolean {
  const start = text.indexOf('<');
  if (start !== -1 && !text.endsWith('>')) return false;
  const address = start === -1 ? text : text.slice(start + 1, -1);
  const at = address.indexOf('@');
  const isPlain = [...' <>()[],;:\\"'].every((character) => !address.includes(character));
  return isPlain && at > 0 && at < address.length - 1 && at === address.lastIndexOf('@');
}

import { ConfigurationError, integer, secret, str } from '#libs/platform';

export interface MailSettings {
  host: string;
  port: number;
  /** `starttls` rejects servers that don't support encryption. */
  security: 'starttls' | 'tls' | 'none';
  user: string | null;
  password: string | null;
  from: string;
}

export const mailSettings = {
  SMTP_HOST: str({
    default: undefined,
    desc: 'Mail server that alerts, weekly reports and notices of sign-ins are sent by; none without',
  }),
  SMTP_PORT: integer({ min: 1, max: 65_535 })({ default: 587, desc: 'Its port' }),
  SMTP_SECURITY: str({
    choices: ['starttls', 'tls', 'none'] as const,
    default: 'starttls',
    desc: 'starttls and tls demand encryption, none sends in plain text',
  }),
  SMTP_USER: str({ default: undefined, desc: 'User to sign in there with; nobody without' }),
  SMTP_PASSWORD: secret(1)({ default: undefined, desc: 'Its password' }),
  SMTP_FROM: str({ default: undefined, desc: 'Who mail is from, such as Agent Traffic <alerts@example.com>' }),
};

/** Returns null without a mail server. @throws ConfigurationError if its settings are incomplete. */
export function mailOptionsOf(settings: {
  SMTP_HOST: string | undefined;
  SMTP_PORT: number;
  SMTP_SECURITY: MailSettings['security'];
  SMTP_USER: string | undefined;
  SMTP_PASSWORD: string | undefined;
  SMTP_FROM: string | undefined;
}): MailSettings | null {
  const { SMTP_HOST: host, SMTP_FROM: from, SMTP_USER: user, SMTP_PASSWORD: password } = settings;
  if (host === undefined) return null;
  if (from === undefined) throw new ConfigurationError("SMTP_HOST requires SMTP_FROM, the sender's address.");
  if ((user === undefined) !== (password === undefined)) {
    throw new ConfigurationError('SMTP_USER and SMTP_PASSWORD go together: set both, or none.');
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

import type { MailServer, MailServerChange } from '../../api/system-queries.js';

export interface MailServerFields extends Record<string, unknown> {
  host: string;
  port: string;
  security: MailServer['security'];
  /** Empty if the server requires no sign-in. */
  user: string;
  /** New password. The server never returns the stored one. */
  password: string;
  from: string;
}

/** Usual port for each kind of encryption. */
const USUAL_PORTS: Record<MailServer['security'], string> = { starttls: '587', tls: '465', none: '25' };

export const toMailServerFields = (server: MailServer): MailServerFields => ({
  host: server.host ?? '',
  port: String(server.port),
  security: server.security,
  user: server.user ?? '',
  password: '',
  from: server.from ?? '',
});

export const toMailServerChange = (fields: MailServerFields): MailServerChange => ({
  host: fields.host.trim(),
  port: Number(fields.port),
  security: fields.security,
  user: fields.user.trim() || null,
  ...(fields.user.trim() !== '' && fields.password !== '' && { password: fields.password }),
  from: fields.from.trim(),
});

/** Returns the port to use after the encryption changes. A port that isn't usual for the previous one stays. */
export const choosePort = ({ port, security }: MailServerFields, next: MailServer['security']): string =>
  port === USUAL_PORTS[security] ? USUAL_PORTS[next] : port;

export const validatePort = (port: string): string | null =>
  /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535 ? null : 'Enter a number from 1 to 65535.';

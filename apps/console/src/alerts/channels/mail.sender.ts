import { Inject, Injectable } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { MAIL_SETTINGS, type MailSettings } from './mail-settings.js';

const TIMEOUT_MS = 15_000;

export interface Mail {
  to: readonly string[];
  /** Without the host: the same in each attempt, so that a reader shows it once. */
  id: string;
  subject: string;
  text: string;
  html: string;
  headers?: Readonly<Record<string, string>>;
  /** Shown within the HTML, which names each by its `cid`. */
  attachments?: { filename: string; content: Buffer; cid: string; contentType: string }[];
}

/** Sends mail by the operator's server. */
@Injectable()
export class MailSender {
  private readonly transport;
  private readonly from: string;

  constructor(@Inject(MAIL_SETTINGS) settings: MailSettings | null) {
    this.from = settings?.from ?? '';
    this.transport =
      settings === null
        ? null
        : createTransport({
            host: settings.host,
            port: settings.port,
            secure: settings.security === 'tls',
            requireTLS: settings.security === 'starttls',
            ignoreTLS: settings.security === 'none',
            ...(settings.user !== null && { auth: { user: settings.user, pass: settings.password ?? '' } }),
            connectionTimeout: TIMEOUT_MS,
            greetingTimeout: TIMEOUT_MS,
            socketTimeout: TIMEOUT_MS,
            // A message is made of texts alone.
            disableFileAccess: true,
            disableUrlAccess: true,
          });
  }

  /** Whether there is a server. */
  get isAvailable(): boolean {
    return this.transport !== null;
  }

  /** @throws Error in words of people, when the server does not take it for everybody. */
  async send({ id, to, headers, ...mail }: Mail): Promise<void> {
    if (this.transport === null) throw new Error('This instance has no mail server: SMTP_HOST is not set.');
    const sent = await this.transport.sendMail({
      from: this.from,
      to: [...to],
      messageId: `<${id}@agent-traffic>`,
      headers: { 'Auto-Submitted': 'auto-generated', ...headers },
      ...mail,
    });
    if (sent.rejected.length > 0) throw new Error(`The mail server refused ${sent.rejected.join(', ')}.`);
  }
}

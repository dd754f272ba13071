import { Inject, Injectable } from '@nestjs/common';
import type { NodemailerError } from 'nodemailer';
import pLimit from 'p-limit';
import { MAIL_SETTINGS, type MailSettings } from './mail-settings.js';

const TIMEOUT_MS = 15_000;
/** Mail servers limit the connections of a client. */
const MAX_CONNECTIONS = 5;
/** Milliseconds that a mail waits for its turn: claims of alerts and reports last longer than that and a slow mail together. */
const MAX_WAIT_MS = 120_000;

export interface Mail {
  to: readonly string[];
  /** Without the host: the same in each attempt, so that a reader shows it once. */
  id: string;
  subject: string;
  text: string;
  html?: string;
  headers?: Readonly<Record<string, string>>;
  /** Shown within the HTML, which names each by its `cid`. */
  attachments?: { filename: string; content: Buffer; cid: string; contentType: string }[];
}

/** An address that the server refused. */
export interface RefusedAddress {
  address: string;
  /** Whether trying again is pointless. */
  isFinal: boolean;
}

/** A mail did not get its turn, which says nothing of its receiver. */
export class MailNotTriedError extends Error {}

/** Sends mail by the operator's server. */
@Injectable()
export class MailSender {
  private readonly limit = pLimit(MAX_CONNECTIONS);

  constructor(@Inject(MAIL_SETTINGS) private readonly settings: MailSettings | null) {}

  /** Whether there is a server. */
  get isAvailable(): boolean {
    return this.settings !== null;
  }

  /**
   * @param ending of the process: mails that have not begun are not sent any more.
   * @returns the addresses that the server refused; the others have it.
   * @throws MailNotTriedError when it was not tried; Error in words of people, when nothing was sent.
   */
  async send(mail: Mail, ending?: AbortSignal): Promise<RefusedAddress[]> {
    const { settings } = this;
    if (settings === null) throw new Error('This instance has no mail server: SMTP_HOST is not set.');
    const since = performance.now();
    return this.limit(() => {
      if (ending?.aborted) throw new MailNotTriedError('The process ended before its turn.');
      if (performance.now() - since > MAX_WAIT_MS) {
        throw new MailNotTriedError('The mail server was too slow with other mails.');
      }
      return this.sendNow(settings, mail);
    });
  }

  private async sendNow(settings: MailSettings, { id, to, headers, ...mail }: Mail): Promise<RefusedAddress[]> {
    const transport = await transportOf(settings);
    try {
      const sent = await transport.sendMail({
        from: settings.from,
        to: [...to],
        messageId: `<${id}@agent-traffic>`,
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
        ...mail,
      });
      return refusedOf(to, sent.rejectedErrors);
    } catch (error) {
      const refused = refusedOf(to, (error as NodemailerError).rejectedErrors);
      if (refused.length === 0) throw new Error(faultOf(error as NodemailerError), { cause: error });
      return refused;
    }
  }
}

/** Everybody in a project reads it, so it names neither the server nor what that says of itself. */
const faultOf = ({ code, responseCode }: NodemailerError): string =>
  responseCode === undefined
    ? `The mail server cannot be reached (${code ?? 'no code'}).`
    : `The mail server answered with status ${responseCode}.`;

/** Each mail has a connection of its own. The library is loaded with the first: most processes send none. */
async function transportOf({ host, port, security, user, password }: MailSettings) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user !== null && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // A message is made of texts alone.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** The library writes the domain in lower case. */
function refusedOf(to: readonly string[], errors: readonly NodemailerError[] = []): RefusedAddress[] {
  return to.flatMap((address) => {
    const error = errors.find(({ recipient = '' }) => recipient.toLowerCase() === address.toLowerCase());
    return error === undefined ? [] : { address, isFinal: error.permanent === true };
  });
}

import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind, type RateLimit } from '#libs/cache';
import type { NodemailerError } from 'nodemailer';
import pLimit from 'p-limit';
import pTimeout from 'p-timeout';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../console-settings.js';
import type { MailSettings } from './mail-settings.js';

const TIMEOUT_MS = 15_000;
/** Maximum number of concurrent connections. Mail servers limit them per client. */
const MAX_CONNECTIONS = 5;
/** Time for mails in flight on shutdown, out of 10 s for the entire shutdown. */
const ENDING_MS = 5_000;
/** Maximum time a mail waits for a connection. Claims of alerts and reports must outlast this plus a slow mail. */
const MAX_WAIT_MS = 120_000;

/** Mails of the instance. Each recipient counts: 2,000, then 1 per second. */
const MAILS: BucketKind = { name: 'mails', failsOpen: false };
const MAIL_LIMIT: RateLimit = { burst: 2_000, perSecond: 1 };

export interface Mail {
  to: readonly string[];
  /** Local part of the `Message-ID`. The same in each attempt, so mail clients can detect duplicates. */
  id: string;
  subject: string;
  text: string;
  html?: string;
  headers?: Readonly<Record<string, string>>;
  /** Inline attachments, referenced in the HTML by `cid`. */
  attachments?: { filename: string; content: Buffer; cid: string; contentType: string }[];
}

export interface RefusedAddress {
  address: string;
  /** Whether retrying is pointless. */
  isFinal: boolean;
}

export interface MailOptions {
  /** Aborted on shutdown. Waiting mails are then rejected, and mails in flight have `ENDING_MS` left. */
  ending?: AbortSignal;
  /** Whether a person is waiting for the mail. One connection is reserved for these mails. */
  isAsked?: boolean;
}

/** Interruption of a mail for reasons unrelated to its recipient. If sending had started, the mail may have arrived. */
export class MailInterruptedError extends Error {}

@Injectable()
export class MailSender {
  private readonly connections = pLimit(MAX_CONNECTIONS);
  /** Limits mails that nobody is waiting for. Leaves one connection to the others. */
  private readonly unasked = pLimit(MAX_CONNECTIONS - 1);
  /** Aborts all mails in flight. Services stop one after another and share the remaining time. */
  private readonly over = new AbortController();
  private endingTimer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONSOLE_SETTINGS) private readonly settings: Pick<ConsoleSettings, 'mail'>,
    private readonly limiter: RateLimiter,
  ) {}

  /** Whether a mail server is configured. */
  get isAvailable(): boolean {
    return this.settings.mail !== null;
  }

  /**
   * Sends a mail.
   *
   * @returns addresses that the server rejected. It accepted the others.
   * @throws MailInterruptedError if other mails or a shutdown interrupted it.
   * @throws Error with a message for users if nothing was sent.
   */
  async send(mail: Mail, { ending, isAsked = false }: MailOptions = {}): Promise<RefusedAddress[]> {
    const { mail: settings } = this.settings;
    if (settings === null) throw new Error('This instance has no mail server: SMTP_HOST is not set.');
    const since = performance.now();
    const { allowed, retryAfterSeconds } = await this.limiter.take(MAILS, 'all', mail.to.length, MAIL_LIMIT);
    if (!allowed) throw new Error(`This instance has sent too many mails. Try again in ${retryAfterSeconds} s.`);
    const sending = () =>
      this.connections(() => {
        if (ending?.aborted || this.over.signal.aborted)
          throw new MailInterruptedError('The process ended before its turn.');
        if (performance.now() - since > MAX_WAIT_MS) {
          throw new MailInterruptedError('The mail server was too slow with other mails.');
        }
        return this.untilOver(this.sendNow(settings, mail), ending);
      });
    return isAsked ? sending() : this.unasked(sending);
  }

  private async untilOver<T>(sending: Promise<T>, ending: AbortSignal | undefined): Promise<T> {
    const end = (): void => {
      const reason = new MailInterruptedError('The process ended before the mail server answered.');
      this.endingTimer ??= setTimeout(() => this.over.abort(reason), ENDING_MS).unref();
    };
    ending?.addEventListener('abort', end);
    try {
      return await pTimeout(sending, { milliseconds: Infinity, signal: this.over.signal });
    } finally {
      ending?.removeEventListener('abort', end);
    }
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

/** All project members can read this text, so it doesn't reveal the server's name or its responses. */
const faultOf = ({ code, responseCode }: NodemailerError): string =>
  responseCode === undefined
    ? `The mail server cannot be reached (${code ?? 'no code'}).`
    : `The mail server answered with status ${responseCode}.`;

/** Creates a transport for one mail. Loads the library on first use, because most processes send no mail. */
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
    // Mails never contain files or content from URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Ignores case, because the library converts domains to lowercase. */
function refusedOf(to: readonly string[], errors: readonly NodemailerError[] = []): RefusedAddress[] {
  return to.flatMap((address) => {
    const error = errors.find(({ recipient = '' }) => recipient.toLowerCase() === address.toLowerCase());
    return error === undefined ? [] : { address, isFinal: error.permanent === true };
  });
}

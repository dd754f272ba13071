import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind, type RateLimit } from '#libs/cache';
import type { NodemailerError } from 'nodemailer';
import pLimit from 'p-limit';
import pTimeout from 'p-timeout';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../console-settings.js';
import type { MailSettings } from './mail-settings.js';

const TIMEOUT_MS = 15_000;
/** Mail servers limit the connections of a client. */
const MAX_CONNECTIONS = 5;
/** Milliseconds for mails that have begun when the process ends, of the ten seconds that it has. */
const ENDING_MS = 5_000;
/** Milliseconds that a mail waits for its turn: claims of alerts and reports last longer than that and a slow mail together. */
const MAX_WAIT_MS = 120_000;

/** Mails of the instance, by recipient: 2,000, then one a second. */
const MAILS: BucketKind = { name: 'mails', failsOpen: false };
const MAIL_LIMIT: RateLimit = { burst: 2_000, perSecond: 1 };

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

export interface MailOptions {
  /** Of the process: mails that have not begun are not sent any more, and those of any service that have begun have a moment left. */
  ending?: AbortSignal;
  /** Somebody waits for it: it waits for no mail of those for which nobody does. */
  isAsked?: boolean;
}

/** What kept a mail from its turn, or from its end, says nothing of its receiver, who may have it in the latter case. */
export class MailInterruptedError extends Error {}

/** Sends mail by the operator's server. */
@Injectable()
export class MailSender {
  private readonly connections = pLimit(MAX_CONNECTIONS);
  /** Of mails for which nobody waits: they leave a connection to the others. */
  private readonly unasked = pLimit(MAX_CONNECTIONS - 1);
  /** Cuts off all mails: services end one after the other, and have the time together. */
  private readonly over = new AbortController();
  private endingTimer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONSOLE_SETTINGS) private readonly settings: Pick<ConsoleSettings, 'mail'>,
    private readonly limiter: RateLimiter,
  ) {}

  /** Whether there is a server. */
  get isAvailable(): boolean {
    return this.settings.mail !== null;
  }

  /**
   * @returns the addresses that the server refused; the others have it.
   * @throws MailInterruptedError; Error in words of people, when nothing was sent.
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

import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind, type RateLimit } from '#libs/cache';
import type { NodemailerError } from 'nodemailer';
import pLimit from 'p-limit';
import pTimeout from 'p-timeout';
import { MailServerService } from './mail-server.service.js';
import type { MailSettings } from './mail-settings.js';

const SMTP_TIMEOUT_MS = 15_000;
/** Maximum number of concurrent connections. Mail servers limit connections per client. */
const MAX_CONNECTIONS = 5;
/** Time that in-flight emails have to finish on shutdown. The entire shutdown may take 10 s. */
const SHUTDOWN_GRACE_MS = 5_000;
/**
 * Maximum time an email waits for a connection. Claims on alerts and reports must outlast this wait plus a slow send.
 */
const MAX_QUEUE_WAIT_MS = 120_000;

/** Limit for all emails of the instance: a burst of 2,000 recipients, then 1 per second. */
const MAIL_BUCKET: BucketKind = { name: 'mails', failsOpen: false };
const MAIL_LIMIT: RateLimit = { burst: 2_000, perSecond: 1 };

export interface Mail {
  to: readonly string[];
  /** Local part of the `Message-ID`. Must be the same for each attempt, so mail clients can detect duplicates. */
  id: string;
  subject: string;
  text: string;
  html?: string;
  headers?: Readonly<Record<string, string>>;
  /** Inline attachments. The HTML references them by `cid`. */
  attachments?: { filename: string; content: Buffer; cid: string; contentType: string }[];
}

export interface RejectedAddress {
  address: string;
  /** Whether the rejection is permanent, so retrying is pointless. */
  isFinal: boolean;
  /** The mail server's response. Only administrators may see it. */
  response?: string | undefined;
}

export interface MailOptions {
  /** Aborted on shutdown. Waiting emails are then rejected, and in-flight emails have a short time to finish. */
  shutdownSignal?: AbortSignal;
  /** Whether a user is waiting for the email. One connection is reserved for these emails. */
  isUserWaiting?: boolean;
}

/**
 * Thrown if an email is interrupted for a reason unrelated to its recipient. If sending had already started, the email
 * may still have arrived.
 */
export class MailInterruptedError extends Error {}
/** Thrown if an email is interrupted before its sending started, so it can't have arrived. */
export class MailNotStartedError extends MailInterruptedError {}

@Injectable()
export class MailSender {
  private readonly connections = pLimit(MAX_CONNECTIONS);
  /** Limits emails that nobody is waiting for, so one connection remains free for the others. */
  private readonly backgroundConnections = pLimit(MAX_CONNECTIONS - 1);
  /** Aborts all in-flight emails. Services stop one after another and share one grace period. */
  private readonly shutdownDeadline = new AbortController();
  private shutdownTimer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(MailServerService) private readonly server: Pick<MailServerService, 'find' | 'isSet'>,
    private readonly limiter: RateLimiter,
  ) {}

  /** Returns whether a mail server is set. Administrators can change it at any time. */
  isAvailable(): Promise<boolean> {
    return this.server.isSet();
  }

  /**
   * Sends an email.
   *
   * @returns Addresses that the server rejected. The server accepted all others.
   * @throws {MailInterruptedError} if a shutdown or other emails interrupted it.
   * @throws {Error} with a message for users if no recipient was accepted. The cause is the mail server's error.
   */
  async send(mail: Mail, { shutdownSignal, isUserWaiting = false }: MailOptions = {}): Promise<RejectedAddress[]> {
    const settings = await this.server.find();
    if (settings === null) throw new Error('This instance has no mail server. An administrator can set one.');
    const queuedAt = performance.now();
    const { allowed, retryAfterSeconds } = await this.limiter.take(MAIL_BUCKET, 'all', mail.to.length, MAIL_LIMIT);
    if (!allowed) throw new Error(`This instance has sent too many emails. Try again in ${retryAfterSeconds} s.`);
    const sending = () =>
      this.connections(() => {
        if (shutdownSignal?.aborted || this.shutdownDeadline.signal.aborted)
          throw new MailNotStartedError('The process shut down before the email was sent.');
        if (performance.now() - queuedAt > MAX_QUEUE_WAIT_MS) {
          throw new MailNotStartedError('The email waited too long because the mail server is slow.');
        }
        return this.untilShutdownDeadline(this.deliver(settings, mail), shutdownSignal);
      });
    return isUserWaiting ? sending() : this.backgroundConnections(sending);
  }

  private async untilShutdownDeadline<T>(sending: Promise<T>, shutdownSignal: AbortSignal | undefined): Promise<T> {
    const startDeadline = (): void => {
      const reason = new MailInterruptedError('The process shut down before the mail server responded.');
      this.shutdownTimer ??= setTimeout(() => this.shutdownDeadline.abort(reason), SHUTDOWN_GRACE_MS).unref();
    };
    shutdownSignal?.addEventListener('abort', startDeadline);
    try {
      return await pTimeout(sending, { milliseconds: Infinity, signal: this.shutdownDeadline.signal });
    } finally {
      shutdownSignal?.removeEventListener('abort', startDeadline);
    }
  }

  private async deliver(settings: MailSettings, { id, to, headers, ...mail }: Mail): Promise<RejectedAddress[]> {
    const transport = await createSmtpTransport(settings);
    try {
      const sent = await transport.sendMail({
        from: settings.from,
        to: [...to],
        messageId: `<${id}@agent-traffic>`,
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
        ...mail,
      });
      return findRejected(to, sent.rejectedErrors);
    } catch (error) {
      const rejected = findRejected(to, (error as NodemailerError).rejectedErrors);
      if (rejected.length === 0) throw new Error(toUserMessage(error as NodemailerError), { cause: error });
      return rejected;
    }
  }
}

/**
 * Returns an error message for users. It reveals neither the mail server's name nor its responses, because all project
 * members can read it.
 */
const toUserMessage = ({ code, responseCode }: NodemailerError): string =>
  responseCode === undefined
    ? `The mail server is unreachable (${code ?? 'no code'}).`
    : `The mail server responded with status ${responseCode}.`;

/** Creates a transport for one email. Loads nodemailer on first use, because most processes never send email. */
async function createSmtpTransport({ host, port, security, user, password }: MailSettings) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user !== null && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    // Emails never include content from local files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Compares addresses case-insensitively, because nodemailer converts domains to lowercase. */
function findRejected(to: readonly string[], errors: readonly NodemailerError[] = []): RejectedAddress[] {
  return to.flatMap((address) => {
    const error = errors.find(({ recipient = '' }) => recipient.toLowerCase() === address.toLowerCase());
    return error === undefined ? [] : { address, isFinal: error.permanent === true, response: error.response };
  });
}

import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind, type RateLimit } from '#libs/cache';
import { fetchUnder, GuardedFetchError, unreachedReason, urlRefusal, type EgressPolicy } from '#libs/evidence';
import { CLOCK, errorMessage, LOGGER, type Clock, type Logger } from '#libs/platform';
import { Webhook } from 'standardwebhooks';
import { lookUp } from '../../connecting/site-request.js';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../console-settings.js';
import { discordBody, mailOf, slackBody, webhookBody } from './alert-message.js';
import { ChannelsRepository } from './channels.repository.js';
import type { Attempt, ClaimedDelivery } from './deliveries.repository.js';
import { MailInterruptedError, MailSender, type RefusedAddress } from './mail.sender.js';
import { RecipientsRepository } from './recipients.repository.js';
import { retryAfterSeconds } from './retry-schedule.js';
import { PUBLIC_URL } from '../../public-url.js';

/** Standard Webhooks recommends 15–30 s. */
const TIMEOUT_MS = 20_000;
/** Maximum size of a response. Its body is discarded. */
const MAX_ANSWER_BYTES = 65_536;
const MAX_ERROR_LENGTH = 300;

/** Alert mails per project. Each recipient counts: 200, then 2 per minute. */
const MAILS: BucketKind = { name: 'alert-mails', failsOpen: false };
const MAIL_LIMIT: RateLimit = { burst: 200, perSecond: 1 / 30 };

export interface SentAttempt extends Attempt {
  /** False if other mails or a shutdown interrupted the attempt. */
  isTried: boolean;
  retryAfterSeconds: number | null;
  /** Whether the receiver no longer exists. */
  isGone: boolean;
}

/** Attempts deliveries once, without retries. */
@Injectable()
export class ChannelSender {
  private readonly egress: EgressPolicy;

  constructor(
    private readonly channels: ChannelsRepository,
    private readonly mail: MailSender,
    private readonly recipients: RecipientsRepository,
    private readonly limiter: RateLimiter,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(CONSOLE_SETTINGS) settings: Pick<ConsoleSettings, 'alertChannels'>,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { allowPrivateAddresses, lookup = lookUp } = settings.alertChannels;
    this.egress = { allowPrivateAddresses, allowHttp: allowPrivateAddresses, allowedPorts: 'any', lookup };
  }

  /** Returns the reason why a URL isn't allowed, or null if it is. */
  refusalOf(url: string): string | null {
    const parsed = URL.parse(url);
    return parsed === null ? 'it is not a URL' : urlRefusal(parsed, this.egress);
  }

  async send(delivery: ClaimedDelivery, signal: AbortSignal): Promise<SentAttempt> {
    try {
      const target = this.channels.targetOf(delivery.channel_id, delivery);
      if ('url' in target) return await this.post(target.url, delivery, signal);
      return await this.sendMail(target.addresses, delivery, signal);
    } catch (error) {
      if (delivery.kind === 'email') this.logger.warn({ err: error }, 'an alert could not be sent by e-mail');
      const text = error instanceof GuardedFetchError ? faultText(error) : errorMessage(error);
      return {
        status: null,
        error: text.slice(0, MAX_ERROR_LENGTH),
        isAnswered: false,
        isTried: !(error instanceof MailInterruptedError),
        retryAfterSeconds: null,
        isGone: false,
        left: pendingOf(delivery.left_addresses),
      };
    }
  }

  /** Sends a separate mail to each confirmed recipient, so they can't see each other's addresses. */
  private async sendMail(
    addresses: readonly string[],
    delivery: ClaimedDelivery,
    ending: AbortSignal,
  ): Promise<SentAttempt> {
    const { id, message, left_addresses: left } = delivery;
    const attempt = { status: null, error: null, isAnswered: true, isTried: true, isGone: false, left: null };
    const confirmed = await this.recipients.confirmed(delivery.project_id, addresses);
    // Starts from the channel's addresses, because some of those left may have been removed from it.
    const to = addresses.filter(
      (address) => confirmed.has(address.toLowerCase()) && (left === null || left.includes(address)),
    );
    if (confirmed.size === 0) {
      const error = 'No recipient has confirmed that they want alerts.';
      return { ...attempt, error, left: { addresses: [...addresses], isFinal: true }, retryAfterSeconds: null };
    }
    const { allowed, retryAfterSeconds } = await this.limiter.take(MAILS, delivery.project_id, to.length, MAIL_LIMIT);
    if (!allowed)
      return { ...attempt, error: 'The project has sent too many mails.', retryAfterSeconds, left: pendingOf(left) };
    const isAsked = message.type === 'alert.test';
    const sent = await Promise.allSettled(
      to.map((address) => {
        const stopUrl = `${this.publicUrl}/api/mail-recipients/${confirmed.get(address.toLowerCase())}`;
        const mail = {
          id: `${id}.${hash('sha256', address).slice(0, 16)}`,
          to: [address],
          ...mailOf(message, stopUrl),
        };
        return this.mail.send(mail, { ending, isAsked });
      }),
    );
    const failure = sent.find((one) => one.status === 'rejected')?.reason as unknown;
    // Nobody has received it, so all are retried.
    if (failure !== undefined && sent.every(({ status }) => status === 'rejected')) throw failure;
    const refused = sent.flatMap((one, index) =>
      one.status === 'fulfilled' ? one.value : [{ address: to[index]!, isFinal: false }],
    );
    const names = refused.map(({ address }) => address).join(', ');
    const error =
      failure !== undefined ? errorMessage(failure) : names === '' ? null : `The mail server refused ${names}.`;
    return {
      ...attempt,
      error: error?.slice(0, MAX_ERROR_LENGTH) ?? null,
      retryAfterSeconds: null,
      left: left !== null || refused.length < to.length ? leftOf(refused) : null,
    };
  }

  private async post(url: string, delivery: ClaimedDelivery, signal: AbortSignal): Promise<SentAttempt> {
    // The setting may have changed since the channel was saved.
    const refusal = this.refusalOf(url);
    if (refusal !== null) throw new Error(`Nothing is sent there: ${refusal}.`);
    const { body, headers } = this.contentOf(delivery);
    const { status, headers: answer } = await fetchUnder(this.egress)(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
      isBodyDiscarded: true,
      isRedirectAllowed: true,
      signal,
    });
    const isDelivered = status >= 200 && status < 300;
    return {
      status,
      error: isDelivered ? null : `The receiver answered with status ${status}.`,
      isAnswered: true,
      isTried: true,
      retryAfterSeconds: retryAfterSeconds(answer['retry-after'], this.now()),
      // Slack and Discord respond with 404 after a webhook is deleted.
      isGone: status === 410 || (status === 404 && delivery.kind !== 'webhook'),
      left: null,
    };
  }

  private contentOf(delivery: ClaimedDelivery): { body: string; headers: Record<string, string> } {
    const { id, kind, message, created_at: createdAt, channel_id: channelId } = delivery;
    if (kind === 'slack') return { body: slackBody(message), headers: {} };
    if (kind === 'discord') return { body: discordBody(message), headers: {} };
    const body = webhookBody(message, createdAt);
    const now = this.now();
    const signatures = this.channels
      .secretsOf(channelId, delivery, now)
      .map((secret) => new Webhook(secret).sign(id, new Date(now), body));
    return {
      body,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now / 1_000)),
        'webhook-signature': signatures.join(' '),
      },
    };
  }
}

const pendingOf = (addresses: string[] | null): SentAttempt['left'] => addresses && { addresses, isFinal: false };

const leftOf = (refused: readonly RefusedAddress[]): SentAttempt['left'] =>
  refused.length === 0
    ? null
    : { addresses: refused.map(({ address }) => address), isFinal: refused.every(({ isFinal }) => isFinal) };

const faultText = (error: GuardedFetchError): string =>
  error.fault === 'timed_out'
    ? `The receiver did not respond within ${TIMEOUT_MS / 1_000} s.`
    : `The receiver cannot be reached: ${unreachedReason(error)}.`;

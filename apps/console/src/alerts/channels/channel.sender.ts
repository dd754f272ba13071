import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind, type RateLimit } from '#libs/cache';
import {
  createGuardedFetch,
  GuardedFetchError,
  getSafeReason,
  getUrlRejection,
  type EgressPolicy,
} from '#libs/evidence';
import { CLOCK, errorMessage, LOGGER, type Clock, type Logger } from '#libs/platform';
import { Webhook } from 'standardwebhooks';
import { lookUpAddresses } from '../../onboarding/site-request.js';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../console-settings.js';
import { buildDiscordBody, buildAlertMail, buildSlackBody, buildWebhookBody } from './alert-message.js';
import { ChannelsRepository } from './channels.repository.js';
import type { Attempt, ClaimedDelivery } from './deliveries.repository.js';
import { MailInterruptedError, MailSender, type RejectedAddress } from './mail.sender.js';
import { RecipientsRepository } from './recipients.repository.js';
import { retryAfterSeconds } from './retry-schedule.js';
import { PUBLIC_URL } from '../../public-url.js';

/** Timeout of a webhook request. Standard Webhooks recommends 15–30 s. */
const WEBHOOK_TIMEOUT_MS = 20_000;
/** Maximum size of a webhook response. The body is discarded. */
const MAX_RESPONSE_BYTES = 65_536;
const MAX_ERROR_LENGTH = 300;

/** Limit for alert emails per project: a burst of 200 recipients, then 2 per minute. */
const MAIL_BUCKET: BucketKind = { name: 'alert-mails', failsOpen: false };
const MAIL_LIMIT: RateLimit = { burst: 200, perSecond: 1 / 30 };

export interface SentAttempt extends Attempt {
  /**
   * Whether the message was actually sent. False if a shutdown interrupted sending, or if the email waited too long
   * behind others.
   */
  isTried: boolean;
  retryAfterSeconds: number | null;
  /** Whether the webhook was deleted on the receiver's side. */
  isGone: boolean;
}

/** Attempts a delivery once. `DeliveriesService` schedules retries. */
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
    const { allowPrivateAddresses, lookup = lookUpAddresses } = settings.alertChannels;
    this.egress = { allowPrivateAddresses, allowHttp: allowPrivateAddresses, allowedPorts: 'any', lookup };
  }

  /** Returns the reason a webhook URL is rejected, or null if it is allowed. */
  getUrlRejection(url: string): string | null {
    const parsed = URL.parse(url);
    return parsed === null ? 'it is not a URL' : getUrlRejection(parsed, this.egress);
  }

  async send(delivery: ClaimedDelivery, signal: AbortSignal): Promise<SentAttempt> {
    try {
      const target = this.channels.openTarget(delivery.channel_id, delivery);
      if ('url' in target) return await this.postWebhook(target.url, delivery, signal);
      return await this.sendMail(target.addresses, delivery, signal);
    } catch (error) {
      if (delivery.kind === 'email') this.logger.warn({ err: error }, 'failed to send an alert by email');
      const text = error instanceof GuardedFetchError ? toErrorText(error) : errorMessage(error);
      return {
        status: null,
        error: text.slice(0, MAX_ERROR_LENGTH),
        isAnswered: false,
        isTried: !(error instanceof MailInterruptedError),
        retryAfterSeconds: null,
        isGone: false,
        left: toRetriableRecipients(delivery.left_addresses),
      };
    }
  }

  /** Sends a separate email to each confirmed recipient, so recipients can't see each other's addresses. */
  private async sendMail(
    addresses: readonly string[],
    delivery: ClaimedDelivery,
    shutdownSignal: AbortSignal,
  ): Promise<SentAttempt> {
    const { id, message, left_addresses: left } = delivery;
    const attempt = { status: null, error: null, isAnswered: true, isTried: true, isGone: false, left: null };
    const confirmed = await this.recipients.loadConfirmedSecrets(delivery.project_id, addresses);
    // Skip addresses that have since been removed from the channel.
    const to = addresses.filter(
      (address) => confirmed.has(address.toLowerCase()) && (left === null || left.includes(address)),
    );
    if (confirmed.size === 0) {
      const error = 'No recipient has confirmed that they want to receive alerts.';
      return { ...attempt, error, left: { addresses: [...addresses], isFinal: true }, retryAfterSeconds: null };
    }
    const { allowed, retryAfterSeconds } = await this.limiter.take(
      MAIL_BUCKET,
      delivery.project_id,
      to.length,
      MAIL_LIMIT,
    );
    if (!allowed)
      return {
        ...attempt,
        error: 'The project has sent too many emails.',
        retryAfterSeconds,
        left: toRetriableRecipients(left),
      };
    const isUserWaiting = message.type === 'alert.test';
    const sent = await Promise.allSettled(
      to.map((address) => {
        const stopUrl = `${this.publicUrl}/api/mail-recipients/${confirmed.get(address.toLowerCase())}`;
        const mail = {
          id: `${id}.${hash('sha256', address).slice(0, 16)}`,
          to: [address],
          ...buildAlertMail(message, stopUrl),
        };
        return this.mail.send(mail, { shutdownSignal, isUserWaiting });
      }),
    );
    const failure = sent.find((one) => one.status === 'rejected')?.reason as unknown;
    // If no recipient has received the email, the entire attempt has failed and is repeated for all recipients.
    if (failure !== undefined && sent.every(({ status }) => status === 'rejected')) throw failure;
    const rejected = sent.flatMap((one, index) =>
      one.status === 'fulfilled' ? one.value : [{ address: to[index]!, isFinal: false }],
    );
    const rejectedAddresses = rejected.map(({ address }) => address).join(', ');
    const error =
      failure !== undefined
        ? errorMessage(failure)
        : rejectedAddresses === ''
          ? null
          : `The mail server rejected ${rejectedAddresses}.`;
    return {
      ...attempt,
      error: error?.slice(0, MAX_ERROR_LENGTH) ?? null,
      retryAfterSeconds: null,
      left: left !== null || rejected.length < to.length ? toPendingRecipients(rejected) : null,
    };
  }

  private async postWebhook(url: string, delivery: ClaimedDelivery, signal: AbortSignal): Promise<SentAttempt> {
    // The egress settings may have changed since the channel was saved.
    const rejectionReason = this.getUrlRejection(url);
    if (rejectionReason !== null) throw new Error(`The URL is not allowed: ${rejectionReason}.`);
    const { body, headers } = this.buildContent(delivery);
    const { status, headers: responseHeaders } = await createGuardedFetch(this.egress)(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
      maxBytes: MAX_RESPONSE_BYTES,
      timeoutMs: WEBHOOK_TIMEOUT_MS,
      isBodyDiscarded: true,
      isRedirectAllowed: true,
      signal,
    });
    const isDelivered = status >= 200 && status < 300;
    return {
      status,
      error: isDelivered ? null : `The receiver responded with status ${status}.`,
      isAnswered: true,
      isTried: true,
      retryAfterSeconds: retryAfterSeconds(responseHeaders['retry-after'], this.now()),
      // Slack and Discord respond with 404 once a webhook is deleted.
      isGone: status === 410 || (status === 404 && delivery.kind !== 'webhook'),
      left: null,
    };
  }

  private buildContent(delivery: ClaimedDelivery): { body: string; headers: Record<string, string> } {
    const { id, kind, message, created_at: createdAt, channel_id: channelId } = delivery;
    if (kind === 'slack') return { body: buildSlackBody(message), headers: {} };
    if (kind === 'discord') return { body: buildDiscordBody(message), headers: {} };
    const body = buildWebhookBody(message, createdAt);
    const now = this.now();
    const signatures = this.channels
      .openSigningSecrets(channelId, delivery, now)
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

const toRetriableRecipients = (addresses: string[] | null): SentAttempt['left'] =>
  addresses && { addresses, isFinal: false };

const toPendingRecipients = (rejected: readonly RejectedAddress[]): SentAttempt['left'] =>
  rejected.length === 0
    ? null
    : { addresses: rejected.map(({ address }) => address), isFinal: rejected.every(({ isFinal }) => isFinal) };

const toErrorText = (error: GuardedFetchError): string =>
  error.fault === 'timed_out'
    ? `The receiver did not respond within ${WEBHOOK_TIMEOUT_MS / 1_000} s.`
    : `The receiver is unreachable: ${getSafeReason(error)}.`;

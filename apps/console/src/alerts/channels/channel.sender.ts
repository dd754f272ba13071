import { Inject, Injectable } from '@nestjs/common';
import { fetchUnder, GuardedFetchError, unreachedReason, urlRefusal, type EgressPolicy } from '#libs/evidence';
import { CLOCK, errorMessage, LOGGER, type Clock, type Logger } from '#libs/platform';
import { Webhook } from 'standardwebhooks';
import { lookUp, type SitePolicy } from '../../connecting/site-request.js';
import { discordBody, mailOf, slackBody, webhookBody } from './alert-message.js';
import { ChannelsRepository } from './channels.repository.js';
import type { Attempt, ClaimedDelivery } from './deliveries.repository.js';
import { MailInterruptedError, MailSender, type RefusedAddress } from './mail.sender.js';
import { retryAfterSeconds } from './retry-schedule.js';

/** Injection token of a {@link SitePolicy}: where channels may send to. */
export const CHANNEL_POLICY = Symbol('where channels of alerts may send to');

/** Standard Webhooks says 15 to 30 s. */
const TIMEOUT_MS = 20_000;
/** Of an answer, which nobody looks at. */
const MAX_ANSWER_BYTES = 65_536;
const MAX_ERROR_LENGTH = 300;

export interface SentAttempt extends Attempt {
  /** False where others kept it from its turn, or the end of the process from its end. */
  isTried: boolean;
  retryAfterSeconds: number | null;
  /** Whether the receiver says that it is gone for good. */
  isGone: boolean;
}

/** Makes one attempt to deliver. */
@Injectable()
export class ChannelSender {
  private readonly egress: EgressPolicy;

  constructor(
    private readonly channels: ChannelsRepository,
    private readonly mail: MailSender,
    @Inject(CHANNEL_POLICY) { allowPrivateAddresses, lookup = lookUp }: SitePolicy,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.egress = { allowPrivateAddresses, allowHttp: allowPrivateAddresses, allowedPorts: 'any', lookup };
  }

  /** Why nothing is ever sent to a URL; null where it may be. */
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
      const { left_addresses: addresses } = delivery;
      return {
        status: null,
        error: text.slice(0, MAX_ERROR_LENGTH),
        isAnswered: false,
        isTried: !(error instanceof MailInterruptedError),
        retryAfterSeconds: null,
        isGone: false,
        left: addresses && { addresses, isFinal: false },
      };
    }
  }

  private async sendMail(
    addresses: readonly string[],
    delivery: ClaimedDelivery,
    ending: AbortSignal,
  ): Promise<SentAttempt> {
    const { id, message, left_addresses: left } = delivery;
    // An address may have been removed from the channel since.
    const to = left === null ? addresses : addresses.filter((address) => left.includes(address));
    const isAsked = message.type === 'alert.test';
    const refused = to.length === 0 ? [] : await this.mail.send({ id, to, ...mailOf(message) }, { ending, isAsked });
    const names = refused.map(({ address }) => address).join(', ');
    return {
      status: null,
      error: refused.length === 0 ? null : `The mail server refused ${names}.`.slice(0, MAX_ERROR_LENGTH),
      isAnswered: true,
      isTried: true,
      retryAfterSeconds: null,
      isGone: false,
      left: left !== null || refused.length < to.length ? leftOf(refused) : null,
    };
  }

  private async post(url: string, delivery: ClaimedDelivery, signal: AbortSignal): Promise<SentAttempt> {
    // Settings may have changed since the channel was saved.
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
      // Slack and Discord answer 404 where a webhook was removed.
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

const leftOf = (refused: readonly RefusedAddress[]): SentAttempt['left'] =>
  refused.length === 0
    ? null
    : { addresses: refused.map(({ address }) => address), isFinal: refused.every(({ isFinal }) => isFinal) };

const faultText = (error: GuardedFetchError): string =>
  error.fault === 'timed_out'
    ? `The receiver did not respond within ${TIMEOUT_MS / 1_000} s.`
    : `The receiver cannot be reached: ${unreachedReason(error)}.`;

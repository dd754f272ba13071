import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind } from '#libs/cache';
import { MAX_ALERT_CHANNELS, type AlertDelivery } from '#libs/contracts';
import { CLOCK, LOGGER, PeriodicService, recordDeed, tooManyRequests, type Clock, type Logger } from '#libs/platform';
import { Counter } from 'prom-client';
import { PUBLIC_URL } from '../../public-url.js';
import type { AlertMessage } from './alert-message.js';
import { ChannelSender, type SentAttempt } from './channel.sender.js';
import { DeliveriesRepository, type AfterFailure, type ClaimedDelivery } from './deliveries.repository.js';
import { MAX_ATTEMPTS, retryDelayMs } from './retry-schedule.js';

const LOOK_INTERVAL_MS = 3_000;
const CLEAN_INTERVAL_MS = 3_600_000;
const MAX_CONCURRENT = 50;

/** Tests and replays. Without a limit, they could flood somebody else's server. */
const ASKED: BucketKind = { name: 'alert-attempts', failsOpen: false };
/** Messages per project: 2 for each channel that it can have, then 4 per minute. */
const ASKED_LIMIT = { burst: 2 * MAX_ALERT_CHANNELS, perSecond: 1 / 15 };

const attempts = new Counter({
  name: 'agent_traffic_console_alert_attempts_total',
  help: 'Attempts to deliver alerts, by kind of channel',
  labelNames: ['kind', 'outcome'],
});

/** Delivers queued messages. Processes share the work. */
@Injectable()
export class DeliveriesService extends PeriodicService {
  private cleanedAt = 0;

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly sender: ChannelSender,
    private readonly limiter: RateLimiter,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, LOOK_INTERVAL_MS, 'alerts are not delivered; it is tried again soon');
  }

  protected round(): Promise<void> {
    return this.deliverDue();
  }

  /** Attempts all due deliveries. Slow receivers don't block the others. */
  async deliverDue(): Promise<void> {
    const underWay = new Set<Promise<void>>();
    const failures: unknown[] = [];
    try {
      while (!this.closing.aborted && failures.length === 0) {
        const free = MAX_CONCURRENT - underWay.size;
        const claimed = free === 0 ? [] : await this.deliveries.claim(this.now(), free);
        for (const delivery of claimed) {
          const attempt: Promise<void> = this.attempt(delivery)
            .catch((error: unknown) => void failures.push(error))
            .finally(() => underWay.delete(attempt));
          underWay.add(attempt);
        }
        if (underWay.size === 0) break;
        // Also wakes up regularly, because more may have become due.
        await Promise.race([...underWay, sleep(LOOK_INTERVAL_MS, undefined, { ref: false })]);
      }
    } finally {
      await Promise.all(underWay);
    }
    if (failures.length > 0) throw failures[0];
    if (this.closing.aborted) return;
    if (this.now() - this.cleanedAt < CLEAN_INTERVAL_MS) return;
    this.cleanedAt = this.now();
    await this.deliveries.deleteOld(this.now());
  }

  /**
   * Sends a test message, without retries.
   *
   * @returns undefined if the channel doesn't exist.
   * @throws ProblemError 429 after too many tests and replays.
   */
  async test(channelId: string, project: AlertMessage['project']): Promise<AlertDelivery | undefined> {
    await this.limit(project.id, await this.deliveries.recipients(project.id, { channelId }));
    const message: AlertMessage = {
      type: 'alert.test',
      project,
      title: 'Test of this channel',
      lines: ['If you can read this, alerts of the project arrive here.'],
      url: alertsUrl(this.publicUrl, project.id),
    };
    await recordDeed();
    const delivery = await this.deliveries.claimNew(channelId, message, this.now());
    if (delivery === undefined) return undefined;
    await this.attempt(delivery, 'nothing');
    return (await this.deliveries.list(project.id, delivery.id))[0];
  }

  /**
   * Queues a finished delivery again.
   *
   * @returns false if it doesn't exist or isn't finished, or its channel is disabled.
   * @throws ProblemError 429 after too many tests and replays.
   */
  async replay(projectId: string, id: string): Promise<boolean> {
    await this.limit(projectId, await this.deliveries.recipients(projectId, { deliveryId: id }));
    return this.deliveries.replay(projectId, id, this.now());
  }

  private async limit(projectId: string, messages: number): Promise<void> {
    const { allowed, retryAfterSeconds } = await this.limiter.take(ASKED, projectId, messages, ASKED_LIMIT);
    if (!allowed)
      throw tooManyRequests(`Too many tests and repetitions. Try again in ${retryAfterSeconds} s.`, retryAfterSeconds);
  }

  private async attempt(delivery: ClaimedDelivery, afterFailure?: 'nothing'): Promise<void> {
    if (this.closing.aborted) return this.deliveries.release(delivery);
    const attempt = await this.sender.send(delivery, this.closing);
    // A request aborted by a shutdown doesn't count against the receiver. For mails, `isTried` covers this.
    const isCutOff = this.closing.aborted && !attempt.isAnswered && delivery.kind !== 'email';
    // Untried attempts are repeated later. Tests are recorded instead, because somebody is waiting for the result.
    if (isCutOff || (!attempt.isTried && afterFailure === undefined)) return this.deliveries.release(delivery);
    attempts.inc({ kind: delivery.kind, outcome: attempt.error === null ? 'delivered' : 'failed' });
    const { project_id: projectId, message } = delivery;
    await this.deliveries.settle(delivery, attempt, {
      at: new Date(this.now()),
      after: afterFailure ?? this.after(delivery, attempt),
      notice: (name, reason) => ({
        type: 'channel.disabled',
        project: message.project,
        title: `The channel "${name}" was turned off`,
        lines: [reason, 'Repair it, then turn it on again in the settings of the project.'],
        url: alertsUrl(this.publicUrl, projectId),
      }),
    });
  }

  private after({ attempts: before }: ClaimedDelivery, attempt: SentAttempt): AfterFailure {
    if (attempt.error === null) return 'nothing';
    if (attempt.isGone) return { disables: `The receiver says that it is gone (status ${attempt.status}).` };
    // Other recipients have it, so the channel works. The delivery shows the error.
    if (attempt.left?.isFinal) return 'nothing';
    const delay = retryDelayMs(before + 1, attempt.retryAfterSeconds, Math.random());
    if (delay === null && attempt.left !== null) return 'nothing';
    if (delay === null) return { disables: `${MAX_ATTEMPTS} attempts failed. ${attempt.error}` };
    return { nextAttemptAt: new Date(this.now() + delay) };
  }
}

export const alertsUrl = (publicUrl: string, projectId: string): string => `${publicUrl}/projects/${projectId}/alerts`;

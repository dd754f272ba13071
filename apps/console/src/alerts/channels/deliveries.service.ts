import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind } from '#libs/cache';
import { MAX_ALERT_CHANNELS, type AlertDelivery } from '#libs/contracts';
import {
  CLOCK,
  LOGGER,
  PeriodicService,
  recordAuditEntry,
  tooManyRequests,
  type Clock,
  type Logger,
} from '#libs/platform';
import { Counter } from 'prom-client';
import { PUBLIC_URL } from '../../public-url.js';
import type { AlertMessage } from './alert-message.js';
import { ChannelSender, type SentAttempt } from './channel.sender.js';
import { DeliveriesRepository, type AfterFailure, type ClaimedDelivery } from './deliveries.repository.js';
import { MAX_ATTEMPTS, retryDelayMs } from './retry-schedule.js';

const POLL_INTERVAL_MS = 3_000;
const CLEANUP_INTERVAL_MS = 3_600_000;
const MAX_CONCURRENT_ATTEMPTS = 50;

/** Rate limit for tests and replays. Without it, users could flood someone else's server. */
const MANUAL_ATTEMPT_BUCKET: BucketKind = { name: 'alert-attempts', failsOpen: false };
/** Messages per project: a burst of 2 for each possible channel, then 4 per minute. */
const MANUAL_ATTEMPT_LIMIT = { burst: 2 * MAX_ALERT_CHANNELS, perSecond: 1 / 15 };

const attempts = new Counter({
  name: 'agent_traffic_console_alert_attempts_total',
  help: 'Number of attempts to deliver alerts, by channel kind and outcome',
  labelNames: ['kind', 'outcome'],
});

/** Delivers queued alert messages. Several processes can run it concurrently. */
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
    super(logger, POLL_INTERVAL_MS, 'failed to deliver alerts; retrying soon');
  }

  protected runRound(): Promise<void> {
    return this.deliverDue();
  }

  /** Attempts all due deliveries. Slow receivers don't delay the others. */
  async deliverDue(): Promise<void> {
    const inFlight = new Set<Promise<void>>();
    const failures: unknown[] = [];
    try {
      while (!this.shutdownSignal.aborted && failures.length === 0) {
        const freeSlots = MAX_CONCURRENT_ATTEMPTS - inFlight.size;
        const claimed = freeSlots === 0 ? [] : await this.deliveries.claim(this.now(), freeSlots);
        for (const delivery of claimed) {
          const attempt: Promise<void> = this.attempt(delivery)
            .catch((error: unknown) => void failures.push(error))
            .finally(() => inFlight.delete(attempt));
          inFlight.add(attempt);
        }
        if (inFlight.size === 0) break;
        // Wait until an attempt is finished, but not too long, because more deliveries may be due in the meantime.
        await Promise.race([...inFlight, sleep(POLL_INTERVAL_MS, undefined, { ref: false })]);
      }
    } finally {
      await Promise.all(inFlight);
    }
    if (failures.length > 0) throw failures[0];
    if (this.shutdownSignal.aborted) return;
    if (this.now() - this.cleanedAt < CLEANUP_INTERVAL_MS) return;
    this.cleanedAt = this.now();
    await this.deliveries.deleteOld(this.now());
  }

  /**
   * Sends a test message without retries, and returns the result.
   *
   * @returns Undefined if the channel doesn't exist.
   * @throws {ProblemError} 429 after too many tests and replays.
   */
  async test(channelId: string, project: AlertMessage['project']): Promise<AlertDelivery | undefined> {
    await this.limit(project.id, await this.deliveries.countRecipients(project.id, { channelId }));
    const message: AlertMessage = {
      type: 'alert.test',
      project,
      title: 'Test message',
      lines: ['This channel works. It will receive the alerts of this project.'],
      url: alertsUrl(this.publicUrl, project.id),
    };
    await recordAuditEntry();
    const delivery = await this.deliveries.claimNew(channelId, message, this.now());
    if (delivery === undefined) return undefined;
    await this.attempt(delivery, 'nothing');
    return (await this.deliveries.list(project.id, delivery.id))[0];
  }

  /**
   * Queues a finished delivery again.
   *
   * @returns False if the delivery doesn't exist or isn't finished, or if its channel is disabled.
   * @throws {ProblemError} 429 after too many tests and replays.
   */
  async replay(projectId: string, id: string): Promise<boolean> {
    await this.limit(projectId, await this.deliveries.countRecipients(projectId, { deliveryId: id }));
    return this.deliveries.replay(projectId, id, this.now());
  }

  private async limit(projectId: string, messages: number): Promise<void> {
    const { allowed, retryAfterSeconds } = await this.limiter.take(
      MANUAL_ATTEMPT_BUCKET,
      projectId,
      messages,
      MANUAL_ATTEMPT_LIMIT,
    );
    if (!allowed)
      throw tooManyRequests(`Too many tests and replays. Try again in ${retryAfterSeconds} s.`, retryAfterSeconds);
  }

  private async attempt(delivery: ClaimedDelivery, afterFailure?: 'nothing'): Promise<void> {
    if (this.shutdownSignal.aborted) return this.deliveries.release(delivery);
    const attempt = await this.sender.send(delivery, this.shutdownSignal);
    // A request that was aborted because of the shutdown isn't the receiver's fault. For email, `isTried` is false in
    // this case.
    const isAborted = this.shutdownSignal.aborted && !attempt.isAnswered && delivery.kind !== 'email';
    // Interrupted attempts are repeated later. Tests are recorded anyway, because the user is waiting for the result.
    if (isAborted || (!attempt.isTried && afterFailure === undefined)) return this.deliveries.release(delivery);
    attempts.inc({ kind: delivery.kind, outcome: attempt.error === null ? 'delivered' : 'failed' });
    const { project_id: projectId, message } = delivery;
    await this.deliveries.settle(delivery, attempt, {
      at: new Date(this.now()),
      after: afterFailure ?? this.getActionAfter(delivery, attempt),
      notice: (name, reason) => ({
        type: 'channel.disabled',
        project: message.project,
        title: `The channel "${name}" was turned off`,
        lines: [reason, 'Fix the problem, then turn the channel back on in the project settings.'],
        url: alertsUrl(this.publicUrl, projectId),
      }),
    });
  }

  private getActionAfter({ attempts: previousAttempts }: ClaimedDelivery, attempt: SentAttempt): AfterFailure {
    if (attempt.error === null) return 'nothing';
    if (attempt.isGone) return { disables: `The receiver no longer exists (status ${attempt.status}).` };
    // Other recipients received the message, so the channel works. The error is only recorded with the delivery.
    if (attempt.left?.isFinal) return 'nothing';
    const delay = retryDelayMs(previousAttempts + 1, attempt.retryAfterSeconds, Math.random());
    if (delay === null && attempt.left !== null) return 'nothing';
    if (delay === null) return { disables: `${MAX_ATTEMPTS} attempts failed. ${attempt.error}` };
    return { nextAttemptAt: new Date(this.now() + delay) };
  }
}

export const alertsUrl = (publicUrl: string, projectId: string): string => `${publicUrl}/projects/${projectId}/alerts`;

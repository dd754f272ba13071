import { Inject, Injectable } from '@nestjs/common';
import { PipelineQueue } from '#libs/bus';
import { CONSUMER_GROUPS, TOPICS } from '#libs/contracts';
import { CLOCK, LOGGER, type Clock, type Logger } from '#libs/platform';
import pTimeout from 'p-timeout';
import { AlertEvaluationRepository } from './evaluation.repository.js';

/** Timeout of a query to the queue. */
const QUEUE_TIMEOUT_MS = 10_000;
/** Typical upper limit for the time between receiving and storing a visit. */
const TYPICAL_LATENCY_MS = 60_000;
/** After a backlog, visits may still be delayed for this long. */
const CATCH_UP_MS = 120_000;
/**
 * Maximum age of a quarter hour at its first check. Each one is normally checked right after it ends, so an older one
 * means that the process was down.
 */
const MAX_DUE_AGE_MS = 15 * 60_000;
const WARN_INTERVAL_MS = 3_600_000;

interface Progress {
  until: number;
  sentBy: number | null;
  identifiedBy: number | null;
}

/** Checks whether visits are counted, so an outage of Kafka or ingest isn't mistaken for a lack of visits. */
export abstract class CountedVisits {
  /** Returns whether all visits received before a time are counted. Returns true if the queue is unavailable. */
  abstract areComplete(until: number): Promise<boolean>;
}

/** Implementation for a single process, which counts visits before it acknowledges them. */
@Injectable()
export class ImmediatelyCountedVisits extends CountedVisits {
  override areComplete(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

/** Implementation for Kafka, whose consumers count visits asynchronously. */
@Injectable()
export class QueuedVisits extends CountedVisits {
  /**
   * Progress toward the last checked time. `sentBy` is when all visits up to that time had been sent to Kafka, and
   * `identifiedBy` is when all of them had been identified.
   */
  private progress: Progress = { until: -Infinity, sentBy: null, identifiedBy: null };
  private lastIncompleteAt = -Infinity;
  private warnedAt = -Infinity;

  constructor(
    private readonly evaluation: AlertEvaluationRepository,
    private readonly queue: PipelineQueue,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  override async areComplete(until: number): Promise<boolean> {
    if (await this.checkProgress(until)) return true;
    const now = this.now();
    if (now - this.lastIncompleteAt > CATCH_UP_MS || now - this.warnedAt >= WARN_INTERVAL_MS) {
      this.logger.warn(
        { until: new Date(until) },
        'visits are waiting to be counted; alert evaluation is delayed until then',
      );
      this.warnedAt = now;
    }
    this.lastIncompleteAt = now;
    return false;
  }

  private async checkProgress(until: number): Promise<boolean> {
    const isFirst = this.progress.until !== until;
    if (isFirst) this.progress = { until, sentBy: null, identifiedBy: null };
    // Some visits are always in flight, so don't wait for the ones from the last minute unless there has been a
    // backlog.
    const isWithoutBacklog =
      isFirst && this.now() - this.lastIncompleteAt > CATCH_UP_MS && this.now() - until < MAX_DUE_AGE_MS;
    if (this.progress.sentBy === null) {
      if (await this.evaluation.isWaitingForKafka(new Date(until))) return false;
      // In Kafka, the timestamp of a visit from the outbox is the time it was forwarded. So after a backlog, wait for
      // everything that has been forwarded up to now.
      this.progress.sentBy = isWithoutBacklog ? until : this.now();
    }
    if (this.progress.identifiedBy === null) {
      if (!(await this.hasHandled(TOPICS.visitsReceived, CONSUMER_GROUPS.enrichment, this.progress.sentBy)))
        return false;
      this.progress.identifiedBy = isWithoutBacklog ? this.now() - TYPICAL_LATENCY_MS : this.now();
    }
    return this.hasHandled(TOPICS.visitsEnriched, CONSUMER_GROUPS.ingest, this.progress.identifiedBy);
  }

  /**
   * Returns whether the group has handled all messages up to a time. Returns true if the queue doesn't respond, because
   * visits then wait in the outbox, which has already been checked.
   */
  private async hasHandled(topic: string, group: string, before: number): Promise<boolean> {
    try {
      return await pTimeout(this.queue.hasHandled(topic, group, before), { milliseconds: QUEUE_TIMEOUT_MS });
    } catch (error) {
      this.logger.debug({ err: error }, 'failed to query the queue for waiting visits');
      return true;
    }
  }
}

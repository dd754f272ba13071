import { Inject, Injectable } from '@nestjs/common';
import { PipelineQueue } from '#libs/bus';
import { CONSUMER_GROUPS, TOPICS } from '#libs/contracts';
import { CLOCK, LOGGER, type Clock, type Logger } from '#libs/platform';
import pTimeout from 'p-timeout';
import { AlertEvaluationRepository } from './evaluation.repository.js';

/** Maximum wait for an answer from the queue. */
const TIMEOUT_MS = 10_000;
/** Usual maximum time from receiving a visit to storing it. */
const USUAL_MS = 60_000;
/** Time after a backlog during which later visits may still be catching up. */
const CATCHING_UP_MS = 120_000;
/** Maximum age of a time to check, unless a process was down. */
const DUE_MS = 15 * 60_000;
const WARN_INTERVAL_MS = 3_600_000;

interface Known {
  until: number;
  sentBy: number | null;
  identifiedBy: number | null;
}

/** Checks that visits have been counted, so an outage of Kafka or ingest doesn't look like sites without visits. */
export abstract class CountedVisits {
  /** Returns whether all visits received before a time are counted, as far as the queue knows. */
  abstract areComplete(until: number): Promise<boolean>;
}

/** For a single process, which counts visits before it acknowledges their report. */
@Injectable()
export class ImmediatelyCountedVisits extends CountedVisits {
  override areComplete(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

/** For Kafka, whose consumers count visits. */
@Injectable()
export class QueuedVisits extends CountedVisits {
  /**
   * Progress of the last checked time. `sentBy` is when all its visits were in Kafka, `identifiedBy` when all were
   * identified.
   */
  private known: Known = { until: -Infinity, sentBy: null, identifiedBy: null };
  private waitedAt = -Infinity;
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
    if (await this.look(until)) return true;
    const now = this.now();
    if (now - this.waitedAt > CATCHING_UP_MS || now - this.warnedAt >= WARN_INTERVAL_MS) {
      this.logger.warn({ until: new Date(until) }, 'visits wait to be counted; alerts are evaluated once they are');
      this.warnedAt = now;
    }
    this.waitedAt = now;
    return false;
  }

  private async look(until: number): Promise<boolean> {
    const isFirst = this.known.until !== until;
    if (isFirst) this.known = { until, sentBy: null, identifiedBy: null };
    // Some visits are always in flight. Outside of a backlog, ignore those of the last minute.
    const isUsual = isFirst && this.now() - this.waitedAt > CATCHING_UP_MS && this.now() - until < DUE_MS;
    if (this.known.sentBy === null) {
      if (await this.evaluation.isWaitingForKafka(new Date(until))) return false;
      // Kafka's timestamp of a visit from the outbox is when it was sent, not when it was received.
      this.known.sentBy = isUsual ? until : this.now();
    }
    if (this.known.identifiedBy === null) {
      if (!(await this.hasHandled(TOPICS.visitsReceived, CONSUMER_GROUPS.enrichment, this.known.sentBy))) return false;
      this.known.identifiedBy = isUsual ? this.now() - USUAL_MS : this.now();
    }
    return this.hasHandled(TOPICS.visitsEnriched, CONSUMER_GROUPS.ingest, this.known.identifiedBy);
  }

  /** Returns true if the queue doesn't respond. Visits then wait in the outbox, which `look` checks first. */
  private async hasHandled(topic: string, group: string, before: number): Promise<boolean> {
    try {
      return await pTimeout(this.queue.hasHandled(topic, group, before), { milliseconds: TIMEOUT_MS });
    } catch (error) {
      this.logger.debug({ err: error }, 'the queue does not say whether visits wait');
      return true;
    }
  }
}

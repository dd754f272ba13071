import { Inject, Injectable } from '@nestjs/common';
import { PipelineQueue } from '#libs/bus';
import { CONSUMER_GROUPS, TOPICS } from '#libs/contracts';
import { CLOCK, LOGGER, type Clock, type Logger } from '#libs/platform';
import pTimeout from 'p-timeout';
import { AlertEvaluationRepository } from './evaluation.repository.js';

/** For the queue to answer. */
const TIMEOUT_MS = 10_000;
/** What takes longer from receipt to storage has waited. */
const USUAL_MS = 60_000;
/** After visits waited, what follows them is not taken for counted before it is. */
const CATCHING_UP_MS = 120_000;
/** A time that is asked about later than that follows an outage, of this process or another. */
const DUE_MS = 15 * 60_000;
const WARN_INTERVAL_MS = 3_600_000;

interface Known {
  until: number;
  sentBy: number | null;
  identifiedBy: number | null;
}

/**
 * Checks whether visits are counted. Otherwise, an outage of Kafka or ingest would look as if sites reported nothing.
 */
export abstract class CountedVisits {
  /** Whether visits received until a time are counted, as far as the queue knows. If not, ask again later. */
  abstract areComplete(until: number): Promise<boolean>;
}

/** In a single process, visits are counted before their report is acknowledged. */
@Injectable()
export class ImmediatelyCountedVisits extends CountedVisits {
  override areComplete(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

/** Visits that are counted by consumers of Kafka. */
@Injectable()
export class QueuedVisits extends CountedVisits {
  /** Of the time that was asked about last: when its visits were known to be with Kafka, and to be identified. */
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
    // Something is always under way, so what came in the last minute doesn't count, unless something has waited.
    const isUsual = isFirst && this.now() - this.waitedAt > CATCHING_UP_MS && this.now() - until < DUE_MS;
    if (this.known.sentBy === null) {
      if (await this.evaluation.isWaitingForKafka(new Date(until))) return false;
      // To Kafka, what the outbox has sent on is of when it did.
      this.known.sentBy = isUsual ? until : this.now();
    }
    if (this.known.identifiedBy === null) {
      if (!(await this.hasHandled(TOPICS.visitsReceived, CONSUMER_GROUPS.enrichment, this.known.sentBy))) return false;
      this.known.identifiedBy = isUsual ? this.now() - USUAL_MS : this.now();
    }
    return this.hasHandled(TOPICS.visitsEnriched, CONSUMER_GROUPS.ingest, this.known.identifiedBy);
  }

  /** Where the queue does not answer, new visits wait in the database, which says so. */
  private async hasHandled(topic: string, group: string, before: number): Promise<boolean> {
    try {
      return await pTimeout(this.queue.hasHandled(topic, group, before), { milliseconds: TIMEOUT_MS });
    } catch (error) {
      this.logger.debug({ err: error }, 'the queue does not say whether visits wait');
      return true;
    }
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { OK, TransientError, type Outcome, type ReceivedMessage } from '#libs/bus';
import { PubSub } from '#libs/cache';
import { RECEIVED_HEADERS, timeOfId, visitsChannel } from '#libs/contracts';
import { isPermanent, sqlState } from '#libs/database';
import { errorMessage, LOGGER, traceIdOf, type Logger } from '#libs/platform';
import { dayOf, PartitionsRepository } from './partitions.repository.js';
import { RetentionSetting } from './retention-setting.service.js';
import { visitRow, type VisitRow } from './steps/visit-row.step.js';
import { VisitsRepository } from './visits.repository.js';

/** SQLSTATE of a row that fits no partition: somebody dropped it since it was seen. */
const NO_PARTITION = '23514';

interface Item {
  place: number;
  row: VisitRow;
}

/** visits.enriched → rows → make sure of the partitions → store and count → tell who watches. */
@Injectable()
export class IngestPipeline {
  constructor(
    private readonly visits: VisitsRepository,
    private readonly partitions: PartitionsRepository,
    private readonly pubSub: PubSub,
    @Inject(RetentionSetting) private readonly retention: Pick<RetentionSetting, 'days'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(messages: readonly ReceivedMessage[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = messages.map(() => OK);
    const items: Item[] = [];
    const now = Date.now();
    for (const [place, message] of messages.entries()) {
      const row = visitRow(message, now, this.retention.days);
      if ('kind' in row) outcomes[place] = row;
      else items.push({ place, row });
    }
    if (items.length === 0) return outcomes;
    try {
      await this.partitions.ensure(new Set(items.map(({ row }) => dayOf(timeOfId(row.id)))));
      const projects = await this.store(items, outcomes);
      for (const projectId of projects) this.announce(projectId);
      this.logTraces(messages);
    } catch (error) {
      if (sqlState(error) === NO_PARTITION) this.partitions.forget();
      throw new TransientError('the database does not take the visits', { cause: error });
    }
    return outcomes;
  }

  /** Stores what can be stored: a row the database refuses for good is found by halving and left to the dead letters. */
  private async store(items: readonly Item[], outcomes: Outcome[]): Promise<Set<string>> {
    try {
      return new Set(await this.visits.store(items.map(({ row }) => row)));
    } catch (error) {
      if (!isPermanent(error) || sqlState(error) === NO_PARTITION) throw error;
      if (items.length === 1) {
        const { place } = items[0]!;
        const detail = `${sqlState(error)}: ${errorMessage(error)}`;
        outcomes[place] = { kind: 'dead-letter', reason: 'refused_by_database', detail, step: 'ingest:store' };
        return new Set();
      }
      const middle = items.length >> 1;
      const first = await this.store(items.slice(0, middle), outcomes);
      return first.union(await this.store(items.slice(middle), outcomes));
    }
  }

  private logTraces(messages: readonly ReceivedMessage[]): void {
    if (!this.logger.isLevelEnabled('debug')) return;
    const traces = Map.groupBy(messages, ({ headers }) => traceIdOf(headers[RECEIVED_HEADERS.traceparent]));
    for (const [traceId, { length }] of traces) this.logger.debug({ trace_id: traceId, visits: length }, 'stored');
  }

  /** After the commit, and best effort: who watches looks by himself from time to time. */
  private announce(projectId: string): void {
    this.pubSub
      .publish(visitsChannel(projectId), '')
      .catch((error: unknown) => this.logger.warn({ err: error }, 'new visits could not be announced'));
  }
}

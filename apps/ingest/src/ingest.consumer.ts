import { setTimeout as sleep } from 'node:timers/promises';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import {
  ConsumeBatch,
  DEAD_LETTERS,
  ENRICHED_VISITS,
  OK,
  TransientError,
  type DeadLetter,
  type EnrichedEvent,
  type HandlerContext,
  type Outcome,
} from '#libs/bus';
import { CONSUMER_GROUPS } from '#libs/contracts';
import { VisitsRepository } from '#libs/visit-store';
import { BatchPacer } from './batch-pacer.js';
import { DeadLettersRepository } from './dead-letters.repository.js';
import { IngestPipeline } from './ingest.pipeline.js';
import { toDeadLetterRow } from './steps/dead-letter-row.step.js';

/** Consumes the topics visits.enriched.v1 and visits.dead-letter.v1. */
@Controller()
export class IngestConsumer {
  private readonly pacer = new BatchPacer();

  constructor(
    private readonly pipeline: IngestPipeline,
    private readonly visits: VisitsRepository,
    private readonly deadLetters: DeadLettersRepository,
  ) {}

  @ConsumeBatch(ENRICHED_VISITS, CONSUMER_GROUPS.ingest)
  async handleEnrichedVisits(
    @Payload() events: EnrichedEvent[],
    @Ctx() { deadline }: HandlerContext,
  ): Promise<Outcome[]> {
    // If there is a deadline, a client waits for the response.
    const delayMs = deadline === Infinity ? this.pacer.schedule(events.length, this.visits.batchIntervalMs) : 0;
    if (delayMs > 0) await sleep(delayMs);
    return this.pipeline.run(events);
  }

  @ConsumeBatch(DEAD_LETTERS, CONSUMER_GROUPS.ingest)
  async handleDeadLetters(@Payload() letters: DeadLetter[]): Promise<Outcome[]> {
    try {
      await this.deadLetters.store(letters.map(toDeadLetterRow));
    } catch (error) {
      throw new TransientError('could not store the dead letters', { cause: error });
    }
    return letters.map(() => OK);
  }
}

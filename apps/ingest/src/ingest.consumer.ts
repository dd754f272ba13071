import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { ConsumeBatch, OK, TransientError, type Outcome, type ReceivedMessage } from '#libs/bus';
import { CONSUMER_GROUPS, TOPICS } from '#libs/contracts';
import { DeadLettersRepository } from './dead-letters.repository.js';
import { IngestPipeline } from './ingest.pipeline.js';
import { deadLetterRow } from './steps/dead-letter-row.step.js';

/** Handles visits.enriched.v1 and visits.dead-letter.v1. */
@Controller()
export class IngestConsumer {
  constructor(
    private readonly pipeline: IngestPipeline,
    private readonly deadLetters: DeadLettersRepository,
  ) {}

  @ConsumeBatch(TOPICS.visitsEnriched, CONSUMER_GROUPS.ingest)
  async enriched(@Payload() messages: ReceivedMessage[]): Promise<Outcome[]> {
    return this.pipeline.run(messages);
  }

  @ConsumeBatch(TOPICS.visitsDeadLetter, CONSUMER_GROUPS.ingest)
  async deadLetter(@Payload() messages: ReceivedMessage[]): Promise<Outcome[]> {
    try {
      await this.deadLetters.store(messages.map(deadLetterRow));
    } catch (error) {
      throw new TransientError('the database does not take the dead letters', { cause: error });
    }
    return messages.map(() => OK);
  }
}

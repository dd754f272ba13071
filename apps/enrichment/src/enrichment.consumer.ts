import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { ConsumeBatch, type Outcome, type ReceivedMessage } from '#libs/bus';
import { CONSUMER_GROUPS, TOPICS } from '#libs/contracts';
import { EnrichmentPipeline } from './enrichment.pipeline.js';

/** Handles visits.received.v1. */
@Controller()
export class EnrichmentConsumer {
  constructor(private readonly pipeline: EnrichmentPipeline) {}

  @ConsumeBatch(TOPICS.visitsReceived, CONSUMER_GROUPS.enrichment)
  async received(@Payload() messages: ReceivedMessage[]): Promise<Outcome[]> {
    return this.pipeline.run(messages);
  }
}

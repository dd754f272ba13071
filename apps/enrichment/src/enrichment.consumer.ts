import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { ConsumeBatch, RECEIVED_VISITS, type HandlerContext, type Outcome, type ReceivedVisits } from '#libs/bus';
import { CONSUMER_GROUPS } from '#libs/contracts';
import { EnrichmentPipeline } from './enrichment.pipeline.js';

@Controller()
export class EnrichmentConsumer {
  constructor(private readonly pipeline: EnrichmentPipeline) {}

  @ConsumeBatch(RECEIVED_VISITS, CONSUMER_GROUPS.enrichment)
  async handleReceivedVisits(
    @Payload() requests: ReceivedVisits[],
    @Ctx() context: HandlerContext,
  ): Promise<Outcome[]> {
    return this.pipeline.run(requests, context);
  }
}

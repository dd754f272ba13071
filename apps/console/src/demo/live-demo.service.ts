import { Inject, Injectable } from '@nestjs/common';
import { getBundledCatalog } from '#libs/catalog';
import { createBatchId, type Visit } from '#libs/contracts';
import { countDecisions, DemoVisits } from '#libs/demo';
import { CLOCK, getOrCreateTraceparent, LOGGER, PeriodicService, type Clock, type Logger } from '#libs/platform';
import { DemoPublisher } from './demo-publisher.js';
import { DemoRepository, type DemoBatch } from './demo.repository.js';

const HOUR_MS = 3_600_000;
const POLL_INTERVAL_MS = 5_000;
/** Maximum number of batches per round. After a stop, each covers up to an hour. */
const MAX_BATCHES_PER_ROUND = 24;

/**
 * Adds new visits to the demo project at the rate of its history, until the project is removed. After a stop, the
 * missing visits are filled in gradually, so they don't delay visits reported by sites.
 */
@Injectable()
export class LiveDemoService extends PeriodicService {
  constructor(
    private readonly demo: DemoRepository,
    private readonly publisher: DemoPublisher,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, POLL_INTERVAL_MS, 'failed to add demo visits; retrying soon');
  }

  protected async runRound(): Promise<void> {
    for (let count = 0; count < MAX_BATCHES_PER_ROUND && !this.isStopped; count += 1) {
      if (!(await this.addVisits())) return;
    }
  }

  /** Publishes the next batch. @returns False if none is due. */
  async addVisits(): Promise<boolean> {
    const batch = await this.demo.nextBatch(createBatchId(this.now()), this.now());
    if (batch === null) return false;
    const visits = generateVisits(batch);
    const message = { batchId: batch.id, projectId: batch.projectId, traceparent: getOrCreateTraceparent(undefined) };
    await this.publisher.publish(message, visits, this.shutdownSignal);
    await this.demo.finishBatch(batch, visits.length, countDecisions(visits));
    return true;
  }
}

function generateVisits({ seed, storyEnd, from, to }: DemoBatch): Visit[] {
  const demo = new DemoVisits({ seed, agents: getBundledCatalog().agents, end: storyEnd });
  const firstHour = Math.floor(from / HOUR_MS);
  const hours = Array.from({ length: Math.ceil(to / HOUR_MS) - firstHour }, (_, index) => firstHour + index);
  return hours
    .flatMap((hour) => demo.generateHour(hour * HOUR_MS))
    .filter(({ created }) => Date.parse(created!) >= from && Date.parse(created!) < to);
}

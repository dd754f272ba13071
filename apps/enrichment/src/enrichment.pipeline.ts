import { Inject, Injectable } from '@nestjs/common';
import { Bus, deadLetter, OK, type BusMessage, type Outcome, type ReceivedMessage } from '#libs/bus';
import type { SiteSettings } from '#libs/catalog';
import { formatIndices, RECEIVED_HEADERS, visitId, VISIT_LIMITS, type Visit } from '#libs/contracts';
import { Identifier } from '#libs/evidence';
import { LOGGER, traceIdOf, type Logger } from '#libs/platform';
import { Counter, Histogram } from 'prom-client';
import { ProjectSettingsService } from './project-settings.service.js';
import { enrichedMessage } from './steps/enriched-message.step.js';
import { enrich, question } from './steps/enrich.step.js';
import { readBatch, readVisit, type ReceivedBatch } from './steps/read-batch.step.js';

const stepSeconds = new Histogram({
  name: 'agent_traffic_enrichment_step_seconds',
  help: 'Time of a pipeline step over a batch',
  labelNames: ['step'],
  buckets: [0.0002, 0.001, 0.005, 0.02, 0.1, 0.5, 2],
});

const results = new Counter({
  name: 'agent_traffic_enrichment_results_total',
  help: 'Enriched visits by the result of their identification',
  labelNames: ['result'],
});

/** Milliseconds for what has to be looked up for a batch of messages; what comes later serves the next visit. */
const PATIENCE = 500;

interface OpenBatch {
  message: ReceivedMessage;
  batch: ReceivedBatch;
}

interface OpenVisit {
  batch: ReceivedBatch;
  index: number;
  visit: Visit;
  site: SiteSettings;
}

/** visits.received → read → look the project up → identify the visits → publish to visits.enriched. */
@Injectable()
export class EnrichmentPipeline {
  constructor(
    private readonly bus: Bus,
    private readonly settings: ProjectSettingsService,
    private readonly identifier: Identifier,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(messages: readonly ReceivedMessage[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = messages.map(() => OK);
    const open: OpenBatch[] = [];
    this.timed('read', () => {
      for (const [position, message] of messages.entries()) {
        const batch = readBatch(message);
        if ('kind' in batch) outcomes[position] = batch;
        else open.push({ message, batch });
      }
    });
    const outgoing: BusMessage[] = [];
    const visits: OpenVisit[] = [];
    for (const { message, batch } of open) {
      this.logBatch(batch);
      const site = await this.settings.find(batch.projectId);
      if (site === undefined) {
        const detail = `there is no project ${batch.projectId}`;
        const step = 'enrichment:project';
        outcomes[messages.indexOf(message)] = { kind: 'dead-letter', reason: 'malformed_message', detail, step };
        continue;
      }
      for (const { index, item } of batch.items) {
        const visit = readVisit(item, message.value.length > VISIT_LIMITS.itemBytes);
        if (isDeadLetter(visit)) outgoing.push(itemDeadLetter(message, batch, index, item, visit));
        else visits.push({ batch, index, visit, site });
      }
    }
    outgoing.push(...(await this.enriched(visits)));
    // Commits only what is safe downstream: a failure here is thrown, and the whole batch comes again.
    await this.bus.publish(outgoing);
    return outcomes;
  }

  private async enriched(visits: readonly OpenVisit[]): Promise<BusMessage[]> {
    const stop = stepSeconds.startTimer({ step: 'enrich' });
    const questions = visits.map(({ visit, batch, site }) => question(visit, batch, site));
    const answers = await this.identifier.answer(questions, PATIENCE);
    const messages = visits.map(({ batch, index, visit }, position) => {
      const enriched = enrich(batch, index, visit, answers[position]!);
      results.inc({ result: enriched.identification.result });
      return enrichedMessage(enriched, batch.id, batch.traceparent);
    });
    stop();
    return messages;
  }

  private logBatch({ id, projectId, traceparent, items }: ReceivedBatch): void {
    if (!this.logger.isLevelEnabled('debug')) return;
    const ids = { trace_id: traceIdOf(traceparent), project_id: projectId, batch_id: id };
    this.logger.debug({ ...ids, visits: items.length }, 'enriching');
  }

  private timed(step: string, work: () => void): void {
    const stop = stepSeconds.startTimer({ step });
    work();
    stop();
  }
}

type DeadLetter = Extract<Outcome, { kind: 'dead-letter' }>;

// A visit may have a field of any name, also `kind`: a dead letter is told by its step.
const isDeadLetter = (value: object): value is DeadLetter =>
  (value as Partial<DeadLetter>).kind === 'dead-letter' && !('request_headers' in value);

/** One visit of a message can't be processed; its neighbours can. */
function itemDeadLetter(
  message: ReceivedMessage,
  batch: ReceivedBatch,
  index: number,
  item: unknown,
  outcome: DeadLetter,
): BusMessage {
  const options = { ...outcome, projectId: batch.projectId, identity: visitId(batch.id, index) };
  // What is nested too deep can't be written again, so the whole message is kept: its neighbours have their ids.
  if (batch.items.length === 1 || outcome.reason === 'too_deep') return deadLetter(message, options);
  const value = Buffer.from(JSON.stringify([item]));
  const headers = { ...message.headers, [RECEIVED_HEADERS.indices]: formatIndices([index]) };
  return deadLetter({ ...message, value, headers }, options);
}

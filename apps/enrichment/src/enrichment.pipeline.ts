import { Inject, Injectable } from '@nestjs/common';
import {
  Bus,
  OK,
  ReadMessage,
  refused,
  runPipeline,
  valueBytes,
  type BusMessage,
  type Outcome,
  type ReceivedMessage,
  type Step,
} from '#libs/bus';
import { TOPICS, VISIT_LIMITS, type EnrichedVisit, type Visit } from '#libs/contracts';
import { reduce, VisitInsights, type InsightsRequest, type ProjectSettings } from '#libs/enrichment';
import { Identifier } from '#libs/evidence';
import { LOGGER, traceIdOf, type Logger } from '#libs/platform';
import { Counter } from 'prom-client';
import { ProjectSettingsService } from './project-settings.service.js';
import { enrichedMessage } from './steps/enriched-message.step.js';
import { enrich, identificationRequest } from './steps/enrich.step.js';
import { itemDeadLetter } from './steps/item-dead-letter.step.js';
import { readBatch, readVisit, type ReceivedBatch } from './steps/read-batch.step.js';

const results = new Counter({
  name: 'agent_traffic_enrichment_results_total',
  help: 'Enriched visits by result, and by the method that decided; method: none where nothing could be checked',
  labelNames: ['result', 'method'],
});
const robotsVerdicts = new Counter({
  name: 'agent_traffic_enrichment_robots_total',
  help: 'Visits of agents by what robots.txt said about them',
  labelNames: ['verdict'],
});

/** For what has to be looked up for a batch of messages; what comes later serves the next visit. */
const LOOKUP_TIMEOUT_MS = 500;

interface OpenMessage {
  /** Of the message in the batch. */
  position: number;
  message: ReceivedMessage;
  batch: ReceivedBatch;
  project?: ProjectSettings;
}

/** A visit, and what is asked about it once its agent is known. */
interface OpenVisit extends InsightsRequest {
  /** Position of its message in the batch. */
  position: number;
  batch: ReceivedBatch;
  id: string;
}

interface EnrichmentBatch {
  messages: readonly ReceivedMessage[];
  outcomes: Outcome[];
  open: OpenMessage[];
  visits: OpenVisit[];
  /** Of each of the visits. */
  made: EnrichedVisit[];
  enriched: BusMessage[];
  /** Position in the batch of the message that each of the enriched visits comes from. */
  positions: number[];
}

/** The result for a message whose batch comes again, because something of it could not be published. */
interface Result {
  outcome: Outcome;
  /** Enriched visits that are not published yet. */
  enriched: BusMessage[];
}

/** visits.received → enriched visits → visits.enriched. */
@Injectable()
export class EnrichmentPipeline {
  private readonly steps: readonly Step<EnrichmentBatch>[] = [
    { name: 'read', run: (batch) => this.read(batch) },
    { name: 'project', run: (batch) => this.findProjects(batch) },
    { name: 'validate', run: validate },
    { name: 'identify', run: (batch) => this.identify(batch) },
    { name: 'insights', run: (batch) => this.judge(batch) },
    { name: 'reduce', run: reduceAll },
    // A failure here is thrown, and the batch comes again with the same results: only what is safe downstream is committed.
    {
      name: 'publish',
      span: { name: `send ${TOPICS.visitsEnriched}`, kind: 'producer' },
      run: (batch) => this.publish(batch),
    },
  ];

  private readonly results = new WeakMap<ReceivedMessage, Result>();

  constructor(
    private readonly bus: Bus,
    private readonly settings: ProjectSettingsService,
    private readonly identifier: Identifier,
    private readonly insights: VisitInsights,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(messages: readonly ReceivedMessage[]): Promise<Outcome[]> {
    const outcomes = messages.map(() => OK);
    const batch: EnrichmentBatch = { messages, outcomes, open: [], visits: [], made: [], enriched: [], positions: [] };
    await runPipeline('enrichment', this.steps, batch);
    return outcomes;
  }

  private read({ messages, outcomes, open, enriched, positions }: EnrichmentBatch): void {
    for (const [position, message] of messages.entries()) {
      const earlier = this.results.get(message);
      if (earlier !== undefined) {
        outcomes[position] = earlier.outcome;
        for (const visit of earlier.enriched) {
          enriched.push(visit);
          positions.push(position);
        }
        continue;
      }
      const result = readBatch(message);
      if (result.ok) {
        open.push({ position, message, batch: result.value });
        this.log(result.value);
      } else outcomes[position] = result.outcome;
    }
  }

  private async findProjects({ open, outcomes }: EnrichmentBatch): Promise<void> {
    for (const each of open) {
      const { projectId } = each.batch;
      const project = await this.settings.find(projectId);
      const detail = `there is no project ${projectId}`;
      if (project !== undefined) each.project = project;
      else outcomes[each.position] = refused('malformed_message', detail, 'enrichment:project').outcome;
    }
  }

  private async identify({ visits, made }: EnrichmentBatch): Promise<void> {
    const requests = visits.map(({ visit, batch, project }) => identificationRequest(visit, batch, project));
    const identified = await this.identifier.identifyAll(requests, LOOKUP_TIMEOUT_MS);
    const counts = new Map<string, Map<string, number>>();
    for (let position = 0; position < visits.length; position += 1) {
      const open = visits[position]!;
      const { clientAddress, identification } = identified[position]!;
      const { agent_id: agentId, result, method } = identification;
      open.agentId = agentId;
      open.clientAddress = clientAddress;
      open.at = requests[position]!.at;
      made.push(enrich(open.batch, open.id, open.visit, identified[position]!));
      let ofResult = counts.get(result);
      if (ofResult === undefined) counts.set(result, (ofResult = new Map()));
      ofResult.set(method ?? 'none', (ofResult.get(method ?? 'none') ?? 0) + 1);
    }
    for (const [result, methods] of counts) {
      for (const [method, count] of methods) results.inc({ result, method }, count);
    }
  }

  /** Says what robots.txt allowed, who sent a visitor, and whether it was a program. */
  private async judge({ visits, made }: EnrichmentBatch): Promise<void> {
    const insights = await this.insights.judgeAll(visits);
    const counts = new Map<string, number>();
    for (let position = 0; position < visits.length; position += 1) {
      const { robots, automation, referral } = insights[position]!;
      const visit = made[position]!;
      if (automation !== undefined) visit.automation = automation;
      if (referral !== undefined) visit.referral = referral;
      if (robots === undefined) continue;
      visit.robots = robots;
      counts.set(robots.verdict, (counts.get(robots.verdict) ?? 0) + 1);
    }
    for (const [verdict, count] of counts) robotsVerdicts.inc({ verdict }, count);
  }

  private async publish({ enriched, messages, outcomes, positions }: EnrichmentBatch): Promise<void> {
    try {
      await this.bus.publish(enriched);
    } catch (error) {
      for (const [position, message] of messages.entries()) {
        this.results.set(message, { outcome: outcomes[position]!, enriched: [] });
      }
      for (const [index, visit] of enriched.entries()) {
        this.results.get(messages[positions[index]!]!)!.enriched.push(visit);
      }
      throw error;
    }
    // Their dead letters are published later, and may fail.
    for (const [position, outcome] of outcomes.entries()) {
      if (outcome !== OK) this.results.set(messages[position]!, { outcome, enriched: [] });
    }
  }

  private log({ id, projectId, traceparent, items }: ReceivedBatch): void {
    if (!this.logger.isLevelEnabled('debug')) return;
    const ids = { trace_id: traceIdOf(traceparent), project_id: projectId, batch_id: id };
    this.logger.debug({ ...ids, visits: items.length }, 'enriching');
  }
}

/** One visit of a message may be invalid; its neighbors are processed. */
function validate({ open, outcomes, visits }: EnrichmentBatch): void {
  for (const { position, message, batch, project } of open) {
    if (project === undefined) continue;
    const deadLetters: BusMessage[] = [];
    const mayBeTooLarge = valueBytes(message) > VISIT_LIMITS.itemBytes;
    // The gateway took them for visits, in this process.
    const isJudged = message instanceof ReadMessage && !mayBeTooLarge;
    for (const each of batch.items) {
      const result = isJudged ? { ok: true as const, value: each.item as Visit } : readVisit(each.item, mayBeTooLarge);
      if (result.ok) visits.push(openVisit(position, batch, each.id, result.value, project));
      else deadLetters.push(itemDeadLetter(message, batch, each, result.outcome));
    }
    if (deadLetters.length > 0) outcomes[position] = { kind: 'ok', deadLetters };
  }
}

const openVisit = (
  position: number,
  batch: ReceivedBatch,
  id: string,
  visit: Visit,
  project: ProjectSettings,
): OpenVisit => ({
  position,
  batch,
  id,
  visit,
  projectId: batch.projectId,
  project,
  // Known once the visit is identified.
  agentId: null,
  clientAddress: null,
  at: batch.receivedAt,
});

/** Removes what projects don't keep of unknown visitors. */
function reduceAll(batch: EnrichmentBatch): void {
  const { visits, made, enriched, positions } = batch;
  for (let index = 0; index < made.length; index += 1) {
    const { batch: received, project, position } = visits[index]!;
    enriched.push(enrichedMessage(reduce(made[index]!, project.unknownVisitors), received));
    positions.push(position);
  }
}

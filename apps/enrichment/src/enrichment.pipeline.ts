import { Inject, Injectable } from '@nestjs/common';
import {
  Bus,
  ENRICHED_VISITS,
  enrichedKey,
  followingTrace,
  OK,
  receivedVisitId,
  refused,
  runPipeline,
  type EnrichedEvent,
  type HandlerContext,
  type Outcome,
  type ReceivedVisits,
  type Step,
} from '#libs/bus';
import { timeOfId, type EnrichedVisit } from '#libs/contracts';
import { reduce, VisitInsights, type InsightsRequest, type ProjectSettings } from '#libs/enrichment';
import { Identifier } from '#libs/evidence';
import { LOGGER, traceIdOf, type Logger } from '#libs/platform';
import { Counter } from 'prom-client';
import { ProjectSettingsService } from './project-settings.service.js';
import { enrich, identificationRequest, type Receipt } from './steps/enrich.step.js';

const results = new Counter({
  name: 'agent_traffic_enrichment_results_total',
  help: 'Enriched visits, by result and deciding method (none: nothing could be checked)',
  labelNames: ['result', 'method'],
});
const robotsVerdicts = new Counter({
  name: 'agent_traffic_enrichment_robots_total',
  help: 'Visits of agents, by robots.txt verdict',
  labelNames: ['verdict'],
});

/** Time limit for all lookups of a batch. Later results are cached for the next visits. */
const LOOKUP_TIMEOUT_MS = 500;
/** Approximate number of bytes that enrichment adds to a visit's JSON. */
const ADDED_BYTES = 500;

interface OpenRequest extends Receipt {
  /** Index within the batch. */
  position: number;
  received: ReceivedVisits;
  project: ProjectSettings;
  traceparent: string | null;
  bytesPerVisit: number;
}

interface OpenVisit extends InsightsRequest {
  request: OpenRequest;
  id: string;
}

interface EnrichmentBatch {
  requests: readonly ReceivedVisits[];
  context: HandlerContext;
  outcomes: Outcome[];
  visits: OpenVisit[];
  /** Enriched visits, in the same order as `visits`. */
  made: EnrichedVisit[];
  events: EnrichedEvent[];
  /** For each event, the index of its request within the batch. */
  positions: number[];
}

/** Result of a request whose events couldn't be published. A retry of the batch reuses it. */
interface Result {
  outcome: Outcome;
  events: EnrichedEvent[];
}

@Injectable()
export class EnrichmentPipeline {
  private readonly steps: readonly Step<EnrichmentBatch>[] = [
    { name: 'project', run: (batch) => this.findProjects(batch) },
    { name: 'identify', run: (batch) => this.identify(batch) },
    { name: 'insights', run: (batch) => this.judge(batch) },
    { name: 'reduce', run: reduceAll },
    // Errors propagate, so the batch is retried with the same results. Offsets are only committed after publishing.
    {
      name: 'publish',
      span: { name: `send ${ENRICHED_VISITS.name}`, kind: 'producer' },
      run: (batch) => this.publish(batch),
    },
  ];

  private readonly results = new WeakMap<ReceivedVisits, Result>();

  constructor(
    private readonly bus: Bus,
    private readonly settings: ProjectSettingsService,
    private readonly identifier: Identifier,
    private readonly insights: VisitInsights,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(requests: readonly ReceivedVisits[], context: HandlerContext): Promise<Outcome[]> {
    const outcomes = requests.map(() => OK);
    const batch: EnrichmentBatch = {
      requests,
      context,
      outcomes,
      visits: [],
      made: [],
      events: [],
      positions: [],
    };
    await runPipeline('enrichment', this.steps, batch);
    return outcomes;
  }

  private async findProjects(batch: EnrichmentBatch): Promise<void> {
    const { requests, outcomes, events, positions } = batch;
    for (const [position, received] of requests.entries()) {
      const earlier = this.results.get(received);
      if (earlier !== undefined) {
        outcomes[position] = earlier.outcome;
        for (const event of earlier.events) {
          events.push(event);
          positions.push(position);
        }
        continue;
      }
      const { projectId } = received;
      const project = await this.settings.find(projectId);
      if (project === undefined) {
        const detail = `there is no project ${projectId}`;
        outcomes[position] = refused('malformed_message', detail, 'enrichment:project').outcome;
      } else this.open(batch, position, received, project);
    }
  }

  private open(
    { visits }: EnrichmentBatch,
    position: number,
    received: ReceivedVisits,
    project: ProjectSettings,
  ): void {
    const { batchId, projectId, traceparent, bytes } = received;
    const receivedAt = timeOfId(batchId);
    const request: OpenRequest = {
      position,
      received,
      project,
      projectId,
      receivedAt,
      receivedAtText: new Date(receivedAt).toISOString(),
      traceparent: followingTrace(traceparent),
      bytesPerVisit: bytes / Math.max(1, received.visits.length) + ADDED_BYTES,
    };
    for (const [index, visit] of received.visits.entries()) {
      const id = receivedVisitId(received, index);
      visits.push({ request, id, projectId, project, visit, agentId: null, clientAddress: null, at: receivedAt });
    }
    this.log(received);
  }

  private async identify({ visits, made }: EnrichmentBatch): Promise<void> {
    const requests = visits.map(({ visit, request, project }) => identificationRequest(visit, request, project));
    const identified = await this.identifier.identifyAll(requests, LOOKUP_TIMEOUT_MS);
    const counts = new Map<string, Map<string, number>>();
    for (let position = 0; position < visits.length; position += 1) {
      const open = visits[position]!;
      const { clientAddress, identification } = identified[position]!;
      const { agent_id: agentId, result, method } = identification;
      open.agentId = agentId;
      open.clientAddress = clientAddress;
      open.at = requests[position]!.at;
      made.push(enrich(open.request, open.id, open.visit, identified[position]!));
      let ofResult = counts.get(result);
      if (ofResult === undefined) counts.set(result, (ofResult = new Map()));
      ofResult.set(method ?? 'none', (ofResult.get(method ?? 'none') ?? 0) + 1);
    }
    for (const [result, methods] of counts) {
      for (const [method, count] of methods) results.inc({ result, method }, count);
    }
  }

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

  private async publish({ requests, context, outcomes, events, positions }: EnrichmentBatch): Promise<void> {
    try {
      await this.bus.publish(ENRICHED_VISITS, events, context);
    } catch (error) {
      for (const [position, received] of requests.entries()) {
        this.results.set(received, { outcome: outcomes[position]!, events: [] });
      }
      for (const [index, event] of events.entries()) {
        this.results.get(requests[positions[index]!]!)!.events.push(event);
      }
      throw error;
    }
  }

  private log({ batchId, projectId, traceparent, visits }: ReceivedVisits): void {
    if (!this.logger.isLevelEnabled('debug')) return;
    const ids = { trace_id: traceIdOf(traceparent), project_id: projectId, batch_id: batchId };
    this.logger.debug({ ...ids, visits: visits.length }, 'enriching');
  }
}

/** Creates the events, without the data of unknown visitors that their project doesn't keep. */
function reduceAll({ visits, made, events, positions }: EnrichmentBatch): void {
  for (let index = 0; index < made.length; index += 1) {
    const { received, project, position, traceparent, bytesPerVisit: bytes } = visits[index]!.request;
    const visit = reduce(made[index]!, project.unknownVisitors);
    events.push({ visit, key: enrichedKey(visit, received.batchId), traceparent, bytes });
    positions.push(position);
  }
}

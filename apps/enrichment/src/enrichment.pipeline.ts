import { Inject, Injectable } from '@nestjs/common';
import {
  Bus,
  ENRICHED_VISITS,
  getEnrichedKey,
  getContinuedTraceparent,
  OK,
  getReceivedVisitId,
  toDeadLetter,
  runPipeline,
  type EnrichedEvent,
  type HandlerContext,
  type Outcome,
  type ReceivedVisits,
  type Step,
} from '#libs/bus';
import { getTimeFromId, type EnrichedVisit } from '#libs/contracts';
import {
  readDecisions,
  reduceVisit,
  VisitInsights,
  type InsightsRequest,
  type ProjectSettings,
} from '#libs/enrichment';
import { Identifier } from '#libs/evidence';
import { LOGGER, getTraceId, type Logger } from '#libs/platform';
import { Counter } from 'prom-client';
import { PolicyProofsService } from './policy-proofs.service.js';
import { ProjectSettingsService } from './project-settings.service.js';
import { enrich, identificationRequest, type Receipt } from './steps/enrich.step.js';

const resultsCounter = new Counter({
  name: 'agent_traffic_enrichment_results_total',
  help: 'Enriched visits, by result and deciding method ("none" if nothing could be checked)',
  labelNames: ['result', 'method'],
});
const robotsVerdictsCounter = new Counter({
  name: 'agent_traffic_enrichment_robots_total',
  help: 'Agent visits, by robots.txt verdict',
  labelNames: ['verdict'],
});

/** Time limit for all lookups in a batch. Late results are cached for later visits. */
const LOOKUP_TIMEOUT_MS = 500;
/**
 * Limit for parsing robots.txt files of one project in a batch, in characters. Without it, visits spread over many large
 * versions could delay those of other projects for minutes.
 */
const MAX_PARSED_ROBOTS_LENGTH = 2 * 1024 * 1024;
/** Approximate size that enrichment adds to a visit's JSON. */
const ENRICHMENT_BYTES = 500;

interface PendingRequest extends Receipt {
  /** Index of the request within the batch. */
  position: number;
  received: ReceivedVisits;
  project: ProjectSettings;
  traceparent: string | null;
  bytesPerVisit: number;
}

interface PendingVisit extends InsightsRequest {
  request: PendingRequest;
  id: string;
}

interface EnrichmentBatch {
  requests: readonly ReceivedVisits[];
  context: HandlerContext;
  outcomes: Outcome[];
  visits: PendingVisit[];
  /** Enriched visits, in the same order as `visits`. */
  made: EnrichedVisit[];
  events: EnrichedEvent[];
  /** Index of each event's request within the batch. */
  positions: number[];
}

/** Result for a request whose events couldn't be published. Retries reuse it, so that the result doesn't change. */
interface UnpublishedResult {
  outcome: Outcome;
  events: EnrichedEvent[];
}

@Injectable()
export class EnrichmentPipeline {
  private readonly steps: readonly Step<EnrichmentBatch>[] = [
    { name: 'project', run: (batch) => this.findProjects(batch) },
    { name: 'identify', run: (batch) => this.identify(batch) },
    { name: 'insights', run: (batch) => this.addInsights(batch) },
    { name: 'reduce', run: createEvents },
    // Let errors propagate, so that the batch is retried with the same results. Offsets are only committed after
    // publishing.
    {
      name: 'publish',
      span: { name: `send ${ENRICHED_VISITS.name}`, kind: 'producer' },
      run: (batch) => this.publish(batch),
    },
  ];

  private readonly unpublishedResults = new WeakMap<ReceivedVisits, UnpublishedResult>();

  constructor(
    private readonly bus: Bus,
    private readonly settings: ProjectSettingsService,
    private readonly identifier: Identifier,
    private readonly insights: VisitInsights,
    private readonly proofs: PolicyProofsService,
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
      const earlier = this.unpublishedResults.get(received);
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
        const detail = `project ${projectId} does not exist`;
        outcomes[position] = toDeadLetter('malformed_message', detail, 'enrichment:project').outcome;
      } else this.addVisits(batch, position, received, project);
    }
  }

  private addVisits(
    { visits }: EnrichmentBatch,
    position: number,
    received: ReceivedVisits,
    project: ProjectSettings,
  ): void {
    const { batchId, projectId, traceparent, bytes } = received;
    const receivedAt = getTimeFromId(batchId);
    const request: PendingRequest = {
      position,
      received,
      project,
      projectId,
      receivedAt,
      receivedAtText: new Date(receivedAt).toISOString(),
      traceparent: getContinuedTraceparent(traceparent),
      bytesPerVisit: bytes / Math.max(1, received.visits.length) + ENRICHMENT_BYTES,
    };
    for (const [index, visit] of received.visits.entries()) {
      const id = getReceivedVisitId(received, index);
      visits.push({ request, id, projectId, project, visit, agentId: null, clientAddress: null, at: receivedAt });
    }
    this.log(received);
  }

  private async identify({ visits, made: enrichedVisits }: EnrichmentBatch): Promise<void> {
    const identifiable = await this.proofs.replaceUserAgents(visits);
    const requests = identifiable.map(({ visit, request, project }) => identificationRequest(visit, request, project));
    const identified = await this.identifier.identifyAll(requests, LOOKUP_TIMEOUT_MS);
    const counts = new Map<string, Map<string, number>>();
    for (let position = 0; position < visits.length; position += 1) {
      const pendingVisit = visits[position]!;
      const { request, id, visit } = pendingVisit;
      const { at } = requests[position]!;
      const { clientAddress, identification } = identified[position]!;
      const { agent_id: agentId, result, method } = identification;
      pendingVisit.agentId = agentId;
      pendingVisit.clientAddress = clientAddress;
      pendingVisit.at = at;
      enrichedVisits.push(enrich(request, id, visit, at, identified[position]!));
      let methodCounts = counts.get(result);
      if (methodCounts === undefined) counts.set(result, (methodCounts = new Map()));
      methodCounts.set(method ?? 'none', (methodCounts.get(method ?? 'none') ?? 0) + 1);
    }
    for (const [result, methods] of counts) {
      for (const [method, count] of methods) resultsCounter.inc({ result, method }, count);
    }
  }

  private async addInsights({ visits, made: enrichedVisits }: EnrichmentBatch): Promise<void> {
    const insights = await this.insights.judgeAll(visits, MAX_PARSED_ROBOTS_LENGTH);
    const counts = new Map<string, number>();
    for (let position = 0; position < visits.length; position += 1) {
      const { robots, automation, referral } = insights[position]!;
      const visit = enrichedVisits[position]!;
      if (automation !== undefined) visit.automation = automation;
      if (referral !== undefined) visit.referral = referral;
      const decisions = readDecisions(visit.visit);
      if (decisions !== undefined) visit.decisions = decisions;
      if (robots === undefined) continue;
      visit.robots = robots;
      counts.set(robots.verdict, (counts.get(robots.verdict) ?? 0) + 1);
    }
    for (const [verdict, count] of counts) robotsVerdictsCounter.inc({ verdict }, count);
  }

  private async publish({ requests, context, outcomes, events, positions }: EnrichmentBatch): Promise<void> {
    try {
      await this.bus.publish(ENRICHED_VISITS, events, context);
    } catch (error) {
      for (const [position, received] of requests.entries()) {
        this.unpublishedResults.set(received, { outcome: outcomes[position]!, events: [] });
      }
      for (const [index, event] of events.entries()) {
        this.unpublishedResults.get(requests[positions[index]!]!)!.events.push(event);
      }
      throw error;
    }
  }

  private log({ batchId, projectId, traceparent, visits }: ReceivedVisits): void {
    if (!this.logger.isLevelEnabled('debug')) return;
    const ids = { trace_id: getTraceId(traceparent), project_id: projectId, batch_id: batchId };
    this.logger.debug({ ...ids, visits: visits.length }, 'enriching');
  }
}

/** Creates the events, leaving out data about unknown visitors that the project doesn't store. */
function createEvents({ visits, made: enrichedVisits, events, positions }: EnrichmentBatch): void {
  for (let index = 0; index < enrichedVisits.length; index += 1) {
    const { received, project, position, traceparent, bytesPerVisit: bytes } = visits[index]!.request;
    const visit = reduceVisit(enrichedVisits[index]!, project.unknownVisitors);
    events.push({ visit, key: getEnrichedKey(visit, received.batchId), traceparent, bytes });
    positions.push(position);
  }
}

import type { INestApplicationContext } from '@nestjs/common';
import { createCatalog, compileCatalog, CurrentCatalog, type AgentRecord } from '#libs/catalog';
import {
  createBatchId,
  getTimeFromId,
  createVisitId,
  type AssistantRecord,
  type UnknownVisitors,
  type Visit,
} from '#libs/contracts';
import { ProjectSettingsRepository, reduceVisit, VisitInsights } from '#libs/enrichment';
import type { EvidenceSources, PublishedList } from '#libs/agents';
import { Identifier } from '#libs/evidence';
import { InProcessBus } from '#libs/bus';
import { InMemoryPubSub } from '#libs/cache';
import {
  CountRollupsRepository,
  PartitionsRepository,
  ReidentificationsRepository,
  ReidentifiedVisitsRepository,
  VisitsRepository,
} from '#libs/visit-store';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { enrich, identificationRequest } from '../../apps/enrichment/src/steps/enrich.step.js';
import { IngestPipeline } from '../../apps/ingest/src/ingest.pipeline.js';
import { ReidentificationThrottle } from '../../apps/ingest/src/reidentification/reidentification-throttle.js';
import { ReidentificationService } from '../../apps/ingest/src/reidentification/reidentification.service.js';
import type { RetentionDays } from '../../apps/ingest/src/steps/visit-row.step.js';
import { RobotsVersionsRepository } from '../../libs/enrichment/src/robots-versions.repository.js';
import { RobotsService } from '../../libs/enrichment/src/robots.service.js';
import { enrichedEvent } from './enriched-event.js';
import { UNAVAILABLE_SOURCES } from './identifier.js';
import { createRepository, openVisitStore } from './visit-store.js';

class MutableCatalog extends CurrentCatalog {
  change(
    agents: readonly AgentRecord[],
    lists: readonly PublishedList[] = [],
    assistants: readonly AssistantRecord[] = [],
    dataCenterRanges: readonly string[] = [],
  ): void {
    this.swap(compileCatalog(createCatalog({ agents, proxies: [], lists, assistants, dataCenterRanges })), 1);
  }
}

/** Reported visit, with its batch ID and its index within the batch. */
export interface ReportedVisit {
  visit: Visit;
  batchId: string;
  index: number;
}

/** Returns a visit in a new batch, whose ID encodes the time of receipt. */
export const createReportedVisit = (visit: Visit, receivedAt: number, index = 0): ReportedVisit => ({
  visit,
  batchId: createBatchId(receivedAt),
  index,
});

export interface HistoryOptions {
  dataSource: DataSource;
  projectId: string;
  sources?: EvidenceSources;
  now?: () => number;
  retention?: RetentionDays;
}

/** Runs enrichment, ingest, and re-identification on a database, without message queues in between. */
export class ReidentificationHistory {
  readonly catalog = new MutableCatalog();
  readonly pace = new ReidentificationThrottle(new InProcessBus());
  readonly pipeline: IngestPipeline;
  readonly jobs: ReidentificationsRepository;
  readonly service: ReidentificationService;
  readonly changedVisits: ReidentifiedVisitsRepository;
  private readonly identifier: Identifier;
  private readonly settings: ProjectSettingsRepository;
  private readonly insights: VisitInsights;

  static async open(options: HistoryOptions): Promise<ReidentificationHistory> {
    return new ReidentificationHistory(options, await openVisitStore(options.dataSource));
  }

  private constructor(
    private readonly options: HistoryOptions,
    visitStore: INestApplicationContext,
  ) {
    const {
      dataSource,
      sources = UNAVAILABLE_SOURCES,
      now = Date.now,
      retention = { days: 90, unknownDays: 90 },
    } = options;
    const logger = pino({ level: 'silent' });
    this.identifier = new Identifier(this.catalog, sources, true, now);
    this.pipeline = new IngestPipeline(
      visitStore.get(VisitsRepository),
      visitStore.get(PartitionsRepository),
      new InMemoryPubSub(),
      retention,
      logger,
    );
    this.changedVisits = visitStore.get(ReidentifiedVisitsRepository);
    this.jobs = visitStore.get(ReidentificationsRepository);
    this.settings = new ProjectSettingsRepository(dataSource);
    const robots = new RobotsService(new RobotsVersionsRepository(dataSource), this.catalog);
    this.insights = new VisitInsights(this.catalog, robots);
    this.service = new ReidentificationService(
      this.jobs,
      this.changedVisits,
      this.settings,
      this.identifier,
      this.insights,
      this.catalog,
      this.pace,
      retention,
      now,
      logger,
    );
  }

  async store(visits: readonly ReportedVisit[], mode: UnknownVisitors = 'kept'): Promise<void> {
    const { projectId } = this.options;
    const batches = visits.map(({ visit, batchId, index }) => {
      const receivedAt = getTimeFromId(createVisitId(batchId, 0));
      const receivedAtText = new Date(receivedAt).toISOString();
      return { visit, receipt: { projectId, receivedAt, receivedAtText }, batchId, index };
    });
    const project = (await this.settings.find([projectId])).get(projectId)!;
    const requests = batches.map(({ visit, receipt }) => identificationRequest(visit, receipt, project));
    const identified = await this.identifier.identifyAll(requests, 5_000);
    const enrichedVisits = batches.map(({ visit, receipt, batchId, index }, position) =>
      enrich(receipt, createVisitId(batchId, index), visit, requests[position]!.at, identified[position]!),
    );
    const insights = await this.insights.judgeAll(
      enrichedVisits.map(({ visit, identification, client_address: clientAddress, occurred_at: at }) => ({
        projectId,
        project,
        agentId: identification.agent_id,
        visit,
        clientAddress,
        at: Date.parse(at),
      })),
    );
    const events = enrichedVisits.map((enriched, at) =>
      enrichedEvent(reduceVisit({ ...enriched, ...insights[at] }, mode)),
    );
    for (let from = 0; from < events.length; from += 2_000) {
      const outcomes = await this.pipeline.run(events.slice(from, from + 2_000));
      const failure = outcomes.find(({ kind }) => kind !== 'ok');
      if (failure !== undefined) throw new Error(JSON.stringify(failure));
    }
  }

  /** Creates a re-identification job. By default, the job is a preview. */
  async start(range: { from: string; to: string; agent?: string }, state = 'previewing'): Promise<string> {
    const [{ id }] = (await this.options.dataSource.query(
      `INSERT INTO reidentifications (id, project_id, range_from, range_to, after_at, agent_token, state)
       VALUES (gen_random_uuid(), $1, $2, $3, $2, $4, $5) RETURNING id`,
      [this.options.projectId, range.from, range.to, range.agent ?? null, state],
    )) as [{ id: string }];
    return id;
  }

  /** Replaces the recorded robots.txt versions for the project's host. */
  async serveRobots(
    versions: readonly { id: string; from: number; until: number | null; text: string }[],
  ): Promise<void> {
    const { dataSource, projectId } = this.options;
    await dataSource.query(`DELETE FROM robots_versions WHERE project_id = $1`, [projectId]);
    for (const { id, from, until, text } of versions) {
      await dataSource.query(
        `INSERT INTO robots_texts (digest, text, is_cut) VALUES (sha256($1), $2, false) ON CONFLICT DO NOTHING`,
        [Buffer.from(text), text],
      );
      await dataSource.query(
        `INSERT INTO robots_versions (id, project_id, host, served_from, served_until, status, digest, is_recorded)
         VALUES ($1, $2, 'shop.example', $3, $4, 200, sha256($5), true)`,
        [id, projectId, new Date(from), until === null ? null : new Date(until), Buffer.from(text)],
      );
    }
    await dataSource.query(
      `INSERT INTO robots_revisions AS r VALUES ($1, 1) ON CONFLICT (project_id) DO UPDATE SET revision = r.revision + 1`,
      [projectId],
    );
  }

  /** Rolls up all counts as if their days were over. */
  async rollUpCounts(): Promise<void> {
    const repository = await createRepository(this.options.dataSource, CountRollupsRepository);
    const now = new Date(Date.now() + 2 * 86_400_000);
    for (const day of await repository.due(now, 0)) await repository.rollUp(day, now);
  }
}

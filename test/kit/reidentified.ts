import { catalogOf, compileCatalog, CurrentCatalog, type AgentRecord } from '#libs/catalog';
import { newBatchId, timeOfId, visitId, type AssistantRecord, type UnknownVisitors, type Visit } from '#libs/contracts';
import { ProjectSettingsRepository, reduce, VisitInsights } from '#libs/enrichment';
import type { EvidenceSources, PublishedList } from '#libs/agents';
import { Identifier } from '#libs/evidence';
import { InProcessBus } from '#libs/bus';
import { InMemoryPubSub } from '#libs/cache';
import {
  CheckoutsRepository,
  CountSumsRepository,
  PartitionsRepository,
  ReidentificationsRepository,
  ReidentifiedVisitsRepository,
  VisitFormsRepository,
  VisitsRepository,
} from '#libs/visit-store';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { enrich, identificationRequest } from '../../apps/enrichment/src/steps/enrich.step.js';
import { IngestPipeline } from '../../apps/ingest/src/ingest.pipeline.js';
import { MovedCountsRepository } from '../../libs/visit-store/src/moved-counts.repository.js';
import { Pace } from '../../apps/ingest/src/reidentification/pace.js';
import { ReidentificationService } from '../../apps/ingest/src/reidentification/reidentification.service.js';
import type { KeptDays } from '../../apps/ingest/src/steps/visit-row.step.js';
import { RobotsVersionsRepository } from '../../libs/enrichment/src/robots-versions.repository.js';
import { RobotsService } from '../../libs/enrichment/src/robots.service.js';
import { enrichedEvent } from './enriched-event.js';
import { NO_SOURCES } from './identifier.js';

class ChangingCatalog extends CurrentCatalog {
  change(
    agents: readonly AgentRecord[],
    lists: readonly PublishedList[] = [],
    assistants: readonly AssistantRecord[] = [],
    dataCenterRanges: readonly string[] = [],
  ): void {
    this.swap(compileCatalog(catalogOf({ agents, proxies: [], lists, assistants, dataCenterRanges })), 1);
  }
}

/** Reported visit, with the ID of its batch and its position in it. */
export interface Reported {
  visit: Visit;
  batchId: string;
  index: number;
}

/** Returns a visit in a new batch, whose ID contains the time of receipt. */
export const reported = (visit: Visit, receivedAt: number, index = 0): Reported => ({
  visit,
  batchId: newBatchId(receivedAt),
  index,
});

export interface HistoryOptions {
  dataSource: DataSource;
  projectId: string;
  sources?: EvidenceSources;
  now?: () => number;
  kept?: KeptDays;
}

/** Enrichment, ingest and re-identification on a database, without message queues in between. */
export class History {
  readonly catalog = new ChangingCatalog();
  readonly pipeline: IngestPipeline;
  readonly jobs: ReidentificationsRepository;
  readonly service: ReidentificationService;
  readonly pace = new Pace(new InProcessBus());
  readonly changedVisits: ReidentifiedVisitsRepository;
  private readonly identifier: Identifier;
  private readonly settings: ProjectSettingsRepository;
  private readonly insights: VisitInsights;

  constructor(private readonly options: HistoryOptions) {
    const { dataSource, sources = NO_SOURCES, now = Date.now, kept = { days: 90, unknownDays: 90 } } = options;
    const logger = pino({ level: 'silent' });
    this.identifier = new Identifier(this.catalog, sources, true, now);
    const forms = new VisitFormsRepository(dataSource);
    const partitions = new PartitionsRepository(dataSource);
    const visits = new VisitsRepository(dataSource, forms);
    this.pipeline = new IngestPipeline(visits, partitions, new InMemoryPubSub(), kept, logger);
    this.changedVisits = new ReidentifiedVisitsRepository(
      forms,
      partitions,
      new MovedCountsRepository(),
      new CheckoutsRepository(dataSource),
    );
    this.jobs = new ReidentificationsRepository(dataSource, this.changedVisits);
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
      kept,
      now,
      logger,
    );
  }

  async store(visits: readonly Reported[], mode: UnknownVisitors = 'kept'): Promise<void> {
    const { projectId } = this.options;
    const batches = visits.map(({ visit, batchId, index }) => {
      const receivedAt = timeOfId(visitId(batchId, 0));
      const receivedAtText = new Date(receivedAt).toISOString();
      return { visit, receipt: { projectId, receivedAt, receivedAtText }, batchId, index };
    });
    const project = (await this.settings.find([projectId])).get(projectId)!;
    const requests = batches.map(({ visit, receipt }) => identificationRequest(visit, receipt, project));
    const identified = await this.identifier.identifyAll(requests, 5_000);
    const known = batches.map(({ visit, receipt, batchId, index }, at) =>
      enrich(receipt, visitId(batchId, index), visit, identified[at]!),
    );
    const insights = await this.insights.judgeAll(
      known.map(({ visit, identification, client_address: clientAddress, occurred_at: at }) => ({
        projectId,
        project,
        agentId: identification.agent_id,
        visit,
        clientAddress,
        at: Date.parse(at),
      })),
    );
    const events = known.map((enriched, at) => enrichedEvent(reduce({ ...enriched, ...insights[at] }, mode)));
    for (let from = 0; from < events.length; from += 2_000) {
      const outcomes = await this.pipeline.run(events.slice(from, from + 2_000));
      const bad = outcomes.find(({ kind }) => kind !== 'ok');
      if (bad !== undefined) throw new Error(JSON.stringify(bad));
    }
  }

  /** Creates a re-identification job, by default as a preview. */
  async start(range: { from: string; to: string; agent?: string }, state = 'previewing'): Promise<string> {
    const [{ id }] = (await this.options.dataSource.query(
      `INSERT INTO reidentifications (id, project_id, range_from, range_to, after_at, agent_token, state)
       VALUES (gen_random_uuid(), $1, $2, $3, $2, $4, $5) RETURNING id`,
      [this.options.projectId, range.from, range.to, range.agent ?? null, state],
    )) as [{ id: string }];
    return id;
  }

  /** Replaces the recorded robots.txt versions of the project's host. */
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

  /** Sums up all counts, as if their days were over. */
  async sumUp(): Promise<void> {
    const repository = new CountSumsRepository(this.options.dataSource);
    const now = new Date(Date.now() + 2 * 86_400_000);
    for (const day of await repository.due(now, 0)) await repository.sumUp(day, now);
  }
}

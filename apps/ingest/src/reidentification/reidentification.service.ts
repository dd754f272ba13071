import { Inject, Injectable } from '@nestjs/common';
import type { VerificationStep } from '#libs/agents';
import { CurrentCatalog } from '#libs/catalog';
import { getTimeFromId, type EnrichedVisit } from '#libs/contracts';
import { ProjectSettingsRepository, VisitInsights, type ProjectSettings } from '#libs/enrichment';
import { Identifier } from '#libs/evidence';
import {
  CLOCK,
  errorMessage,
  LOGGER,
  PeriodicService,
  type Clock,
  type Logger,
  isPermanentError,
} from '#libs/platform';
import {
  type Job,
  type Page,
  type PreparedChange,
  ReidentificationsRepository,
  ReidentifiedVisitsRepository,
} from '#libs/visit-store';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { v7 } from 'uuid';
import { RetentionSetting } from '../retention-setting.service.js';
import { toRow, type RetentionDays } from '../steps/visit-row.step.js';
import { ReidentificationThrottle } from './reidentification-throttle.js';
import {
  applyReidentification,
  toInsightsRequest,
  getUnrepeatableMethods,
  toIdentificationRequest,
} from './apply-reidentification.js';
import { createReport, addToReport, type ChangedVisit, type BatchResult } from './report.js';

const POLL_INTERVAL_MS = 1_000;
/** Maximum number of visits per step. Steps are smaller while new visits arrive. */
const MAX_VISITS_PER_STEP = 1_000;
const MAX_VISITS_PER_LIVE_STEP = 100;
/**
 * Limits for pages that are read in advance. A page takes up to 8 MB. Pages are discarded after a while, because more
 * visits may be stored in their range while a job is paused.
 */
const PREFETCH_LIMITS = { max: 4, ttl: 10_000 };
/** Timeout for lookups. Long, because nobody is waiting for the result. */
const LOOKUP_TIMEOUT_MS = 10_000;
/** Number of visits to identify before yielding to other work. */
const VISITS_PER_SLICE = 10;
const DAY_MS = 86_400_000;

const reidentifiedCounter = new Counter({
  name: 'agent_traffic_ingest_reidentified_visits_total',
  help: 'Stored visits re-identified, by outcome: same, previewed (would change) or changed',
  labelNames: ['outcome'],
});

/** Visits in a step, and the time it took to read them in milliseconds. */
interface TimedPage {
  page: Page;
  readMs: number;
}

/** Result of a step. `changes` is in the same order as `seen.changed`, and empty in previews. */
interface StepResult {
  seen: BatchResult;
  changes: readonly PreparedChange[];
}

/** Re-identifies stored visits in steps. Several processes can poll for work, but each step runs in only one. */
@Injectable()
export class ReidentificationService extends PeriodicService {
  private readonly claimant = v7();
  /** Prefetched pages, keyed by job and cursor. */
  private readonly prefetchedPages = new LRUCache<string, Promise<TimedPage>>(PREFETCH_LIMITS);

  constructor(
    private readonly jobs: ReidentificationsRepository,
    private readonly visits: ReidentifiedVisitsRepository,
    private readonly settings: ProjectSettingsRepository,
    private readonly identifier: Identifier,
    private readonly insights: VisitInsights,
    private readonly catalog: CurrentCatalog,
    private readonly throttle: ReidentificationThrottle,
    @Inject(RetentionSetting) private readonly retention: RetentionDays,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, POLL_INTERVAL_MS, 'failed to re-identify visits; retrying soon');
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.jobs.release(this.claimant).catch(() => undefined);
  }

  protected runRound(): Promise<void> {
    return this.runAll();
  }

  async runAll(): Promise<void> {
    while (!this.isStopped && (await this.runNextStep())) continue;
  }

  /** Runs the next step. Returns false if there is no work. */
  async runNextStep(): Promise<boolean> {
    await this.throttle.yieldToNewVisits();
    const job = await this.jobs.claim(this.claimant);
    if (job === null) return false;
    try {
      await this.runStep(job);
    } catch (error) {
      if (!isPermanentError(error)) throw error;
      this.logger.error({ err: error, reidentification_id: job.id }, 'paused a re-identification after an error');
      await this.jobs.fail(job.id, errorMessage(error));
    }
    return true;
  }

  private async runStep(job: Job): Promise<void> {
    const isLive = this.throttle.isLive(job.newest);
    await this.throttle.yieldToNewVisits();
    const { page, readMs: reading } = await this.takePage(job, isLive);
    const project = (await this.settings.find([job.projectId])).get(job.projectId);
    // The project was removed in the meantime, along with the job.
    if (project === undefined) return;
    const result = await this.evaluate(job, page, project);
    const startedAt = performance.now();
    await this.store(job, page, result);
    const busy = reading + performance.now() - startedAt;
    if (isLive) await this.throttle.limitLoad(busy, this.shutdownSignal);
  }

  /** Reads the visits of a step. Prefetches the next page unless new visits are arriving. */
  private async takePage(job: Job, isLive: boolean): Promise<TimedPage> {
    const prefetched = this.prefetchedPages.get(toPageKey(job));
    this.prefetchedPages.delete(toPageKey(job));
    const timed = await (prefetched ?? this.readPage(job, isLive ? MAX_VISITS_PER_LIVE_STEP : MAX_VISITS_PER_STEP));
    const { last } = timed.page;
    if (last !== null && !isLive) {
      const next = { ...job, cursor: last };
      const page = this.readPage(next, MAX_VISITS_PER_STEP);
      // The step that uses the page handles the error.
      page.catch(() => undefined);
      this.prefetchedPages.set(toPageKey(next), page);
    }
    return timed;
  }

  private async readPage(job: Job, maxVisits: number): Promise<TimedPage> {
    const startedAt = performance.now();
    const page = await this.jobs.page(job, maxVisits);
    return { page, readMs: performance.now() - startedAt };
  }

  private async evaluate(
    { agentToken, isApplied }: Job,
    { documents }: Page,
    project: ProjectSettings,
  ): Promise<StepResult> {
    const methods: VerificationStep['method'][] = [];
    const changed: ChangedVisit[] = [];
    const changes: PreparedChange[] = [];
    let byUserAgent = 0;
    let pastRetention = 0;
    const now = this.now();
    for (let from = 0; from < documents.length; from += VISITS_PER_SLICE) {
      const part = documents.slice(from, from + VISITS_PER_SLICE).map((text) => JSON.parse(text) as EnrichedVisit);
      byUserAgent += part.filter((visit) => visit.kept_as === 'reduced').length;
      const requests = part.map((visit) => toIdentificationRequest(visit, project));
      const identified = await this.identifier.identifyAll(requests, LOOKUP_TIMEOUT_MS);
      const insights = await this.insights.judgeAll(
        part.map((visit, index) => toInsightsRequest(visit, identified[index]!, project)),
      );
      for (const [index, before] of part.entries()) {
        methods.push(...getUnrepeatableMethods(identified[index]!));
        const after = applyReidentification(before, identified[index]!, insights[index]!, { now, project });
        if (after === null || !involvesAgent(agentToken, before, after)) continue;
        const { days, unknownDays } = this.retention;
        const keptDays = after.identification.agent_id === null ? unknownDays : days;
        if (getTimeFromId(after.id) < now - keptDays * DAY_MS) pastRetention += 1;
        else changed.push({ before, after });
      }
      if (isApplied && changed.length > changes.length) {
        const added = changed
          .slice(changes.length)
          .map(({ before, after }) => ({ before: toRow(before), after: toRow(after) }));
        changes.push(...(await this.visits.prepare(added)));
      }
      await this.throttle.yieldToNewVisits();
    }
    const seen = { visits: documents.length, keptMethods: methods, byUserAgent, pastRetention, changed };
    return { seen, changes };
  }

  private async store(job: Job, { last }: Page, { seen, changes }: StepResult): Promise<void> {
    const report = job.report ?? createReport();
    let { changed } = seen;
    const isDone = await this.jobs.step(job, last, changes, (stored) => {
      if (changes.length > 0) {
        const ids = new Set(stored.map(({ before }) => before.id));
        changed = changed.filter(({ before }) => ids.has(before.id.toLowerCase()));
      }
      return addToReport(report, { ...seen, changed });
    });
    if (!isDone) return;
    reidentifiedCounter.inc({ outcome: job.isApplied ? 'changed' : 'previewed' }, changed.length);
    reidentifiedCounter.inc({ outcome: 'same' }, seen.visits - changed.length);
    if (last === null) {
      const { version } = this.catalog.current;
      this.logger.info(
        { reidentification_id: job.id, applied: job.isApplied, catalog_version: version },
        'finished re-identifying stored visits',
      );
    }
  }
}

const toPageKey = ({ id, isApplied, cursor }: Job): string => JSON.stringify([id, isApplied, cursor]);

/** Returns true if the visit is by the requested agent, before or after the change. */
function involvesAgent(token: string | null, ...visits: EnrichedVisit[]): boolean {
  const wantedToken = token?.toLowerCase();
  return (
    wantedToken === undefined ||
    visits.some(({ identification }) => identification.agent_token?.toLowerCase() === wantedToken)
  );
}

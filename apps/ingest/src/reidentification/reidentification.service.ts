import { Inject, Injectable } from '@nestjs/common';
import type { VerificationStep } from '#libs/agents';
import { CurrentCatalog } from '#libs/catalog';
import { timeOfId, type EnrichedVisit } from '#libs/contracts';
import { ProjectSettingsRepository, VisitInsights, type ProjectSettings } from '#libs/enrichment';
import { Identifier } from '#libs/evidence';
import { CLOCK, errorMessage, LOGGER, PeriodicService, type Clock, type Logger, isPermanent } from '#libs/platform';
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
import { rowOf, type KeptDays } from '../steps/visit-row.step.js';
import { Pace } from './pace.js';
import { identifiedAgain, insightsRequest, keptMethods, storedRequest } from './identified-again.js';
import { emptyReport, withVisits, type ChangedVisit, type LookedAt } from './report.js';

const LOOK_INTERVAL_MS = 1_000;
/** Maximum number of visits per step, normally and while new visits arrive. */
const VISITS_OF_STEP = 1_000;
const VISITS_MEANWHILE = 100;
/** Limits of the prefetched pages, of up to 8 MB each. They expire, because a paused job may get more visits. */
const AHEAD = { max: 4, ttl: 10_000 };
/** Timeout for lookups. It can be long, because nobody is waiting. */
const LOOKUP_TIMEOUT_MS = 10_000;
/** Visits to identify before other work gets a turn. */
const VISITS_AT_ONCE = 10;
const DAY_MS = 86_400_000;

const looked = new Counter({
  name: 'agent_traffic_ingest_reidentified_visits_total',
  help: 'Stored visits identified again; outcome: same, previewed (would change), changed',
  labelNames: ['outcome'],
});

/** Visits of a step, and how many milliseconds it took to read them. */
interface TimedPage {
  page: Page;
  busy: number;
}

/** Result of a step. `changes` are in the order of `seen.changed`; a preview has none. */
interface Judged {
  seen: LookedAt;
  changes: readonly PreparedChange[];
}

/**
 * Re-identifies stored visits, step by step. Several processes may look for work, but each step runs in only one of
 * them.
 */
@Injectable()
export class ReidentificationService extends PeriodicService {
  private readonly claimant = v7();
  /** Prefetched pages, by job and cursor. */
  private readonly ahead = new LRUCache<string, Promise<TimedPage>>(AHEAD);

  constructor(
    private readonly jobs: ReidentificationsRepository,
    private readonly visits: ReidentifiedVisitsRepository,
    private readonly settings: ProjectSettingsRepository,
    private readonly identifier: Identifier,
    private readonly insights: VisitInsights,
    private readonly catalog: CurrentCatalog,
    private readonly pace: Pace,
    @Inject(RetentionSetting) private readonly retention: KeptDays,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, LOOK_INTERVAL_MS, 'visits cannot be identified again yet');
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.jobs.release(this.claimant).catch(() => undefined);
  }

  protected round(): Promise<void> {
    return this.workOff();
  }

  async workOff(): Promise<void> {
    while (!this.isStopped && (await this.step())) continue;
  }

  /** Runs the next step. Returns false if no work is pending. */
  async step(): Promise<boolean> {
    await this.pace.giveWay();
    const job = await this.jobs.claim(this.claimant);
    if (job === null) return false;
    try {
      await this.stepOf(job);
    } catch (error) {
      if (!isPermanent(error)) throw error;
      this.logger.error({ err: error, reidentification_id: job.id }, 'a re-identification was paused');
      await this.jobs.fail(job.id, errorMessage(error));
    }
    return true;
  }

  private async stepOf(job: Job): Promise<void> {
    const isLive = this.pace.isLive(job.newest);
    await this.pace.giveWay();
    const { page, busy: reading } = await this.page(job, isLive);
    const project = (await this.settings.find([job.projectId])).get(job.projectId);
    // The project was removed in the meantime, and the job with it.
    if (project === undefined) return;
    const judged = await this.lookAt(job, page, project);
    const began = performance.now();
    await this.store(job, page, judged);
    const busy = reading + performance.now() - began;
    if (isLive) await this.pace.rest(busy, this.closing);
  }

  /** Reads the visits of a step. Unless new visits are arriving, prefetches the next page. */
  private async page(job: Job, isLive: boolean): Promise<TimedPage> {
    const known = this.ahead.get(keyOf(job));
    this.ahead.delete(keyOf(job));
    const timed = await (known ?? this.read(job, isLive ? VISITS_MEANWHILE : VISITS_OF_STEP));
    const { last } = timed.page;
    if (last !== null && !isLive) {
      const next = { ...job, cursor: last };
      const page = this.read(next, VISITS_OF_STEP);
      // The error surfaces in the step that uses the page.
      page.catch(() => undefined);
      this.ahead.set(keyOf(next), page);
    }
    return timed;
  }

  private async read(job: Job, most: number): Promise<TimedPage> {
    const began = performance.now();
    const page = await this.jobs.page(job, most);
    return { page, busy: performance.now() - began };
  }

  private async lookAt({ agentToken, isApplied }: Job, { documents }: Page, project: ProjectSettings): Promise<Judged> {
    const methods: VerificationStep['method'][] = [];
    const changed: ChangedVisit[] = [];
    const changes: PreparedChange[] = [];
    let byUserAgent = 0;
    let pastRetention = 0;
    const now = this.now();
    for (let from = 0; from < documents.length; from += VISITS_AT_ONCE) {
      const part = documents.slice(from, from + VISITS_AT_ONCE).map((text) => JSON.parse(text) as EnrichedVisit);
      byUserAgent += part.filter((visit) => visit.kept_as === 'reduced').length;
      const requests = part.map((visit) => storedRequest(visit, project));
      const identified = await this.identifier.identifyAll(requests, LOOKUP_TIMEOUT_MS);
      const insights = await this.insights.judgeAll(
        part.map((visit, index) => insightsRequest(visit, identified[index]!, project)),
      );
      for (const [index, before] of part.entries()) {
        methods.push(...keptMethods(identified[index]!));
        const after = identifiedAgain(before, identified[index]!, insights[index]!, { now, project });
        if (after === null || !isOf(agentToken, before, after)) continue;
        const { days, unknownDays } = this.retention;
        const keptDays = after.identification.agent_id === null ? unknownDays : days;
        if (timeOfId(after.id) < now - keptDays * DAY_MS) pastRetention += 1;
        else changed.push({ before, after });
      }
      if (isApplied && changed.length > changes.length) {
        const added = changed
          .slice(changes.length)
          .map(({ before, after }) => ({ before: rowOf(before), after: rowOf(after) }));
        changes.push(...(await this.visits.prepare(added)));
      }
      await this.pace.giveWay();
    }
    const seen = { visits: documents.length, keptMethods: methods, byUserAgent, pastRetention, changed };
    return { seen, changes };
  }

  private async store(job: Job, { last }: Page, { seen, changes }: Judged): Promise<void> {
    const report = job.report ?? emptyReport();
    let { changed } = seen;
    const isDone = await this.jobs.step(job, last, changes, (stored) => {
      if (changes.length > 0) {
        const ids = new Set(stored.map(({ before }) => before.id));
        changed = changed.filter(({ before }) => ids.has(before.id.toLowerCase()));
      }
      return withVisits(report, { ...seen, changed });
    });
    if (!isDone) return;
    looked.inc({ outcome: job.isApplied ? 'changed' : 'previewed' }, changed.length);
    looked.inc({ outcome: 'same' }, seen.visits - changed.length);
    if (last === null) {
      const { version } = this.catalog.current;
      this.logger.info(
        { reidentification_id: job.id, applied: job.isApplied, catalog_version: version },
        'stored visits were identified again',
      );
    }
  }
}

const keyOf = ({ id, isApplied, cursor }: Job): string => JSON.stringify([id, isApplied, cursor]);

/** Returns whether a change is from or to the requested agent. */
function isOf(token: string | null, ...visits: EnrichedVisit[]): boolean {
  const wanted = token?.toLowerCase();
  return (
    wanted === undefined || visits.some(({ identification }) => identification.agent_token?.toLowerCase() === wanted)
  );
}

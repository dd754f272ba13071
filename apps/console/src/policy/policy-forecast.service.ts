import { Inject, Injectable } from '@nestjs/common';
import {
  completeQuery,
  exportVisits,
  MAX_FORECAST_VISITS,
  timelineCursor,
  type PolicyCounts,
  type PolicyForecast,
  type PolicyRule,
  type Project,
  type TimelineVisit,
} from '#libs/contracts';
import { CLOCK, LOGGER, ProblemError, WorkSlices, type Clock, type Logger } from '#libs/platform';
import { TimelineRepository, type TimeRange } from '#libs/visit-store';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { createSeries, startOfDays } from '../statistics/time-range.js';
import { getIds, noOutcomes, PolicyReplay, toReplayedVisit, type ReplayedVisit } from './policy-replay.js';
import { PolicyCountsRepository } from './policy-counts.repository.js';
import { PolicyVersionsRepository, type StoredForecast } from './policy-versions.repository.js';

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Number of visits per read. */
const PAGE_SIZE = 1_000;
const REPLAY_TIMEOUT_MS = 10_000;

type Recorded = NonNullable<PolicyForecast['rules'][number]['recorded']>;

const NOTHING_RECORDED: ReadonlyMap<string, Recorded> = new Map();

interface ReadVisits {
  range: TimeRange;
  visits: ReplayedVisit[];
  /** False if there are more visits than a forecast replays. */
  isComplete: boolean;
}

/** Replays stored visits through rules that aren't live yet. */
@Injectable()
export class PolicyForecastService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly timeline: TimelineRepository,
    private readonly counts: PolicyCountsRepository,
    private readonly versions: PolicyVersionsRepository,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param days Number of days in the project's time zone to replay, including today. 1 stands for the last 24 hours.
   * @throws {ProblemError} 504 if reading or replaying the visits takes too long.
   */
  async forecast(
    { id, time_zone: timeZone }: Pick<Project, 'id' | 'time_zone'>,
    rules: readonly PolicyRule[],
    days: number,
  ): Promise<PolicyForecast> {
    const to = this.now();
    const start = days === 1 ? to - DAY_MS : startOfDays(to, days, timeZone);
    const { range, visits, isComplete } = await this.readNewest(id, { from: start, to });
    const from = Math.floor(range.from / QUARTER_MS) * QUARTER_MS;
    const { bucket, starts } = createSeries({ from, to: range.to }, timeZone);
    const series = starts.map((start) => ({ time: new Date(start).toISOString(), outcomes: noOutcomes() }));
    const replay = new PolicyReplay(rules);
    let index = 0;
    await this.forEach(visits, (visit) => {
      while (index + 1 < starts.length && starts[index + 1]! <= visit.at) index += 1;
      series[index]!.outcomes[replay.add(visit)] += 1;
    });
    const isByHour = isComplete && start % HOUR_MS === 0;
    const recorded = isByHour ? await this.readRecorded(id, rules, start) : NOTHING_RECORDED;
    const recordedIds = [...recorded].flatMap(([ruleId, { live, dry_run: dryRun }]) =>
      live + dryRun > 0 ? [ruleId] : [],
    );
    const { rules: replayed, ...summary } = replay.summarize(recordedIds);
    return {
      ...toTimes(range),
      visits: visits.length,
      is_complete: isComplete,
      ...summary,
      rules: await this.addRecorded(id, replayed, recorded),
      bucket: bucket === '15m' || bucket === '1h' ? bucket : '1d',
      series,
    };
  }

  /**
   * Returns the recorded decisions by ID, for rules and exceptions whose visits are all still stored.
   *
   * @param from Start of an hour, in milliseconds since the epoch.
   */
  private async readRecorded(
    projectId: string,
    rules: readonly PolicyRule[],
    from: number,
  ): Promise<ReadonlyMap<string, Recorded>> {
    const [counts, retention] = await Promise.all([this.counts.sum(projectId, from), this.counts.findRetention()]);
    const today = Math.floor(this.now() / DAY_MS);
    const isStored = (rule: PolicyRule): boolean => {
      const days = canMatchUnknown(rule) ? retention.unknown_days : retention.days;
      return days === null || from >= (today - days) * DAY_MS;
    };
    const ids = rules.filter((rule) => rule.mode !== 'off' && isStored(rule)).flatMap(getIds);
    return new Map(
      ids.map((id) => {
        const ruleCounts = counts.filter(({ rule_id: ruleId, outcome }) => ruleId === id && outcome !== 'allowed');
        return [id, { live: sumOf(ruleCounts, 'live'), dry_run: sumOf(ruleCounts, 'dry_run') }];
      }),
    );
  }

  private async addRecorded(
    projectId: string,
    rules: ReturnType<PolicyReplay['summarize']>['rules'],
    recorded: ReadonlyMap<string, Recorded>,
  ): Promise<PolicyForecast['rules']> {
    const versions = await this.versions.listRules(projectId);
    return rules.map((rule) => {
      const first = versions.findLast(({ rules: saved }) => saved.flatMap(getIds).includes(rule.rule_id));
      return { ...rule, recorded: recorded.get(rule.rule_id) ?? null, since: first?.saved_at.toISOString() ?? null };
    });
  }

  /** Returns a forecast to compare with real decisions, or null if the visits can't be read and replayed in time. */
  async tryForecast(projectId: string, rules: readonly PolicyRule[], days: number): Promise<StoredForecast | null> {
    try {
      const to = this.now();
      const { range, visits } = await this.readNewest(projectId, { from: to - days * DAY_MS, to });
      const replay = new PolicyReplay(rules);
      await this.forEach(visits, (visit) => replay.add(visit));
      return {
        ...toTimes(range),
        rules: replay.summarize().rules.map(({ rule_id, outcomes }) => ({ rule_id, outcomes })),
      };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      this.logger.warn({ err: error }, 'failed to forecast the effect of a policy');
      return null;
    }
  }

  private async forEach(visits: readonly ReplayedVisit[], replay: (visit: ReplayedVisit) => void): Promise<void> {
    const deadline = this.now() + REPLAY_TIMEOUT_MS;
    const slices = new WorkSlices();
    for (const visit of visits) {
      if (slices.isSliceOver) await slices.yieldToEventLoop();
      if (this.now() > deadline) {
        throw new ProblemError(
          'deadline-exceeded',
          'Replaying the visits took too long. Use fewer days or path patterns.',
        );
      }
      replay(visit);
    }
  }

  /** Reads the newest visits. Returns them oldest first, and the range that they cover. */
  private async readNewest(projectId: string, { from, to }: TimeRange): Promise<ReadVisits> {
    const filters = completeQuery(exportVisits, { from, to });
    return this.reading.read(async (snapshot) => {
      const visits: ReplayedVisit[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const limit = Math.min(PAGE_SIZE, MAX_FORECAST_VISITS - visits.length);
        if (limit === 0)
          return { range: { from: visits.at(-1)!.at, to }, visits: visits.toReversed(), isComplete: false };
        const page = await this.timeline.page(
          projectId,
          { ...filters, limit, cursor: cursor === undefined ? null : timelineCursor.read(cursor) },
          snapshot,
        );
        for (const document of page.documents) visits.push(toReplayedVisit(JSON.parse(document) as TimelineVisit));
        cursor = page.nextCursor;
      }
      return { range: { from, to }, visits: visits.toReversed(), isComplete: true };
    });
  }
}

/** Returns true if a rule can match unknown visitors, whose visits may be deleted earlier. */
const canMatchUnknown = ({ visitors: { networks, likely_automated: isLikely, results } = {} }: PolicyRule): boolean =>
  (networks !== undefined || isLikely === true) && (results?.includes('unknown_agent') ?? true);

const sumOf = (counts: PolicyCounts['counts'], mode: PolicyCounts['counts'][number]['mode']): number =>
  counts.reduce((sum, count) => (count.mode === mode ? sum + count.decisions : sum), 0);

const toTimes = ({ from, to }: TimeRange) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

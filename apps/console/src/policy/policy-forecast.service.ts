import { Inject, Injectable } from '@nestjs/common';
import {
  completeQuery,
  exportVisits,
  MAX_FORECAST_VISITS,
  timelineCursor,
  type PolicyForecast,
  type PolicyRule,
  type TimelineVisit,
} from '#libs/contracts';
import { CLOCK, LOGGER, ProblemError, WorkSlices, type Clock, type Logger } from '#libs/platform';
import { TimelineRepository } from '#libs/visit-store';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { PolicyReplay, toReplayedVisit, type ReplayedVisit } from './policy-replay.js';

const DAY_MS = 86_400_000;
/** Number of visits per read. */
const PAGE_SIZE = 1_000;
const REPLAY_TIMEOUT_MS = 10_000;

/** Replays stored visits through rules that aren't live yet. */
@Injectable()
export class PolicyForecastService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly timeline: TimelineRepository,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param days Number of days to replay, ending now.
   * @throws {ProblemError} 504 if reading or replaying the visits takes too long.
   */
  async forecast(
    projectId: string,
    rules: readonly PolicyRule[],
    days: number,
    countsLiveBehindDryRun = false,
  ): Promise<PolicyForecast> {
    const to = this.now();
    const from = to - days * DAY_MS;
    const { visits, isComplete } = await this.readNewest(projectId, from, to);
    const replay = new PolicyReplay(rules, countsLiveBehindDryRun);
    await this.replay(visits.toReversed(), replay);
    return {
      from: new Date(isComplete ? from : visits.at(-1)!.at).toISOString(),
      to: new Date(to).toISOString(),
      visits: visits.length,
      is_complete: isComplete,
      ...replay.summarize(),
    };
  }

  /** Like {@link forecast}, but returns null if the visits can't be read and replayed in time. */
  async tryForecast(projectId: string, rules: readonly PolicyRule[], days: number): Promise<PolicyForecast | null> {
    try {
      // Compared with real decisions, which count for live rules and rules in dry run.
      return await this.forecast(projectId, rules, days, true);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      this.logger.warn({ err: error }, 'failed to forecast the effect of a policy');
      return null;
    }
  }

  private async replay(visits: readonly ReplayedVisit[], replay: PolicyReplay): Promise<void> {
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
      replay.add(visit);
    }
  }

  private readNewest(
    projectId: string,
    from: number,
    to: number,
  ): Promise<{ visits: ReplayedVisit[]; isComplete: boolean }> {
    const filters = completeQuery(exportVisits, { from, to });
    return this.reading.read(async (snapshot) => {
      const visits: ReplayedVisit[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const limit = Math.min(PAGE_SIZE, MAX_FORECAST_VISITS - visits.length);
        if (limit === 0) return { visits, isComplete: false };
        const page = await this.timeline.page(
          projectId,
          { ...filters, limit, cursor: cursor === undefined ? null : timelineCursor.read(cursor) },
          snapshot,
        );
        for (const document of page.documents) visits.push(toReplayedVisit(JSON.parse(document) as TimelineVisit));
        cursor = page.nextCursor;
      }
      return { visits, isComplete: true };
    });
  }
}

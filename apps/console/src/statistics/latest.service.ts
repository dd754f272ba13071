import { Injectable } from '@nestjs/common';
import type { Histogram, ProjectSummary, TimelineFilters } from '#libs/contracts';
import { CountsRepository, SamplesRepository } from '#libs/visit-store';
import { SnapshotReader } from '../reading/snapshot-reader.js';
import { isShown } from './visit-counts.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HOURS = 24;
const QUARTER_MS = 15 * MINUTE_MS;
const MINUTES = 60;

/** Reads recent activity: the last 24 hours of all projects, or the last hour of one project. */
@Injectable()
export class LatestService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly samples: SamplesRepository,
  ) {}

  summaries(projectIds: readonly string[], now: number): Promise<ProjectSummary[]> {
    const from = (Math.floor(now / HOUR_MS) + 1 - HOURS) * HOUR_MS;
    // Rounded like a 24-hour range, which ends with the current quarter-hour.
    const since = (Math.floor(now / QUARTER_MS) + 1) * QUARTER_MS - HOURS * HOUR_MS;
    return this.reading.read(async (snapshot) => {
      const known = await this.counts.firstAndLastVisits(snapshot, projectIds);
      const timesOf = new Map(known.map((row) => [row.project_id, row]));
      const summaries = new Map(
        projectIds.map((id): [string, ProjectSummary] => [
          id,
          {
            project_id: id,
            first_visit_at: timesOf.get(id)?.first_at.toISOString() ?? null,
            last_visit_at: timesOf.get(id)?.last_at.toISOString() ?? null,
            has_tools: timesOf.get(id)?.has_tools ?? false,
            visits: 0,
            agent_visits: 0,
            verified: 0,
            verification_failed: 0,
            hours: Array.from({ length: HOURS }, () => 0),
          },
        ]),
      );
      for (const { project_id: id, hour, result, visits } of await this.counts.hours(snapshot, projectIds, {
        from,
        since,
      })) {
        const summary = summaries.get(id);
        // Another machine's clock may be ahead.
        if (summary === undefined || hour >= HOURS) continue;
        if (hour >= 0) summary.hours[hour]! += visits;
        summary.visits += visits;
        if (result !== 'unknown_agent') summary.agent_visits += visits;
        if (isShown(result)) summary[result] += visits;
      }
      return [...summaries.values()];
    });
  }

  histogram(projectId: string, now: number, filters: TimelineFilters): Promise<Histogram> {
    const last = Math.floor(now / MINUTE_MS) * MINUTE_MS;
    const first = last - (MINUTES - 1) * MINUTE_MS;
    return this.reading.read(async (snapshot) => {
      const { counts, isCutShort } = await this.samples.minutes(snapshot, projectId, first, filters);
      const byMinute = new Map(counts.map(({ minute, ...count }) => [minute.getTime(), count]));
      return {
        minutes: Array.from({ length: MINUTES }, (_, index) => {
          const minute = first + index * MINUTE_MS;
          const none = { visits: 0, agents: 0, verified: 0, verification_failed: 0 };
          return { time: new Date(minute).toISOString(), ...(byMinute.get(minute) ?? none) };
        }),
        is_sampled: isCutShort,
      };
    });
  }
}

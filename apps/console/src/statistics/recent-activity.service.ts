import { Injectable } from '@nestjs/common';
import type { Histogram, ProjectSummary, TimelineFilters } from '#libs/contracts';
import { CountsRepository, SamplesRepository } from '#libs/visit-store';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { isVerificationOutcome } from './visit-counts.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SUMMARY_HOURS = 24;
const QUARTER_MS = 15 * MINUTE_MS;
const HISTOGRAM_MINUTES = 60;

/** Reads activity in the last 24 hours for several projects, and in the last hour for one project. */
@Injectable()
export class RecentActivityService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly samples: SamplesRepository,
  ) {}

  /** Returns the time of the project's first counted visit in milliseconds since the epoch, or null. */
  findFirstVisit(projectId: string): Promise<number | null> {
    return this.reading.read(async (snapshot) => {
      const [times] = await this.counts.firstAndLastVisits(snapshot, [projectId]);
      return times?.first_at.getTime() ?? null;
    });
  }

  summarizeProjects(projectIds: readonly string[], now: number): Promise<ProjectSummary[]> {
    const from = (Math.floor(now / HOUR_MS) + 1 - SUMMARY_HOURS) * HOUR_MS;
    // Matches the dashboard's 24-hour range, which ends with the current quarter-hour.
    const since = (Math.floor(now / QUARTER_MS) + 1) * QUARTER_MS - SUMMARY_HOURS * HOUR_MS;
    return this.reading.read(async (snapshot) => {
      const visitTimes = await this.counts.firstAndLastVisits(snapshot, projectIds);
      const visitTimesByProject = new Map(visitTimes.map((row) => [row.project_id, row]));
      const summaries = new Map(
        projectIds.map((id): [string, ProjectSummary] => [
          id,
          {
            project_id: id,
            first_visit_at: visitTimesByProject.get(id)?.first_at.toISOString() ?? null,
            last_visit_at: visitTimesByProject.get(id)?.last_at.toISOString() ?? null,
            has_tools: visitTimesByProject.get(id)?.has_tools ?? false,
            has_payments: visitTimesByProject.get(id)?.has_payments ?? false,
            visits: 0,
            agent_visits: 0,
            verified: 0,
            verification_failed: 0,
            hours: Array.from({ length: SUMMARY_HOURS }, () => 0),
          },
        ]),
      );
      for (const { project_id: id, hour, result, visits } of await this.counts.visitsByHour(snapshot, projectIds, {
        from,
        since,
      })) {
        const summary = summaries.get(id);
        // A visit is in the future if another machine's clock is ahead.
        if (summary === undefined || hour >= SUMMARY_HOURS) continue;
        summary.visits += visits;
        if (result === 'unknown_agent') continue;
        summary.agent_visits += visits;
        if (hour >= 0) summary.hours[hour]! += visits;
        if (isVerificationOutcome(result)) summary[result] += visits;
      }
      return [...summaries.values()];
    });
  }

  getHistogram(projectId: string, now: number, filters: TimelineFilters): Promise<Histogram> {
    const lastMinute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
    const firstMinute = lastMinute - (HISTOGRAM_MINUTES - 1) * MINUTE_MS;
    return this.reading.read(async (snapshot) => {
      const { counts, isCutShort } = await this.samples.countByMinute(snapshot, projectId, firstMinute, filters);
      const byMinute = new Map(counts.map(({ minute, ...count }) => [minute.getTime(), count]));
      return {
        minutes: Array.from({ length: HISTOGRAM_MINUTES }, (_, index) => {
          const minute = firstMinute + index * MINUTE_MS;
          const emptyMinute = { visits: 0, agents: 0, verified: 0, verification_failed: 0 };
          return { time: new Date(minute).toISOString(), ...(byMinute.get(minute) ?? emptyMinute) };
        }),
        is_sampled: isCutShort,
      };
    });
  }
}

import { Injectable } from '@nestjs/common';
import { MAX_NEWS_OF_KIND, MAX_SAMPLED_VISITS } from '#libs/contracts';
import { CountsRepository, NewsRepository, SamplesRepository } from '#libs/visit-store';
import { totalsOf } from '../visit-counts.js';
import type { CountedRange, NewsOf, Unnamed } from './counted-range.js';
import { newSpoofers } from './new-spoofers.js';
import { isErrorNews, mayBeErrorNews, MIN_EXPECTED_VISITS, MIN_SPOOFED_VISITS } from './news-ranking.js';

const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;
const MIN_SILENCE_MS = 2 * QUARTER_MS;
const ERRORS = { '5xx': { from: 500, to: 600 }, '4xx': { from: 400, to: 500 } } as const;

@Injectable()
export class FaultNewsService {
  constructor(
    private readonly counts: CountsRepository,
    private readonly samples: SamplesRepository,
    private readonly stored: NewsRepository,
  ) {}

  async silence({ snapshot, projectId, range, last }: CountedRange, now: number): Promise<NewsOf<'silence'>[]> {
    if (range.to <= now) return [];
    const from = (Math.floor(last / QUARTER_MS) + 1) * QUARTER_MS;
    const to = Math.floor(now / QUARTER_MS) * QUARTER_MS;
    if (to - from < MIN_SILENCE_MS) return [];
    // Compares with the same times of day, because traffic varies during the day.
    const days = Math.ceil((to - from) / DAY_MS);
    const earlier = { from: from - days * DAY_MS, to: to - days * DAY_MS };
    const expected = totalsOf(await this.counts.byAgent(snapshot, projectId, earlier)).visits;
    if (expected < MIN_EXPECTED_VISITS) return [];
    return [{ kind: 'silence', since: new Date(last).toISOString(), expected_visits: expected, days_before: days }];
  }

  /** Returns server errors before client errors. */
  async errors(counted: CountedRange): Promise<NewsOf<'errors'>[]> {
    const { snapshot, projectId, range, previous: compared, isCompared } = counted;
    const statuses = await this.counts.statuses(snapshot, projectId, range);
    const earlier = isCompared ? await this.counts.statuses(snapshot, projectId, compared) : null;
    const items: NewsOf<'errors'>[] = [];
    for (const [status, { from, to }] of Object.entries(ERRORS)) {
      const errorsOf = (counts: typeof statuses) => {
        const errors = counts.filter(({ value }) => value !== '' && +value >= from && +value < to);
        return {
          all: errors.reduce((sum, { visits }) => sum + visits, 0),
          agents: errors.reduce((sum, { agent_visits: visits }) => sum + visits, 0),
        };
      };
      const [errors, errorsBefore] = [errorsOf(statuses), earlier && errorsOf(earlier)];
      const all = {
        now: { errors: errors.all, visits: counted.totals.visits },
        before: errorsBefore && { errors: errorsBefore.all, visits: counted.previousTotals.visits },
      };
      if (!mayBeErrorNews(all.now, all.before, counted.totals.agent_visits)) continue;
      // Too many to read all of them. Errors of all visitors decide instead.
      const isMany = Math.max(errors.agents, errorsBefore?.agents ?? 0) > MAX_SAMPLED_VISITS;
      if (isMany && !isErrorNews(all.now, all.before)) continue;
      const found = await this.stored.errors(snapshot, projectId, range, { from, to });
      const previous = isCompared ? await this.stored.errors(snapshot, projectId, compared, { from, to }) : null;
      const { agent_visits: visits } = counted.totals;
      const { agent_visits: previousVisits } = counted.previousTotals;
      const agents = {
        now: { errors: found.visits, visits },
        before: previous && { errors: previous.visits, visits: previousVisits },
      };
      const isSampled = found.isSampled || previous?.isSampled === true;
      // If agents' errors were only sampled, errors of all visitors show whether the share rose.
      const { now, before: then } = isSampled ? all : agents;
      if (found.visits === 0 || !isErrorNews(now, then)) continue;
      items.push({
        kind: 'errors',
        status: status as keyof typeof ERRORS,
        visits: found.visits,
        agent_visits: visits,
        previous_visits: previous?.visits ?? null,
        previous_agent_visits: previousVisits,
        page: found.page,
        page_visits: found.pageVisits,
        is_sampled: isSampled,
      });
    }
    return items;
  }

  /** Returns agents with failed verifications from networks that hadn't failed as that agent before. */
  async spoofing(counted: CountedRange): Promise<Unnamed<NewsOf<'spoofing'>>[]> {
    const { snapshot, projectId, range, since, isKnown, totals } = counted;
    if (!isKnown || totals.verification_failed < MIN_SPOOFED_VISITS) return [];
    const { failed, earlier } = await this.stored.failed(snapshot, projectId, range, since);
    const spoofers = newSpoofers(failed, earlier)
      .filter((one) => one.visits >= MIN_SPOOFED_VISITS)
      .slice(0, MAX_NEWS_OF_KIND);
    const reasons = await this.samples.reasons(
      snapshot,
      spoofers.map(({ newest }) => newest),
    );
    return spoofers.map(({ agentId, newest, ...spoofer }) => ({
      kind: 'spoofing',
      agent_id: agentId,
      ...spoofer,
      reason: reasons.get(newest)?.reason ?? null,
    }));
  }
}

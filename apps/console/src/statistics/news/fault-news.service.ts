import { Injectable } from '@nestjs/common';
import { MAX_NEWS_PER_KIND } from '#libs/contracts';
import { CountsRepository, NewsRepository, SamplesRepository } from '#libs/visit-store';
import type { TimeRange } from '../time-range.js';
import { sumTotals } from '../visit-counts.js';
import { AddressListsRepository } from './address-lists.repository.js';
import type { CountedRange, NewsItemOfKind, WithoutAgentNames } from './counted-range.js';
import { findLongestGap } from './find-longest-gap.js';
import { newSpoofers } from './new-spoofers.js';
import { findErrorPeriod } from './error-period.js';
import { isErrorNews, mayBeErrorNews, MIN_EXPECTED_VISITS, MIN_SPOOFED_VISITS } from './news-ranking.js';

const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;
const MIN_SILENCE_MS = 2 * QUARTER_MS;
/** Longest range to search for outages, because it requires counts for each quarter hour. */
const MAX_OUTAGE_RANGE_MS = 2 * DAY_MS;
/** Minimum length of an outage in quarter hours. */
const MIN_OUTAGE_QUARTERS = 4;
/** Minimum share of the quarter hours at the same time on the previous day that have visits. */
const MIN_USUAL_SHARE = 0.75;
const ERRORS = { '5xx': { from: 500, to: 600 }, '4xx': { from: 400, to: 500 } } as const;

@Injectable()
export class FaultNewsService {
  constructor(
    private readonly counts: CountsRepository,
    private readonly samples: SamplesRepository,
    private readonly stored: NewsRepository,
    private readonly lists: AddressListsRepository,
  ) {}

  /** @param visits Visits by agent. */
  async findFailingLists(
    visits: ReadonlyMap<string, number>,
  ): Promise<WithoutAgentNames<NewsItemOfKind<'address_lists'>>[]> {
    const { lists, failing } = await this.lists.count();
    if (failing === 0) return [];
    const affected = await this.lists.findAffected([...visits.keys()]);
    const agents = [...visits]
      .filter(([id]) => affected.has(id))
      .map(([id, count]) => ({ agent_id: id, visits: count }))
      .toSorted((one, other) => other.visits - one.visits);
    return [
      {
        kind: 'address_lists',
        failing,
        lists,
        agents: agents.slice(0, MAX_NEWS_PER_KIND),
        agent_count: agents.length,
      },
    ];
  }

  async findSilence(
    { snapshot, projectId, range, last }: CountedRange,
    now: number,
  ): Promise<NewsItemOfKind<'silence'>[]> {
    if (range.to <= now) return [];
    const from = (Math.floor(last / QUARTER_MS) + 1) * QUARTER_MS;
    const to = Math.floor(now / QUARTER_MS) * QUARTER_MS;
    if (to - from < MIN_SILENCE_MS) return [];
    // Compares with the same times of day, because traffic varies during the day.
    const days = Math.ceil((to - from) / DAY_MS);
    const earlier = { from: from - days * DAY_MS, to: to - days * DAY_MS };
    const expected = sumTotals(await this.counts.byAgent(snapshot, projectId, earlier)).visits;
    if (expected < MIN_EXPECTED_VISITS) return [];
    return [{ kind: 'silence', since: new Date(last).toISOString(), expected_visits: expected, days_before: days }];
  }

  /** Returns the longest gap in visits, if there were steady visits at the same time on the previous day. */
  async findOutage({ snapshot, projectId, range }: CountedRange): Promise<NewsItemOfKind<'outage'>[]> {
    if (range.to - range.from > MAX_OUTAGE_RANGE_MS) return [];
    const countQuarters = async ({ from, to }: TimeRange): Promise<number[]> => {
      const starts = Array.from({ length: (to - from) / QUARTER_MS }, (_, quarter) => from + quarter * QUARTER_MS);
      const series = { from, to, bucket: '15m', timeZone: 'UTC', starts } as const;
      const visits = starts.map(() => 0);
      for (const { item, visits: count } of await this.counts.byType(snapshot, projectId, series))
        visits[item]! += count;
      return visits;
    };
    const gap = findLongestGap(await countQuarters(range), MIN_OUTAGE_QUARTERS);
    if (gap === null) return [];
    const [from, to] = [range.from + gap.first * QUARTER_MS, range.from + gap.end * QUARTER_MS];
    const days = Math.ceil((to - from) / DAY_MS);
    const usual = await countQuarters({ from: from - days * DAY_MS, to: to - days * DAY_MS });
    const expected = usual.reduce((sum, visits) => sum + visits, 0);
    const isSteady = usual.filter((visits) => visits > 0).length >= MIN_USUAL_SHARE * usual.length;
    if (!isSteady || expected < MIN_EXPECTED_VISITS) return [];
    return [
      {
        kind: 'outage',
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        expected_visits: expected,
        days_before: days,
      },
    ];
  }

  /** Returns server errors before client errors. */
  async findErrors(counted: CountedRange): Promise<NewsItemOfKind<'errors'>[]> {
    const { snapshot, projectId, range, previous: compared, isCompared } = counted;
    const statuses = await this.counts.statuses(snapshot, projectId, range);
    const earlier = isCompared ? await this.counts.statuses(snapshot, projectId, compared) : null;
    const items: NewsItemOfKind<'errors'>[] = [];
    for (const [status, { from, to }] of Object.entries(ERRORS)) {
      const sumErrors = (counts: typeof statuses) => {
        const errors = counts.filter(({ value }) => value !== '' && +value >= from && +value < to);
        return {
          all: errors.reduce((sum, { visits }) => sum + visits, 0),
          agents: errors.reduce((sum, { agent_visits: visits }) => sum + visits, 0),
        };
      };
      const [errors, errorsBefore] = [sumErrors(statuses), earlier && sumErrors(earlier)];
      const all = {
        now: { errors: errors.all, visits: counted.totals.visits },
        before: errorsBefore && { errors: errorsBefore.all, visits: counted.previousTotals.visits },
      };
      if (!mayBeErrorNews(all.now, all.before, counted.totals.agent_visits)) continue;
      // If there are too many errors to read all of them, skip this status unless the error rate across all visitors is
      // news.
      const isMany = Math.max(errors.agents, errorsBefore?.agents ?? 0) > this.stored.maxErrors;
      if (isMany && !isErrorNews(all.now, all.before)) continue;
      const agentErrors = await this.stored.sampleErrors(snapshot, projectId, range, { from, to });
      const previous = isCompared ? await this.stored.sampleErrors(snapshot, projectId, compared, { from, to }) : null;
      const { agent_visits: visits } = counted.totals;
      const { agent_visits: previousVisits } = counted.previousTotals;
      const agents = {
        now: { errors: agentErrors.visits, visits },
        before: previous && { errors: previous.visits, visits: previousVisits },
      };
      const isSampled = agentErrors.isSampled || previous?.isSampled === true;
      // If only a sample of the agents' errors was read, it can't show whether their error rate rose. In that case,
      // compare the rate across all visitors.
      const { now, before: comparedBefore } = isSampled ? all : agents;
      if (agentErrors.visits === 0 || !isErrorNews(now, comparedBefore)) continue;
      items.push({
        kind: 'errors',
        status: status as keyof typeof ERRORS,
        visits: agentErrors.visits,
        agent_visits: visits,
        previous_visits: previous?.visits ?? null,
        previous_agent_visits: previousVisits,
        page: agentErrors.page,
        page_visits: agentErrors.pageVisits,
        is_sampled: isSampled,
        period: isSampled
          ? null
          : findErrorPeriod(await this.stored.countErrors(snapshot, projectId, range, { from, to }), range),
        outage: null,
      });
    }
    return items;
  }

  /**
   * Returns agents with failed verifications from new networks, which have no earlier failed verifications for that
   * agent.
   */
  async findSpoofing(counted: CountedRange): Promise<WithoutAgentNames<NewsItemOfKind<'spoofing'>>[]> {
    const { snapshot, projectId, range, since, isKnown, totals } = counted;
    if (!isKnown || totals.verification_failed < MIN_SPOOFED_VISITS) return [];
    const { failed, earlier } = await this.stored.findFailedVisits(snapshot, projectId, range, since);
    const spoofers = newSpoofers(failed, earlier).slice(0, MAX_NEWS_PER_KIND);
    const reasons = await this.samples.findReasons(
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

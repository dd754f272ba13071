import type { ConductHighlight } from '#libs/contracts';
import type { ConductDay } from '../../api/conduct.js';
import type { Range } from '../../api/statistics.js';
import type { Filters } from '../../filters/visit-filters.js';
import { formatCount } from '../../format/count.js';

const DAY_MS = 86_400_000;

/** One figure of a day. */
export interface Fact {
  key: ConductHighlight;
  /** Column heading. */
  label: string;
  /** Short text for a table cell. */
  text: string;
  sentence: string;
  /**
   * Visits that the figure is based on: those of the agent, or of all its operator's agents. Null if there are none.
   */
  visits: { filters: Filters; range: Range; isByOperator?: boolean } | null;
  value: number | null;
}

type Content = Omit<Fact, 'key' | 'label'>;

const NOTHING = { visits: null, value: null };

/** Facts by column, in the order of the columns. */
const FACTS: Record<ConductHighlight, { label: string; describe: (day: ConductDay) => Content }> = {
  disallowed: { label: 'Disallowed', describe: describeDisallowed },
  robots_not_fetched: { label: 'After robots.txt', describe: describeFetches },
  crawl_delay: { label: 'Crawl delay', describe: describeDelay },
  retry_after: { label: 'Retry-After', describe: describeRetries },
  refetches: { label: 'Refetches', describe: describeRefetches },
  peak: { label: 'Peak in 10 s', describe: describePeak },
};

export const FACT_LABELS = Object.entries(FACTS).map(([key, { label }]) => ({ key: key as ConductHighlight, label }));

export const describeFact = (day: ConductDay, key: ConductHighlight): Fact => ({
  key,
  label: FACTS[key].label,
  ...FACTS[key].describe(day),
});

function describeDisallowed({ robots: { judged, disallowed }, ...day }: ConductDay): Content {
  if (judged === 0) return { ...NOTHING, text: '–', sentence: 'No robots.txt version was known.' };
  return {
    text: formatCount(disallowed),
    sentence: `${formatCount(disallowed)} of ${formatCount(judged)} visits were disallowed by robots.txt.`,
    visits: disallowed === 0 ? null : { filters: { robots: 'disallowed' }, range: day },
    value: disallowed,
  };
}

function describeFetches({ robots_fetch: fetch, from, to }: ConductDay): Content {
  if (fetch === null) {
    return {
      ...NOTHING,
      text: '–',
      sentence:
        'No requests for robots.txt by this agent are recorded, or the log of the 24 hours before is incomplete.',
    };
  }
  const { visits, after_fetch: after } = fetch;
  return {
    text: after === visits ? 'All' : after === 0 ? 'None' : `${formatCount(after)} of ${formatCount(visits)}`,
    sentence: `${formatCount(after)} of ${formatCount(visits)} visits came within 24 hours after the agent, or another agent of its operator, requested robots.txt.`,
    visits: {
      filters: { page: '/robots.txt' },
      isByOperator: true,
      range: { from: new Date(Date.parse(from) - DAY_MS).toISOString(), to },
    },
    value: after,
  };
}

function describeDelay({ crawl_delay: delay, ...day }: ConductDay): Content {
  if (delay === null)
    return {
      ...NOTHING,
      text: '–',
      sentence:
        'Robots.txt asked for no delay, the agent could not read it, or there were too few requests to compare.',
    };
  const { requested_ms: requested, median_gap_ms: median, gaps, shorter_gaps: shorter, resolution_ms: step } = delay;
  const gap = median < step ? `under ${formatSeconds(step)}` : formatSeconds(median);
  const asked = `Robots.txt asked for ${formatSeconds(requested)} between requests. The median gap was ${gap}`;
  return {
    text: `${formatSeconds(requested)}, was ${gap}`,
    sentence:
      shorter === null
        ? `${asked}. The log has whole seconds, which is too coarse for this delay.`
        : `${asked}, and ${formatCount(shorter)} of ${formatCount(gaps)} gaps were shorter.`,
    visits: { filters: {}, range: day },
    value: median / 1_000,
  };
}

function describeRetries({ retry_after: retry, ...day }: ConductDay): Content {
  const { responses, early_requests: early, first_early_at: first, last_early_at: last } = retry;
  if (responses === 0 && (early ?? 0) === 0)
    return { ...NOTHING, text: '–', sentence: 'No response had the status 429 or 503.' };
  const throttled = { filters: { chips: { status: ['429', '503'] } }, range: day };
  const count = `${formatCount(responses)} ${responses === 1 ? 'response' : 'responses'} with status 429 or 503`;
  if (early === null) {
    return {
      text: 'Not reported',
      sentence: `${count}. The requested hosts are not reported by this source.`,
      visits: throttled,
      value: null,
    };
  }
  if (early > 0) {
    return {
      text: `${formatCount(early)} early`,
      sentence: `${formatCount(early)} ${early === 1 ? 'request was' : 'requests were'} sent before the time in an earlier Retry-After header had passed.`,
      // Ranges exclude their end.
      visits: { filters: {}, range: { from: first!, to: new Date(Date.parse(last!) + 1).toISOString() } },
      value: early,
    };
  }
  if (retry.with_retry_after === 0) {
    const reason =
      retry.with_headers === 0
        ? 'Response headers are not reported by this source'
        : 'No Retry-After header was reported';
    return { text: 'Not reported', sentence: `${count}. ${reason}.`, visits: throttled, value: null };
  }
  return { text: '0 early', sentence: `${count}. No request came too early.`, visits: throttled, value: 0 };
}

function describeRefetches({ refetches, ...day }: ConductDay): Content {
  const { requests, not_modified: notModified, conditional, cacheable, cacheable_conditional: used } = refetches;
  if (requests === 0) return { ...NOTHING, text: '–', sentence: 'No page was requested twice on this day.' };
  const repeated = `${formatCount(requests)} ${requests === 1 ? 'request was' : 'requests were'} for a page already requested that day`;
  const visits = { filters: notModified > 0 ? { status: '304' } : {}, range: day };
  if (conditional === null) {
    return {
      text: `${formatCount(notModified)} of ${formatCount(requests)} were 304`,
      sentence: `${repeated}. ${formatCount(notModified)} had the status 304. Conditional headers are not reported by this source.`,
      visits,
      value: notModified,
    };
  }
  const possible =
    cacheable === null || cacheable === 0
      ? 'No earlier response was reported with an ETag or Last-Modified header'
      : `Of the ${formatCount(cacheable)} that could be, ${formatCount(used ?? 0)} were`;
  return {
    text: `${formatCount(conditional)} of ${formatCount(requests)} conditional`,
    sentence: `${repeated}, and ${formatCount(conditional)} of them were conditional. ${possible}.`,
    visits,
    value: conditional,
  };
}

function describePeak({ peak }: ConductDay): Content {
  if (peak === null)
    return { ...NOTHING, text: '–', sentence: 'The times or hosts of the visits are not reported by this source.' };
  return {
    text: formatCount(peak.requests),
    sentence: `At most ${formatCount(peak.requests)} ${peak.requests === 1 ? 'request' : 'requests'} to one host in 10 seconds.`,
    visits: { filters: {}, range: peak },
    value: peak.requests,
  };
}

const formatSeconds = (milliseconds: number): string => `${formatCount(Math.round(milliseconds / 100) / 10)} s`;

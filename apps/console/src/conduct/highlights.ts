import type { ConductDay, ConductHighlight } from '#libs/contracts';

type Facts = Omit<ConductDay, 'highlights'>;

/** Minimum number of intervals, or of requests that could have been conditional, that a share is based on. */
const MIN_COMPARED = 10;
/** Share of intervals, or of requests that could have been conditional, from which a day is highlighted. */
const HIGHLIGHTED_SHARE = 0.5;
/** Requests to one host in 10 seconds. */
const HIGHLIGHTED_PEAK = 100;

/** Rules for figures that are worth highlighting, documented in docs/insights.md. */
const RULES: Record<ConductHighlight, (day: Facts) => boolean> = {
  disallowed: ({ robots }) => robots.disallowed_for_a_day > 0,
  robots_not_fetched: ({ robots_fetch: fetch }) => fetch !== null && fetch.visits > 0 && fetch.after_fetch === 0,
  crawl_delay: ({ crawl_delay: delay }) =>
    delay !== null &&
    delay.shorter_gaps !== null &&
    delay.gaps >= MIN_COMPARED &&
    delay.shorter_gaps / delay.gaps > HIGHLIGHTED_SHARE,
  retry_after: ({ retry_after: retry }) => (retry.early_requests ?? 0) > 0,
  refetches: ({ refetches: { cacheable, cacheable_conditional: conditional } }) =>
    cacheable !== null &&
    conditional !== null &&
    cacheable >= MIN_COMPARED &&
    1 - conditional / cacheable > HIGHLIGHTED_SHARE,
  peak: ({ peak }) => peak !== null && peak.requests >= HIGHLIGHTED_PEAK,
};

export const findHighlights = (day: Facts): ConductHighlight[] =>
  (Object.keys(RULES) as ConductHighlight[]).filter((name) => RULES[name](day));

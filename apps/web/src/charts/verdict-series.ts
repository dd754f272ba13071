import { RESULTS } from '#libs/agents/vocabulary';
import type { ChartItem, ChartSeries } from './chart.js';

/** Possible verification results for an agent's visits. */
export const AGENT_RESULTS = ['verified', 'not_verifiable', 'verification_failed'] as const;
export type AgentResult = (typeof AGENT_RESULTS)[number];
export type VerdictCounts = Record<AgentResult, number>;

export const VERDICT_COLORS = {
  verified: 'var(--bar-verified)',
  not_verifiable: 'var(--bar-open)',
  verification_failed: 'var(--bar-failed)',
};

/** Chart series for the verdicts. The rarest one is at the bottom, where its shape is easiest to see. */
export const VERDICT_SERIES: readonly ChartSeries[] = AGENT_RESULTS.toReversed().map((key) => ({
  key,
  label: RESULTS[key].label,
  color: VERDICT_COLORS[key],
}));

/** Counts an agent's visits by verdict. Visits that neither passed nor failed count as not verifiable. */
export const countVerdicts = ({ visits, verified, verification_failed }: AgentCounts): VerdictCounts => ({
  verified,
  verification_failed,
  not_verifiable: visits - verified - verification_failed,
});

/** Sums the counts of all items of a series. */
export const sumCounts = (items: readonly AgentCounts[]): AgentCounts =>
  items.reduce(
    (sum, { visits, verified, verification_failed: failed }) => ({
      visits: sum.visits + visits,
      verified: sum.verified + verified,
      verification_failed: sum.verification_failed + failed,
    }),
    { visits: 0, verified: 0, verification_failed: 0 },
  );

export const toVerdictItem = ({ time, ...counts }: AgentCounts & { time: string }): ChartItem => ({
  time,
  values: countVerdicts(counts),
});

interface AgentCounts {
  visits: number;
  verified: number;
  verification_failed: number;
}

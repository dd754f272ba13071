import { RESULTS } from '#libs/agents/vocabulary';
import type { ChartItem, ChartSeries } from './chart.js';

/** What a visit of an agent can come to. */
export const AGENT_RESULTS = ['verified', 'not_verifiable', 'verification_failed'] as const;

const COLORS = {
  verified: 'var(--bar-verified)',
  not_verifiable: 'var(--bar-open)',
  verification_failed: 'var(--bar-failed)',
};

/** Verdicts over time, in the colors that they have everywhere; the rarest at the bottom, where it is a shape. */
export const VERDICT_SERIES: readonly ChartSeries[] = AGENT_RESULTS.toReversed().map((key) => ({
  key,
  label: RESULTS[key].label,
  color: COLORS[key],
}));

/** Counts of an agent's visits by verdict; what is neither proven nor disproven is the rest. */
export const verdictCounts = ({ visits, verified, verification_failed }: AgentCounts) => ({
  verified,
  verification_failed,
  not_verifiable: visits - verified - verification_failed,
});

/** The same over time. */
export const verdictItem = ({ time, ...counts }: AgentCounts & { time: string }): ChartItem => ({
  time,
  values: verdictCounts(counts),
});

interface AgentCounts {
  visits: number;
  verified: number;
  verification_failed: number;
}

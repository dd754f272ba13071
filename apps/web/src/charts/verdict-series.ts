import { RESULTS } from '#libs/agents/vocabulary';
import type { ChartItem, ChartSeries } from './chart.js';

/** Possible verification results of an agent's visit. */
export const AGENT_RESULTS = ['verified', 'not_verifiable', 'verification_failed'] as const;

const COLORS = {
  verified: 'var(--bar-verified)',
  not_verifiable: 'var(--bar-open)',
  verification_failed: 'var(--bar-failed)',
};

/** Verdicts in their usual colors. The rarest is at the bottom, where its shape is visible. */
export const VERDICT_SERIES: readonly ChartSeries[] = AGENT_RESULTS.toReversed().map((key) => ({
  key,
  label: RESULTS[key].label,
  color: COLORS[key],
}));

/** Counts an agent's visits by verdict. Visits that neither passed nor failed verification are not verifiable. */
export const verdictCounts = ({ visits, verified, verification_failed }: AgentCounts) => ({
  verified,
  verification_failed,
  not_verifiable: visits - verified - verification_failed,
});

export const verdictItem = ({ time, ...counts }: AgentCounts & { time: string }): ChartItem => ({
  time,
  values: verdictCounts(counts),
});

interface AgentCounts {
  visits: number;
  verified: number;
  verification_failed: number;
}

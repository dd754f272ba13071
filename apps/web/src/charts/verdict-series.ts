import type { ChartSeries } from './time-chart.js';

/** Verdicts over time, in the colours that they have everywhere. */
export const VERDICT_SERIES: readonly ChartSeries[] = [
  { key: 'verified', label: 'Verified', color: 'var(--bar-verified)' },
  { key: 'not_verifiable', label: 'Not verifiable', color: 'var(--bar-open)' },
  { key: 'verification_failed', label: 'Spoofed', color: 'var(--bar-failed)' },
];

import type { ChartSeries } from './chart.js';

/** Verdicts over time, in the colours that they have everywhere; the rarest at the bottom, where it is a shape. */
export const VERDICT_SERIES: readonly ChartSeries[] = [
  { key: 'verification_failed', label: 'Spoofed', color: 'var(--bar-failed)' },
  { key: 'not_verifiable', label: 'Not verifiable', color: 'var(--bar-open)' },
  { key: 'verified', label: 'Verified', color: 'var(--bar-verified)' },
];

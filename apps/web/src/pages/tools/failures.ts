import type { ToolsReport } from '../../api/tools.js';
import { findBusySpan, sum, type BusySpan } from '../../charts/busy-span.js';

/** Minimum number of failed calls for a meaningful failure rate. */
const MIN_ERRORS = 3;
/** Minimum factor by which a tool's failure rate exceeds the overall rate. */
const MIN_RATE_FACTOR = 1.25;
/** Minimum share of the failed calls within a short time. */
const BUSY_SHARE = 0.6;

type ToolCounts = Pick<ToolsReport['tools'][number], 'tool' | 'calls' | 'errors'>;

/** Returns the tool with the highest failure rate, or undefined if no rate is much higher than the overall one. */
export function findFailingTool<T extends ToolCounts>(tools: readonly T[], overallRate: number): T | undefined {
  const getRate = ({ calls, errors }: T): number => errors / calls;
  return tools
    .filter((tool) => tool.errors >= MIN_ERRORS && getRate(tool) >= MIN_RATE_FACTOR * overallRate)
    .toSorted((one, other) => getRate(other) - getRate(one))[0];
}

/** Finds a short time with most of the failed calls. */
export function findFailureTime(errors: readonly number[]): (BusySpan & { errors: number }) | null {
  const span = findBusySpan(errors, BUSY_SHARE);
  if (span === null) return null;
  const failed = sum(errors.slice(span.first, span.last + 1));
  return failed < MIN_ERRORS ? null : { ...span, errors: failed };
}

import type { ToolsReport } from '../../api/tools.js';

/** Minimum number of calls for a meaningful error rate. */
const MIN_CALLS = 5;

type ToolCounts = Pick<ToolsReport['tools'][number], 'tool' | 'calls' | 'errors'>;

/** Returns the tool with the highest error rate. If none with enough calls failed, returns the one with most errors. */
export function findWorstTool<T extends ToolCounts>(tools: readonly T[]): T | undefined {
  const failing = tools.filter(({ errors }) => errors > 0);
  const frequent = failing.filter(({ calls }) => calls >= MIN_CALLS);
  return frequent.length > 0
    ? frequent.toSorted((one, other) => other.errors / other.calls - one.errors / one.calls)[0]
    : failing.toSorted((one, other) => other.errors - one.errors)[0];
}

import type { ToolsReport } from '../../api/tools.js';
import { sum } from '../../charts/busy-span.js';

/** Returns the numbers of tool calls and checkouts in a report. */
export const sumTools = ({ series, checkouts }: ToolsReport) => ({
  calls: sum(series.map((item) => item.calls)),
  errors: sum(series.map((item) => item.errors)),
  checkouts: sum(checkouts.map((row) => row.checkouts)),
  completed: sum(checkouts.map((row) => (row.state === 'completed' ? row.checkouts : 0))),
});

import type { Project } from '../../api/client.js';
import type { ToolsReport } from '../../api/tools.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { Listing } from '../../ui/listing.js';
import { Calls, toolText } from './tool-tables.js';
import { findWorstTool, MIN_CALLS } from './worst-tool.js';

/** Number of tools named. */
const MAX_NAMED = 3;

interface ToolsAnswerProps {
  project: Project;
  report: ToolsReport;
  linked: LinkedRange;
  /** Range in words, such as "in the last 30 days". */
  when: string;
}

/** Sentence about tool calls, failures and checkouts. */
export function ToolsAnswer({ project, report, linked, when }: ToolsAnswerProps) {
  const calls = report.series.reduce((sum, item) => sum + item.calls, 0);
  const errors = report.series.reduce((sum, item) => sum + item.errors, 0);
  const sumCheckouts = (rows: ToolsReport['checkouts']) => rows.reduce((sum, { checkouts }) => sum + checkouts, 0);
  const started = sumCheckouts(report.checkouts);
  const completed = sumCheckouts(report.checkouts.filter(({ state }) => state === 'completed'));
  const worst = findWorstTool(report.tools);
  return (
    <Answer
      notes={
        <>
          {worst !== undefined && (
            <p>
              {toolText(worst.tool)} {worst.calls >= MIN_CALLS ? 'has the highest error rate' : 'fails most often'}:{' '}
              {formatCount(worst.errors)} of {formatCount(worst.calls)} {worst.calls === 1 ? 'call' : 'calls'}
              {worst.calls >= MIN_CALLS && ` (${formatPercent(worst.errors / worst.calls)})`}.
            </p>
          )}
          {report.unknown_tools.length > 0 && (
            <p>
              Callers also asked for {report.unknown_tools.length === 1 ? 'a tool' : 'tools'} that your server doesn’t
              seem to have:{' '}
              <Listing
                limit={MAX_NAMED}
                items={report.unknown_tools.map(({ tool, calls: count }) => ({
                  key: tool,
                  content: (
                    <>
                      {tool} (<Calls {...{ project, linked, tool }} calls={count} />)
                    </>
                  ),
                }))}
              />
              .
            </p>
          )}
        </>
      }
    >
      {calls > 0 && (
        <>
          Agents called your tools {formatCount(calls)} {calls === 1 ? 'time' : 'times'} {when}
          {errors > 0 ? `, and ${formatPercent(errors / calls)} of the calls failed` : ' without errors'}.{' '}
        </>
      )}
      {started > 0 && (
        <>
          They completed {formatCount(completed)} of {formatCount(started)} {started === 1 ? 'checkout' : 'checkouts'}.
        </>
      )}
      {calls === 0 && started === 0 && <>Agents sent other MCP requests {when}, but called no tools.</>}
    </Answer>
  );
}

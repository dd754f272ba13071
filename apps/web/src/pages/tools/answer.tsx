import { Group } from '@mantine/core';
import { AlertButton } from '../../actions/alert-button.js';
import type { Project } from '../../api/client.js';
import type { ToolsReport } from '../../api/tools.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { Listing } from '../../ui/listing.js';
import { errorText, findMainErrors } from './call-errors.js';
import { Calls, toolText } from './tool-tables.js';
import { findWorstTool } from './worst-tool.js';

/** Number of tools named. */
const MAX_NAMED = 3;

interface ToolsAnswerProps {
  project: Project;
  report: ToolsReport;
  linked: LinkedRange;
  /** Range in words, such as "in the last 30 days". */
  when: string;
}

/** Sentence about the tool calls that failed, and why. */
export function ToolsAnswer({ project, report, linked, when }: ToolsAnswerProps) {
  const calls = report.series.reduce((sum, item) => sum + item.calls, 0);
  const errors = report.series.reduce((sum, item) => sum + item.errors, 0);
  const started = report.checkouts.reduce((sum, { checkouts }) => sum + checkouts, 0);
  const completed = report.checkouts.reduce((sum, row) => sum + (row.state === 'completed' ? row.checkouts : 0), 0);
  const worst = findWorstTool(report.tools);
  const error = worst && findMainErrors(report.errors).get(worst.tool);
  return (
    <Answer
      notes={
        <>
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
          {errors > 0 && (
            <Group mt={6}>
              <AlertButton project={project} kind="tool_errors" cause="when tools fail" />
            </Group>
          )}
        </>
      }
    >
      {calls > 0 && errors === 0 && (
        <>
          Agents called your tools {formatCount(calls)} {calls === 1 ? 'time' : 'times'} {when} without errors.
        </>
      )}
      {errors > 0 && (
        <>
          {formatCount(errors)} of {formatCount(calls)} tool {calls === 1 ? 'call' : 'calls'} failed {when} (
          {formatPercent(errors / calls)})
          {worst !== undefined && (
            <>
              . {toolText(worst.tool)} stands out: {formatCount(worst.errors)} of{' '}
              <Calls {...{ project, linked, tool: worst.tool }} calls={worst.calls} /> failed
              {error?.calls === worst.errors && ` with “${errorText(error)}”`}
            </>
          )}
          .
        </>
      )}
      {calls === 0 && started > 0 && (
        <>
          Agents completed {formatCount(completed)} of {formatCount(started)} {started === 1 ? 'checkout' : 'checkouts'}{' '}
          {when}.
        </>
      )}
      {calls === 0 && started === 0 && <>Agents sent other MCP requests {when}, but called no tools.</>}
    </Answer>
  );
}

import { Group } from '@mantine/core';
import { AlertButton } from '../../actions/alert-button.js';
import type { Project } from '../../api/client.js';
import type { ToolsReport } from '../../api/tools.js';
import { formatBusySpan } from '../../charts/busy-span.js';
import type { ChartTimes } from '../../charts/chart-times.js';
import { toSelectedRange } from '../../charts/selected-range.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { Listing } from '../../ui/listing.js';
import { TextLink } from '../../ui/text-link.js';
import { errorText, findMainError } from './call-errors.js';
import { findFailingTool, findFailureTime } from './failures.js';
import { Calls, toolText } from './tool-tables.js';
import { sumTools } from './totals.js';

/** Number of tools named. */
const MAX_NAMED = 3;

interface ToolsAnswerProps {
  project: Project;
  report: ToolsReport;
  linked: LinkedRange;
  times: ChartTimes;
  /** Range in words, such as "in the last 30 days". */
  when: string;
}

/** Sentences about the tool calls that failed and why, and about the checkouts. */
export function ToolsAnswer({ project, report, linked, times, when }: ToolsAnswerProps) {
  const { calls, errors, checkouts, completed } = sumTools(report);
  const completion = `${formatCount(completed)} of ${formatCount(checkouts)} ${checkouts === 1 ? 'checkout' : 'checkouts'}`;
  return (
    <Answer
      notes={
        <>
          {errors > 1 && <MainError report={report} errors={errors} />}
          {report.unknown_tools.length > 0 && <UnknownTools {...{ project, report, linked }} />}
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
          Agents made {formatCount(calls)} tool {calls === 1 ? 'call' : 'calls'} {when}, without errors.
        </>
      )}
      {errors > 0 && <Failures {...{ project, report, linked, times, when, calls, errors }} />}
      {calls > 0 && checkouts > 0 && ` Agents completed ${completion}.`}
      {calls === 0 && checkouts > 0 && `Agents completed ${completion} ${when}.`}
      {calls === 0 && checkouts === 0 && `Agents sent other MCP requests ${when}, but called no tools.`}
    </Answer>
  );
}

interface FailuresProps extends ToolsAnswerProps {
  calls: number;
  errors: number;
}

function Failures({ project, report, linked, times, when, calls, errors }: FailuresProps) {
  const failing = findFailingTool(report.tools, errors / calls);
  const time = findFailureTime(report.series.map((item) => item.errors));
  const starts = report.series.map((item) => item.time);
  const single = errors === 1 ? report.errors.find(({ method }) => method === 'tools/call') : undefined;
  return (
    <>
      {formatCount(errors)} of {formatCount(calls)} tool {calls === 1 ? 'call' : 'calls'} failed {when}
      {time !== null && (
        <>
          , {time.errors === errors ? 'all' : `${formatCount(time.errors)}`} of them{' '}
          <TextLink
            to="/projects/$projectId/tools"
            params={{ projectId: project.id }}
            search={toSelectedRange(starts, time.first, time.last, report)}
            inherit
          >
            {formatBusySpan(time, starts, times)}
          </TextLink>
        </>
      )}
      {single !== undefined && `: ${toolText(single.tool)}, with “${errorText(single)}”`}.
      {failing !== undefined && (
        <>
          {' '}
          {toolText(failing.tool)} has the highest failure rate: {formatPercent(failing.errors / failing.calls)} of{' '}
          <Calls {...{ project, linked, tool: failing.tool }} calls={failing.calls} unit=" calls" />.
        </>
      )}
    </>
  );
}

/** Names the most frequent error of all tools. */
function MainError({ report, errors }: { report: ToolsReport; errors: number }) {
  const error = findMainError(report.errors);
  if (error === null) return null;
  return (
    <p>
      Most frequent error: “{error.text}” ({error.calls === errors ? 'all' : formatCount(error.calls)} of{' '}
      {formatCount(errors)}).
    </p>
  );
}

const UnknownTools = ({ project, report, linked }: Pick<ToolsAnswerProps, 'project' | 'report' | 'linked'>) => (
  <p>
    Callers also asked for {report.unknown_tools.length === 1 ? 'a tool' : 'tools'} that your server doesn’t seem to
    have:{' '}
    <Listing
      limit={MAX_NAMED}
      items={report.unknown_tools.map(({ tool, calls }) => ({
        key: tool,
        content: (
          <>
            {tool} (<Calls {...{ project, linked, tool }} calls={calls} />)
          </>
        ),
      }))}
    />
    .
  </p>
);

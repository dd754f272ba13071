import { Text } from '@mantine/core';
import type { Project } from '../../api/client.js';
import type { ToolsReport } from '../../api/tools.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { formatDuration } from '../../format/duration.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Lead } from '../../ui/lead.js';
import { TextLink } from '../../ui/text-link.js';
import { errorText, findMainErrors } from './call-errors.js';
import { visitsLink } from './caller.js';

/** Tool, or name that callers requested although the site doesn't seem to have such a tool. */
interface Tool extends Omit<ToolsReport['tools'][number], 'callers' | 'clients'> {
  /** Null for an unknown tool. */
  callers: number | null;
  /** Null for an unknown tool. */
  clients: number | null;
  isUnknown: boolean;
}

export interface TablesProps {
  project: Project;
  report: ToolsReport;
  range: Range;
  /** Range for links to the visit list. */
  linked: LinkedRange;
}

/** Maximum length of stored tool names. Longer names are truncated, so filters can't match them. */
const MAX_TOOL_NAME_LENGTH = 200;

export const toolText = (tool: string): string => tool || 'Unnamed';
const UNKNOWN_TOOL = { isUnknown: true, callers: null, clients: null, p50_ms: null, p95_ms: null, timed_calls: 0 };

export const toolFilters = (tool: string) => ({ mcp_tool: [tool] });
export const isFindable = (tool: string): boolean => tool !== '' && tool.length < MAX_TOOL_NAME_LENGTH;

function ToolName({ project, linked, tool, isUnknown }: LinkProps & Pick<Tool, 'tool' | 'isUnknown'>) {
  return (
    <>
      {isFindable(tool) ? (
        <TextLink {...visitsLink(project.id, linked)(toolFilters(tool))} size="sm">
          {tool}
        </TextLink>
      ) : (
        toolText(tool)
      )}
      {isUnknown && (
        <Text span size="xs" c="dimmed" fw={400}>
          {' '}
          No such tool
        </Text>
      )}
    </>
  );
}

/** Returns columns for the number and share of errors. */
export function errorColumns<T extends { errors: number }>(countAll: (row: T) => number): readonly TableColumn<T>[] {
  const getRate = (row: T): number => row.errors / countAll(row);
  return [
    {
      key: 'errors',
      label: 'Failed',
      isNumber: true,
      value: ({ errors }) => errors,
      cell: ({ errors }) => (errors === 0 ? <span className="zero">–</span> : formatCount(errors)),
    },
    {
      key: 'share',
      label: 'Failure rate',
      isNumber: true,
      narrow: { after: 'failed', isSoft: true },
      value: getRate,
      cell: (row) => (row.errors === 0 ? <span className="zero">–</span> : formatPercent(getRate(row))),
    },
  ];
}

const NOTHING = <span className="zero">–</span>;

export type LinkProps = Pick<TablesProps, 'project' | 'linked'>;

const toolColumns = (link: LinkProps, mainErrors: ReturnType<typeof findMainErrors>): TableColumn<Tool>[] => [
  {
    key: 'tool',
    label: 'Tool',
    isHead: true,
    value: ({ tool }) => tool,
    cell: (row) => <ToolName {...link} {...row} />,
  },
  {
    key: 'calls',
    label: 'Calls',
    isNumber: true,
    narrow: { after: 'calls' },
    value: ({ calls }) => calls,
    cell: ({ tool, calls }) => <Calls {...link} tool={tool} calls={calls} />,
  },
  ...errorColumns<Tool>(({ calls }) => calls),
  {
    key: 'cause',
    label: 'Most frequent error',
    isFixed: true,
    narrow: { isSoft: true },
    value: ({ tool }) => mainErrors.get(tool) && errorText(mainErrors.get(tool)!),
    cell: ({ tool }) => {
      const error = mainErrors.get(tool);
      return (
        error !== undefined && (
          <Text span size="sm" c="dimmed">
            {errorText(error)} (
            {error.fault === 'http' ? (
              <Calls {...link} tool={error.tool} calls={error.calls} filters={{ status: [String(error.code)] }} />
            ) : (
              formatCount(error.calls)
            )}
            )
          </Text>
        )
      );
    },
  },
  {
    key: 'callers',
    label: 'Callers',
    isNumber: true,
    value: ({ callers }) => callers,
    cell: ({ callers }) => callers ?? NOTHING,
  },
  {
    key: 'clients',
    label: 'Client programs',
    isNumber: true,
    value: ({ clients }) => clients,
    cell: ({ clients }) => clients ?? NOTHING,
  },
  {
    key: 'p50',
    label: 'Median',
    isNumber: true,
    value: ({ p50_ms: p50 }) => p50,
    cell: ({ p50_ms: p50 }) => (p50 === null ? NOTHING : formatDuration(p50)),
  },
  {
    key: 'p95',
    label: '95% within',
    isNumber: true,
    narrow: { before: '95% within', isSoft: true },
    value: ({ p95_ms: p95 }) => p95,
    cell: ({ p95_ms: p95 }) => (p95 === null ? NOTHING : formatDuration(p95)),
  },
  { key: 'timed', label: 'Timed calls', isOnlyExported: true, value: ({ timed_calls: timedCalls }) => timedCalls },
];

export function ToolsTable({ project, report, range, linked }: TablesProps) {
  const totalCalls = report.series.reduce((sum, { calls }) => sum + calls, 0);
  const tools = [
    ...report.tools.map((tool): Tool => ({ ...tool, isUnknown: false })),
    ...report.unknown_tools.map((tool): Tool => ({ ...UNKNOWN_TOOL, ...tool, errors: tool.calls })),
  ];
  const mainErrors = findMainErrors(report.errors);
  const columns = toolColumns({ project, linked }, mainErrors).filter(
    ({ key }) => key !== 'cause' || mainErrors.size > 0,
  );
  const listedCalls = tools.reduce((sum, { calls }) => sum + calls, 0);
  return (
    <>
      <DataTable
        label="Tools"
        phone={['tool calls', 'share p95', 'cause cause']}
        toolbar={
          <Lead help="Errors are results marked as errors, JSON-RPC errors, and statuses of 400 or higher. Access logs don’t have bodies, so their tool errors are HTTP errors only. Each version of a client program counts separately. “95% within” is the time in which 95% of calls finished, and durations are accurate to within 10%. No such tool: every call failed with -32602 (invalid params) or -32601 (method not found).">
            Calls to your MCP tools, with the agents and the programs they say they’re using.
          </Lead>
        }
        columns={columns}
        rows={tools}
        rowKey={({ tool, isUnknown }) => `${isUnknown} ${tool}`}
        initial="calls"
        owner={project.name}
        range={range}
        empty="No tools were called in this range."
      />
      {totalCalls > listedCalls && (
        <Text size="xs" c="dimmed">
          Plus {formatCount(totalCalls - listedCalls)} calls to other tools. At most 1,000 tool names are counted every
          15 minutes, and this table lists at most 500.
        </Text>
      )}
    </>
  );
}

interface CallsProps extends LinkProps {
  tool: string;
  calls: number;
  filters?: object;
  /** Text after the number, such as " calls". By default, only screen readers get one. */
  unit?: string;
}

/** Number of calls. Links to the visits unless the tool name is empty or truncated. */
export function Calls({ project, linked, tool, calls, filters = {}, unit = '' }: CallsProps) {
  if (!isFindable(tool)) return formatCount(calls) + unit;
  return (
    <TextLink {...visitsLink(project.id, linked)({ ...toolFilters(tool), ...filters })} inherit>
      {formatCount(calls)}
      {unit || <span className="unseen"> calls to {tool}</span>}
    </TextLink>
  );
}

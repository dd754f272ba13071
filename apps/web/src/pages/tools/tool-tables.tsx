import { Text } from '@mantine/core';
import type { Project } from '../../api/client.js';
import type { ToolsReport } from '../../api/tools.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { formatLongDuration } from '../../format/duration.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Lead } from '../../ui/lead.js';
import { TextLink } from '../../ui/text-link.js';
import { CallerName, callerFilters, callerText, visitsLink } from './caller.js';

type Tool = ToolsReport['tools'][number];
type UnknownTool = ToolsReport['unknown_tools'][number];
type ToolCaller = ToolsReport['callers'][number];
type Client = ToolsReport['clients'][number];

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
export const toolFilters = (tool: string) => ({ mcp_tool: [tool] });
export const isFindable = (tool: string): boolean => tool !== '' && tool.length < MAX_TOOL_NAME_LENGTH;

const errorRate = ({ errors, calls }: Tool): number => errors / calls;

export type LinkProps = Pick<TablesProps, 'project' | 'linked'>;

const toolColumns = (link: LinkProps): readonly TableColumn<Tool>[] => [
  { key: 'tool', label: 'Tool', isHead: true, value: ({ tool }) => tool, cell: ({ tool }) => toolText(tool) },
  {
    key: 'calls',
    label: 'Calls',
    isNumber: true,
    narrow: { after: 'calls' },
    value: ({ calls }) => calls,
    cell: ({ tool, calls }) => <Calls {...link} tool={tool} calls={calls} />,
  },
  {
    key: 'errors',
    label: 'Errors',
    isNumber: true,
    value: ({ errors }) => errors,
    cell: ({ errors }) => (errors === 0 ? <span className="zero">–</span> : formatCount(errors)),
  },
  {
    key: 'share',
    label: 'Error rate',
    isNumber: true,
    narrow: { after: 'failed', isSoft: true },
    value: errorRate,
    cell: (tool) => (tool.errors === 0 ? <span className="zero">–</span> : formatPercent(errorRate(tool))),
  },
  { key: 'callers', label: 'Callers', isNumber: true, value: ({ callers }) => callers },
  { key: 'clients', label: 'Clients', isNumber: true, value: ({ clients }) => clients },
  {
    key: 'p50',
    label: 'p50',
    isNumber: true,
    value: ({ p50_ms: p50 }) => p50,
    cell: ({ p50_ms: p50 }) => (p50 === null ? '–' : formatLongDuration(p50)),
  },
  {
    key: 'p95',
    label: 'p95',
    isNumber: true,
    narrow: { before: 'p95', isSoft: true },
    value: ({ p95_ms: p95 }) => p95,
    cell: ({ p95_ms: p95 }) => (p95 === null ? '–' : formatLongDuration(p95)),
  },
  { key: 'timed', label: 'Timed calls', isOnlyExported: true, value: ({ timed_calls: timedCalls }) => timedCalls },
];

export function ToolsTable({ project, report, range, linked }: TablesProps) {
  const { tools, series } = report;
  const totalCalls = series.reduce((sum, { calls }) => sum + calls, 0);
  const listedCalls = [...tools, ...report.unknown_tools].reduce((sum, { calls }) => sum + calls, 0);
  return (
    <>
      <DataTable
        label="Tools"
        phone={['tool calls', 'share p95']}
        toolbar={
          <Lead help="Errors are results marked as errors, JSON-RPC errors, and statuses of 400 or higher. Access logs don’t have bodies, so their tool errors are HTTP errors only. Half of the calls finished within p50. Both durations are accurate to within 10%.">
            Calls to your MCP tools. 95% finished within p95.
          </Lead>
        }
        columns={toolColumns({ project, linked })}
        rows={tools}
        rowKey={({ tool }) => tool}
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
}

/** Number of calls. Links to the visits unless the tool name is empty or truncated. */
export function Calls({ project, linked, tool, calls, filters = {} }: CallsProps) {
  if (!isFindable(tool)) return formatCount(calls);
  return (
    <TextLink {...visitsLink(project.id, linked)({ ...toolFilters(tool), ...filters })} size="sm">
      {formatCount(calls)}
      <span className="unseen"> calls to {tool}</span>
    </TextLink>
  );
}

const unknownToolColumns = (link: LinkProps): readonly TableColumn<UnknownTool>[] => [
  { key: 'tool', label: 'Tool', isHead: true, value: ({ tool }) => tool, cell: ({ tool }) => toolText(tool) },
  {
    key: 'calls',
    label: 'Calls',
    isNumber: true,
    narrow: { after: 'calls' },
    value: ({ calls }) => calls,
    cell: ({ tool, calls }) => <Calls {...link} tool={tool} calls={calls} />,
  },
];

/** Tools that callers requested but the site doesn't seem to have. */
export function UnknownToolsTable({ project, report, range, linked }: TablesProps) {
  return (
    <DataTable
      label="Unknown tools"
      phone={['tool calls']}
      toolbar={
        <Lead help="Every call in this range failed with -32602 (invalid params, which MCP specifies for unknown tools) or -32601 (method not found).">
          Tools that callers requested but your server doesn’t seem to have.
        </Lead>
      }
      columns={unknownToolColumns({ project, linked })}
      rows={report.unknown_tools}
      rowKey={({ tool }) => tool}
      initial="calls"
      owner={project.name}
      range={range}
      empty="No unknown tools were called in this range."
    />
  );
}

const callerColumns = (link: LinkProps): readonly TableColumn<ToolCaller>[] => [
  {
    key: 'agent',
    label: 'Agent',
    isHead: true,
    value: callerText,
    cell: (caller) => <CallerName caller={caller} projectId={link.project.id} linked={link.linked} />,
  },
  { key: 'operator', label: 'Operator', isOnlyExported: true, value: (caller) => caller.operator_name },
  {
    key: 'tool',
    label: 'Tool',
    narrow: { isSoft: true },
    value: ({ tool }) => tool,
    cell: ({ tool }) => toolText(tool),
  },
  {
    key: 'calls',
    label: 'Calls',
    isNumber: true,
    narrow: { after: 'calls' },
    value: ({ calls }) => calls,
    cell: (caller) => <Calls {...link} tool={caller.tool} calls={caller.calls} filters={callerFilters(caller)} />,
  },
];

export function CallersTable({ project, report, range, linked }: TablesProps) {
  return (
    <DataTable
      label="Callers"
      phone={['agent calls', 'tool tool']}
      pageSize={10}
      toolbar={
        <Lead help="Callers that only claim to be an agent are grouped as spoofed.">
          Agents and the tools they called.
        </Lead>
      }
      columns={callerColumns({ project, linked })}
      rows={report.callers}
      rowKey={(caller) => `${caller.agent_id} ${caller.is_spoofed} ${caller.tool}`}
      initial="calls"
      owner={project.name}
      range={range}
      empty="No tools were called in this range."
    />
  );
}

const CLIENT_COLUMNS: readonly TableColumn<Client>[] = [
  {
    key: 'client',
    label: 'Client',
    isHead: true,
    value: (client) => client.client_name,
    cell: (client) => client.client_name || 'Not reported',
  },
  {
    key: 'version',
    label: 'Version',
    narrow: { before: 'Version', isSoft: true },
    value: (client) => client.client_version,
    cell: (client) => client.client_version || '–',
  },
  {
    key: 'tools',
    label: 'Tools',
    isNumber: true,
    narrow: { after: 'tools', isSoft: true },
    value: ({ tools }) => tools,
  },
  { key: 'calls', label: 'Calls', isNumber: true, narrow: { after: 'calls' }, value: ({ calls }) => calls },
];

export function ClientsTable({ project, report, range }: TablesProps) {
  return (
    <DataTable
      label="Clients"
      phone={['client calls', 'version tools']}
      toolbar={
        <Lead help="A client can send any name, so check Callers to see who really called.">
          Client programs, by the name they send in clientInfo.
        </Lead>
      }
      columns={CLIENT_COLUMNS}
      rows={report.clients}
      rowKey={(client) => JSON.stringify([client.client_name, client.client_version])}
      initial="calls"
      owner={project.name}
      range={range}
      empty="No tools were called in this range."
    />
  );
}

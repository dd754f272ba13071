import { Text } from '@mantine/core';
import type { Project } from '../../api/client.js';
import type { ToolsReport } from '../../api/tools.js';
import { percentText } from '../../format/change.js';
import { countText } from '../../format/count.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { CallerName, callerFilters, callerText, visitsLink } from './caller.js';

type Tool = ToolsReport['tools'][number];
type UnknownTool = ToolsReport['unknown_tools'][number];
type CallError = ToolsReport['errors'][number];
type ToolCaller = ToolsReport['callers'][number];
type Client = ToolsReport['clients'][number];

export interface TablesProps {
  project: Project;
  report: ToolsReport;
  range: Range;
  /** Range for links to lists. */
  linked: LinkedRange;
}

/** Length at which tool names are truncated. Filters can't find truncated names. */
const CUT_LENGTH = 200;

const toolText = (tool: string): string => tool || 'No name';
const toolFilters = (tool: string) => ({ mcp_tool: [tool] });
const isFindable = (tool: string): boolean => tool !== '' && tool.length < CUT_LENGTH;

const errorShare = ({ errors, calls }: Tool): number => errors / calls;

type LinkProps = Pick<TablesProps, 'project' | 'linked'>;

const toolColumns = (link: LinkProps): readonly TableColumn<Tool>[] => [
  { key: 'tool', label: 'Tool', isHead: true, value: ({ tool }) => tool, cell: ({ tool }) => toolText(tool) },
  {
    key: 'calls',
    label: 'Calls',
    isNumber: true,
    value: ({ calls }) => calls,
    cell: ({ tool, calls }) => <Calls {...link} tool={tool} calls={calls} />,
  },
  { key: 'errors', label: 'Errors', isNumber: true, value: ({ errors }) => errors },
  {
    key: 'share',
    label: 'Error share',
    isNumber: true,
    value: errorShare,
    cell: (tool) => percentText(errorShare(tool)),
  },
  { key: 'callers', label: 'Callers', isNumber: true, value: ({ callers }) => callers },
  { key: 'clients', label: 'Clients', isNumber: true, value: ({ clients }) => clients },
  {
    key: 'p50',
    label: 'p50 (ms)',
    isNumber: true,
    value: ({ p50_ms: p50 }) => p50,
    cell: ({ p50_ms: p50 }) => millisecondsText(p50),
  },
  {
    key: 'p95',
    label: 'p95 (ms)',
    isNumber: true,
    value: ({ p95_ms: p95 }) => p95,
    cell: ({ p95_ms: p95 }) => millisecondsText(p95),
  },
  { key: 'timed', label: 'Timed calls', isOnlyExported: true, value: ({ timed_calls: timed }) => timed },
];

export function ToolsTable({ project, report, range, linked }: TablesProps) {
  const { tools, series } = report;
  const all = series.reduce((sum, { calls }) => sum + calls, 0);
  const listed = [...tools, ...report.unknown_tools].reduce((sum, { calls }) => sum + calls, 0);
  return (
    <Section
      title="Tools"
      lead="Calls of MCP tools. An error is a result marked as one, a JSON-RPC error, or a status of 400 and above. Half of the calls took at most p50, 95 % at most p95, both within 10 %."
    >
      <DataTable
        label="Tools"
        columns={toolColumns({ project, linked })}
        rows={tools}
        rowKey={({ tool }) => tool}
        initial="calls"
        owner={project.name}
        range={range}
        empty="No tool was called in this range."
      />
      {all > listed && (
        <Text size="xs" c="dimmed">
          And {countText(all - listed)} calls of tools beyond the 1,000 names that are counted in a quarter of an hour,
          or the 500 in this list.
        </Text>
      )}
    </Section>
  );
}

const millisecondsText = (duration: number | null): string =>
  duration === null ? '–' : duration.toLocaleString('en', { maximumSignificantDigits: 3 });

interface CallsProps extends LinkProps {
  tool: string;
  calls: number;
  filters?: object;
}

/** Number of calls, linked to the visits if a filter can find them. */
function Calls({ project, linked, tool, calls, filters = {} }: CallsProps) {
  if (!isFindable(tool)) return countText(calls);
  return (
    <TextLink {...visitsLink(project.id, linked)({ ...toolFilters(tool), ...filters })} size="sm">
      {countText(calls)}
      <span className="unseen"> calls of {tool}</span>
    </TextLink>
  );
}

/** Names of JSON-RPC error codes. */
const CODES: Record<number, string> = {
  [-32_700]: 'Parse error',
  [-32_600]: 'Invalid request',
  [-32_601]: 'Method not found',
  [-32_602]: 'Invalid params',
  [-32_603]: 'Internal error',
  [-32_002]: 'Resource not found',
  [-32_000]: 'Server error',
};

function faultText({ fault, code }: CallError): string {
  if (fault === 'tool') return 'Result is an error';
  if (fault === 'http') return `HTTP ${code}`;
  const name = CODES[code!];
  return name === undefined ? String(code) : `${code} ${name}`;
}

const errorColumns = (link: LinkProps): readonly TableColumn<CallError>[] => [
  { key: 'error', label: 'Error', isHead: true, value: faultText },
  {
    key: 'tool',
    label: 'Tool',
    value: ({ tool }) => tool,
    cell: ({ tool }) =>
      isFindable(tool) ? (
        <TextLink {...visitsLink(link.project.id, link.linked)(toolFilters(tool))} size="sm">
          {tool}
        </TextLink>
      ) : (
        toolText(tool)
      ),
  },
  { key: 'code', label: 'Code', isOnlyExported: true, value: ({ code }) => code },
  {
    key: 'calls',
    label: 'Calls',
    isNumber: true,
    value: ({ calls }) => calls,
    cell: ({ fault, code, tool, calls }) =>
      fault === 'http' ? (
        <Calls {...link} tool={tool} calls={calls} filters={{ status: [String(code)] }} />
      ) : (
        countText(calls)
      ),
  },
];

export function ErrorsTable({ project, report, range, linked }: TablesProps) {
  return (
    <Section title="Errors" lead="Calls that failed, by code. The tool leads to all of its calls.">
      <DataTable
        label="Errors"
        columns={errorColumns({ project, linked })}
        rows={report.errors}
        rowKey={(error) => `${error.fault} ${error.code} ${error.tool}`}
        initial="calls"
        owner={project.name}
        range={range}
        empty="No call failed in this range."
      />
    </Section>
  );
}

const unknownToolColumns = (link: LinkProps): readonly TableColumn<UnknownTool>[] => [
  { key: 'tool', label: 'Tool', isHead: true, value: ({ tool }) => tool, cell: ({ tool }) => toolText(tool) },
  {
    key: 'calls',
    label: 'Calls',
    isNumber: true,
    value: ({ calls }) => calls,
    cell: ({ tool, calls }) => <Calls {...link} tool={tool} calls={calls} />,
  },
];

/** Tools that callers request and the site seems to lack. */
export function UnknownToolsTable({ project, report, range, linked }: TablesProps) {
  return (
    <Section
      title="Unknown tools"
      lead="Tools that were asked for and that your server does not seem to have: every call in this range was refused with -32602 (invalid params, as MCP says for unknown tools) or -32601."
    >
      <DataTable
        label="Unknown tools"
        columns={unknownToolColumns({ project, linked })}
        rows={report.unknown_tools}
        rowKey={({ tool }) => tool}
        initial="calls"
        owner={project.name}
        range={range}
        empty="None in this range."
      />
    </Section>
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
  { key: 'tool', label: 'Tool', value: ({ tool }) => tool, cell: ({ tool }) => toolText(tool) },
  {
    key: 'calls',
    label: 'Calls',
    isNumber: true,
    value: ({ calls }) => calls,
    cell: (caller) => <Calls {...link} tool={caller.tool} calls={caller.calls} filters={callerFilters(caller)} />,
  },
];

export function CallersTable({ project, report, range, linked }: TablesProps) {
  return (
    <Section
      title="Callers"
      lead="Which agent called which tool. Those that only claim to be an agent are listed as spoofed, under no agent’s name."
    >
      <DataTable
        label="Callers"
        columns={callerColumns({ project, linked })}
        rows={report.callers}
        rowKey={(caller) => `${caller.agent_id} ${caller.is_spoofed} ${caller.tool}`}
        initial="calls"
        owner={project.name}
        range={range}
        empty="No tool was called in this range."
      />
    </Section>
  );
}

const CLIENTS: readonly TableColumn<Client>[] = [
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
    value: (client) => client.client_version,
    cell: (client) => client.client_version || '–',
  },
  { key: 'tools', label: 'Tools', isNumber: true, value: ({ tools }) => tools },
  { key: 'calls', label: 'Calls', isNumber: true, value: ({ calls }) => calls },
];

export function ClientsTable({ project, report, range }: TablesProps) {
  return (
    <Section
      title="Clients"
      lead="Which program called, as it calls itself in clientInfo. Anybody can send any name: Callers says who it was."
    >
      <DataTable
        label="Clients"
        columns={CLIENTS}
        rows={report.clients}
        rowKey={(client) => JSON.stringify([client.client_name, client.client_version])}
        initial="calls"
        owner={project.name}
        range={range}
        empty="No tool was called in this range."
      />
    </Section>
  );
}

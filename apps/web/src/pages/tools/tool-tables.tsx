import { Text } from '@mantine/core';
import type { Project } from '../../api/client.js';
import type { ToolsReport } from '../../api/tools.js';
import { percentText } from '../../format/change.js';
import { countText } from '../../format/count.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { Section } from '../../ui/section.js';
import { SortedTable } from '../../ui/sorted-table.js';
import type { Column, Sort } from '../../ui/sorting.js';
import { TextLink } from '../../ui/text-link.js';
import plain from '../../ui/plain-table.module.css';
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
  /** What links lead to. */
  linked: LinkedRange;
}

/** Longer names were cut, so that no filter finds them. */
const CUT_LENGTH = 200;

const toolText = (tool: string): string => tool || 'No name';
const toolFilters = (tool: string) => ({ mcp_tool: [tool] });
const isFindable = (tool: string): boolean => tool !== '' && tool.length < CUT_LENGTH;
const BY_CALLS: Sort = { key: 'calls', direction: 'descending' };

const errorShare = ({ errors, calls }: Tool): number => errors / calls;

const TOOLS: readonly Column<Tool>[] = [
  { key: 'tool', label: 'Tool', value: ({ tool }) => tool },
  { key: 'calls', label: 'Calls', isNumber: true, value: ({ calls }) => calls },
  { key: 'errors', label: 'Errors', isNumber: true, value: ({ errors }) => errors },
  { key: 'share', label: 'Error share', isNumber: true, value: errorShare },
  { key: 'callers', label: 'Callers', isNumber: true, value: ({ callers }) => callers },
  { key: 'clients', label: 'Clients', isNumber: true, value: ({ clients }) => clients },
  { key: 'p50', label: 'p50 (ms)', isNumber: true, value: ({ p50_ms: p50 }) => p50 },
  { key: 'p95', label: 'p95 (ms)', isNumber: true, value: ({ p95_ms: p95 }) => p95 },
  { key: 'timed', label: 'Timed calls', isOnlyExported: true, value: ({ timed_calls: timed }) => timed },
];

/** What each tool was called for, and how it answered. */
export function ToolsTable({ project, report, range, linked }: TablesProps) {
  const { tools, series } = report;
  const all = series.reduce((sum, { calls }) => sum + calls, 0);
  const listed = [...tools, ...report.unknown_tools].reduce((sum, { calls }) => sum + calls, 0);
  return (
    <Section
      title="Tools"
      lead="Calls of MCP tools. An error is a result marked as one, a JSON-RPC error, or a status of 400 and above. Half of the calls took at most p50, 95 % at most p95, both within 10 %."
    >
      {tools.length === 0 ? (
        <Text size="sm">No tool was called in this range.</Text>
      ) : (
        <SortedTable label="Tools" columns={TOOLS} rows={tools} initial={BY_CALLS} owner={project.name} range={range}>
          {(tool) => (
            <tr key={tool.tool}>
              <th scope="row">{toolText(tool.tool)}</th>
              <td className={plain['number']}>
                <Calls {...{ project, linked }} tool={tool.tool} calls={tool.calls} />
              </td>
              <td className={plain['number']}>{countText(tool.errors)}</td>
              <td className={plain['number']}>{percentText(errorShare(tool))}</td>
              <td className={plain['number']}>{countText(tool.callers)}</td>
              <td className={plain['number']}>{countText(tool.clients)}</td>
              <td className={plain['number']}>{millisecondsText(tool.p50_ms)}</td>
              <td className={plain['number']}>{millisecondsText(tool.p95_ms)}</td>
            </tr>
          )}
        </SortedTable>
      )}
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

interface CallsProps {
  project: Project;
  linked: LinkedRange;
  tool: string;
  calls: number;
  filters?: object;
}

/** A number of calls, which leads to them where they can be found. */
function Calls({ project, linked, tool, calls, filters = {} }: CallsProps) {
  if (!isFindable(tool)) return countText(calls);
  return (
    <TextLink {...visitsLink(project.id, linked)({ ...toolFilters(tool), ...filters })} size="sm">
      {countText(calls)}
      <span className="unseen"> calls of {tool}</span>
    </TextLink>
  );
}

/** What people call JSON-RPC's codes. */
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

const ERRORS: readonly Column<CallError>[] = [
  { key: 'error', label: 'Error', value: faultText },
  { key: 'tool', label: 'Tool', value: ({ tool }) => tool },
  { key: 'code', label: 'Code', isOnlyExported: true, value: ({ code }) => code },
  { key: 'calls', label: 'Calls', isNumber: true, value: ({ calls }) => calls },
];

export function ErrorsTable({ project, report, range, linked }: TablesProps) {
  return (
    <Section title="Errors" lead="Calls that failed, by code. The tool leads to all of its calls.">
      {report.errors.length === 0 ? (
        <Text size="sm">No call failed in this range.</Text>
      ) : (
        <SortedTable
          label="Errors"
          columns={ERRORS}
          rows={report.errors}
          initial={BY_CALLS}
          owner={project.name}
          range={range}
        >
          {(error) => (
            <tr key={`${error.fault} ${error.code} ${error.tool}`}>
              <th scope="row">{faultText(error)}</th>
              <td>
                {isFindable(error.tool) ? (
                  <TextLink {...visitsLink(project.id, linked)(toolFilters(error.tool))} size="sm">
                    {error.tool}
                  </TextLink>
                ) : (
                  toolText(error.tool)
                )}
              </td>
              <td className={plain['number']}>
                {error.fault === 'http' ? (
                  <Calls
                    {...{ project, linked }}
                    tool={error.tool}
                    calls={error.calls}
                    filters={{ status: [String(error.code)] }}
                  />
                ) : (
                  countText(error.calls)
                )}
              </td>
            </tr>
          )}
        </SortedTable>
      )}
    </Section>
  );
}

const UNKNOWN_TOOLS: readonly Column<UnknownTool>[] = [
  { key: 'tool', label: 'Tool', value: ({ tool }) => tool },
  { key: 'calls', label: 'Calls', isNumber: true, value: ({ calls }) => calls },
];

/** What callers expect a site to have. */
export function UnknownToolsTable({ project, report, range, linked }: TablesProps) {
  return (
    <Section
      title="Unknown tools"
      lead="Tools that were asked for and that your server does not seem to have: every call in this range was refused with -32602 (invalid params, as MCP says for unknown tools) or -32601."
    >
      {report.unknown_tools.length === 0 ? (
        <Text size="sm">None in this range.</Text>
      ) : (
        <SortedTable
          label="Unknown tools"
          columns={UNKNOWN_TOOLS}
          rows={report.unknown_tools}
          initial={BY_CALLS}
          owner={project.name}
          range={range}
        >
          {({ tool, calls }) => (
            <tr key={tool}>
              <th scope="row">{toolText(tool)}</th>
              <td className={plain['number']}>
                <Calls {...{ project, linked, tool, calls }} />
              </td>
            </tr>
          )}
        </SortedTable>
      )}
    </Section>
  );
}

const CALLERS: readonly Column<ToolCaller>[] = [
  { key: 'agent', label: 'Agent', value: callerText },
  { key: 'operator', label: 'Operator', isOnlyExported: true, value: (caller) => caller.operator_name },
  { key: 'tool', label: 'Tool', value: ({ tool }) => tool },
  { key: 'calls', label: 'Calls', isNumber: true, value: ({ calls }) => calls },
];

export function CallersTable({ project, report, range, linked }: TablesProps) {
  return (
    <Section
      title="Callers"
      lead="Which agent called which tool. Those that only claim to be an agent are listed as spoofed, under no agent’s name."
    >
      {report.callers.length === 0 ? (
        <Text size="sm">No tool was called in this range.</Text>
      ) : (
        <SortedTable
          label="Callers"
          columns={CALLERS}
          rows={report.callers}
          initial={BY_CALLS}
          owner={project.name}
          range={range}
        >
          {(caller) => (
            <tr key={`${caller.agent_id} ${caller.is_spoofed} ${caller.tool}`}>
              <th scope="row">
                <CallerName caller={caller} projectId={project.id} linked={linked} />
              </th>
              <td>{toolText(caller.tool)}</td>
              <td className={plain['number']}>
                <Calls
                  {...{ project, linked }}
                  tool={caller.tool}
                  calls={caller.calls}
                  filters={callerFilters(caller)}
                />
              </td>
            </tr>
          )}
        </SortedTable>
      )}
    </Section>
  );
}

const CLIENTS: readonly Column<Client>[] = [
  { key: 'client', label: 'Client', value: (client) => client.client_name },
  { key: 'version', label: 'Version', value: (client) => client.client_version },
  { key: 'tools', label: 'Tools', isNumber: true, value: ({ tools }) => tools },
  { key: 'calls', label: 'Calls', isNumber: true, value: ({ calls }) => calls },
];

export function ClientsTable({ project, report, range }: TablesProps) {
  return (
    <Section
      title="Clients"
      lead="Which program called, as it calls itself in clientInfo. Anybody can send any name: Callers says who it was."
    >
      {report.clients.length === 0 ? (
        <Text size="sm">No tool was called in this range.</Text>
      ) : (
        <SortedTable
          label="Clients"
          columns={CLIENTS}
          rows={report.clients}
          initial={BY_CALLS}
          owner={project.name}
          range={range}
        >
          {(client) => (
            <tr key={JSON.stringify([client.client_name, client.client_version])}>
              <th scope="row">{client.client_name || 'Not reported'}</th>
              <td>{client.client_version || '–'}</td>
              <td className={plain['number']}>{countText(client.tools)}</td>
              <td className={plain['number']}>{countText(client.calls)}</td>
            </tr>
          )}
        </SortedTable>
      )}
    </Section>
  );
}

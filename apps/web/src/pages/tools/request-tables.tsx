import type { ToolsReport } from '../../api/tools.js';
import { formatCount } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Lead } from '../../ui/lead.js';
import { TextLink } from '../../ui/text-link.js';
import { CallerName, callerFilters, callerText, visitsLink } from './caller.js';
import { ITEM_KINDS } from './mcp-methods.js';
import { Calls, errorColumns, toolText, type LinkProps, type TablesProps } from './tool-tables.js';

type McpRequest = ToolsReport['requests'][number];
type Version = ToolsReport['versions'][number];

const isItem = (method: string): boolean => Object.hasOwn(ITEM_KINDS, method);
const getName = ({ method, name }: McpRequest): string => (isItem(method) ? toolText(name) : method);

const getRequestColumns = (link: LinkProps): readonly TableColumn<McpRequest>[] => [
  {
    key: 'name',
    label: 'Request',
    isHead: true,
    value: getName,
  },
  { key: 'kind', label: 'Kind', narrow: { isSoft: true }, value: ({ method }) => ITEM_KINDS[method] ?? 'Other method' },
  {
    key: 'requests',
    label: 'Requests',
    isNumber: true,
    narrow: { after: 'requests' },
    value: ({ requests }) => requests,
    cell: ({ method, name, requests }) =>
      isItem(method) ? <Calls {...link} tool={name} calls={requests} /> : formatCount(requests),
  },
  ...errorColumns<McpRequest>(({ requests }) => requests),
];

export function RequestsTable({ project, report, range, linked }: TablesProps) {
  return (
    <DataTable
      label="Other requests"
      phone={['name requests', 'kind share']}
      toolbar={<Lead>Resources that were read, prompts that were requested, and other MCP methods.</Lead>}
      columns={getRequestColumns({ project, linked })}
      rows={report.requests}
      rowKey={({ method, name }) => `${method} ${name}`}
      initial="requests"
      owner={project.name}
      range={range}
      empty="No other MCP requests in this range."
    />
  );
}

const versionColumns = ({ project, linked }: LinkProps): readonly TableColumn<Version>[] => [
  {
    key: 'version',
    label: 'Version',
    isHead: true,
    value: ({ version }) => version,
    cell: ({ version }) => version || 'Not reported',
  },
  {
    key: 'agent',
    label: 'Agent',
    value: callerText,
    cell: (row) => <CallerName caller={row} projectId={project.id} linked={linked} />,
  },
  { key: 'operator', label: 'Operator', isOnlyExported: true, value: (row) => row.operator_name },
  {
    key: 'client',
    label: 'Client program',
    narrow: { isSoft: true },
    value: (row) => row.client_name,
    cell: (row) => [row.client_name, row.client_version].join(' ').trim() || 'Not reported',
  },
  { key: 'client_version', label: 'Program version', isOnlyExported: true, value: (row) => row.client_version },
  {
    key: 'requests',
    label: 'Requests',
    isNumber: true,
    narrow: { after: 'requests' },
    value: ({ requests }) => requests,
    cell: (row) =>
      row.version === '' ? (
        formatCount(row.requests)
      ) : (
        <TextLink {...visitsLink(project.id, linked)({ mcp_version: [row.version], ...callerFilters(row) })} size="sm">
          {formatCount(row.requests)}
          <span className="unseen">
            {' '}
            requests by {callerText(row)} with version {row.version}
          </span>
        </TextLink>
      ),
  },
];

export function VersionsTable({ project, report, range, linked }: TablesProps) {
  return (
    <DataTable
      label="Protocol versions"
      phone={['version requests', 'agent client']}
      toolbar={
        <Lead help="Client programs report the protocol version since 2025-06-18. Select a number to see the agent’s visits with that version.">
          MCP requests by protocol version, agent, and client program.
        </Lead>
      }
      columns={versionColumns({ project, linked })}
      rows={report.versions}
      rowKey={(row) => JSON.stringify([row.version, row.agent_id, row.is_spoofed, row.client_name, row.client_version])}
      initial="requests"
      owner={project.name}
      range={range}
      empty="No MCP requests in this range."
    />
  );
}

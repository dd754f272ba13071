import type { ToolsReport } from '../../api/tools.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Lead } from '../../ui/lead.js';
import { TextLink } from '../../ui/text-link.js';
import { CallerName, callerFilters, callerText, visitsLink } from './caller.js';
import { ITEM_KINDS } from './mcp-methods.js';
import { Calls, toolText, type LinkProps, type TablesProps } from './tool-tables.js';

type McpRequest = ToolsReport['requests'][number];
type Version = ToolsReport['versions'][number];

const requestErrorRate = ({ errors, requests }: McpRequest): number => errors / requests;

const COUNT_COLUMNS: readonly TableColumn<McpRequest>[] = [
  { key: 'errors', label: 'Errors', isNumber: true, value: ({ errors }) => errors },
  {
    key: 'share',
    label: 'Error rate',
    isNumber: true,
    value: requestErrorRate,
    cell: (request) => formatPercent(requestErrorRate(request)),
  },
];

const itemColumns = (link: LinkProps): readonly TableColumn<McpRequest>[] => [
  { key: 'name', label: 'Name', isHead: true, value: ({ name }) => name, cell: ({ name }) => toolText(name) },
  { key: 'kind', label: 'Kind', value: ({ method }) => ITEM_KINDS[method]! },
  {
    key: 'requests',
    label: 'Requests',
    isNumber: true,
    value: ({ requests }) => requests,
    cell: ({ name, requests }) => <Calls {...link} tool={name} calls={requests} />,
  },
  ...COUNT_COLUMNS,
];

export function ItemsTable({ project, report, range, linked }: TablesProps) {
  return (
    <DataTable
      label="Resources and prompts"
      toolbar={<Lead>Resources that were read, and prompts that were requested.</Lead>}
      columns={itemColumns({ project, linked })}
      rows={report.requests.filter(({ method }) => Object.hasOwn(ITEM_KINDS, method))}
      rowKey={({ method, name }) => `${method} ${name}`}
      initial="requests"
      owner={project.name}
      range={range}
      empty="No resources or prompts were requested in this range."
    />
  );
}

const METHOD_COLUMNS: readonly TableColumn<McpRequest>[] = [
  { key: 'method', label: 'Method', isHead: true, value: ({ method }) => method },
  { key: 'requests', label: 'Requests', isNumber: true, value: ({ requests }) => requests },
  ...COUNT_COLUMNS,
];

export function MethodsTable({ project, report, range }: TablesProps) {
  return (
    <DataTable
      label="Other methods"
      toolbar={<Lead>MCP requests that aren’t about one tool, resource or prompt.</Lead>}
      columns={METHOD_COLUMNS}
      rows={report.requests.filter(({ method }) => !Object.hasOwn(ITEM_KINDS, method))}
      rowKey={({ method, name }) => `${method} ${name}`}
      initial="requests"
      owner={project.name}
      range={range}
      empty="No other requests in this range."
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
    label: 'Client',
    value: (row) => row.client_name,
    cell: (row) => [row.client_name, row.client_version].join(' ').trim() || 'Not reported',
  },
  { key: 'client_version', label: 'Client version', isOnlyExported: true, value: (row) => row.client_version },
  {
    key: 'requests',
    label: 'Requests',
    isNumber: true,
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
      toolbar={
        <Lead help="Clients report their version since 2025-06-18. Select a number to see the agent’s visits with that version.">
          MCP requests by protocol version, agent and client.
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

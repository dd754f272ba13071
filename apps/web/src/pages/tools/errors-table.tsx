import type { ToolsReport } from '../../api/tools.js';
import { formatCount } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Lead } from '../../ui/lead.js';
import { TextLink } from '../../ui/text-link.js';
import { visitsLink } from './caller.js';
import { errorText } from './call-errors.js';
import { ITEM_KINDS } from './mcp-methods.js';
import { Calls, isFindable, toolFilters, type LinkProps, type TablesProps } from './tool-tables.js';

type CallError = ToolsReport['errors'][number];

const itemText = (method: string, name: string): string =>
  name || (Object.hasOwn(ITEM_KINDS, method) ? 'Unnamed' : '–');

const errorColumns = (link: LinkProps): readonly TableColumn<CallError>[] => [
  { key: 'error', label: 'Error', isHead: true, value: errorText },
  { key: 'method', label: 'Method', narrow: { isSoft: true }, value: ({ method }) => method },
  {
    key: 'tool',
    label: 'Tool, prompt or resource',
    value: ({ tool }) => tool,
    cell: ({ tool, method }) =>
      isFindable(tool) ? (
        <TextLink {...visitsLink(link.project.id, link.linked)(toolFilters(tool))} size="sm">
          {tool}
        </TextLink>
      ) : (
        itemText(method, tool)
      ),
  },
  { key: 'code', label: 'Code', isOnlyExported: true, value: ({ code }) => code },
  {
    key: 'calls',
    label: 'Calls',
    isNumber: true,
    narrow: { after: 'calls' },
    value: ({ calls }) => calls,
    cell: ({ fault, code, tool, calls }) =>
      fault === 'http' ? (
        <Calls {...link} tool={tool} calls={calls} filters={{ status: [String(code)] }} />
      ) : (
        formatCount(calls)
      ),
  },
];

export function ErrorsTable({ project, report, range, linked }: TablesProps) {
  return (
    <DataTable
      label="Errors"
      phone={['error calls', 'tool method']}
      toolbar={
        <Lead help="Select a name to see all its visits.">
          Failed tool calls and other failed MCP requests, by error code.
        </Lead>
      }
      columns={errorColumns({ project, linked })}
      rows={report.errors}
      rowKey={(error) => `${error.fault} ${error.code} ${error.method} ${error.tool}`}
      initial="calls"
      owner={project.name}
      range={range}
      empty="No calls failed in this range."
    />
  );
}

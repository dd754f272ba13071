import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { ToolsReport } from '../../api/tools.js';
import { formatCount } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Lead } from '../../ui/lead.js';
import { CallerName, callerFilters, callerText } from './caller.js';
import { Calls, toolText, type LinkProps, type TablesProps } from './tool-tables.js';

type ToolCaller = ToolsReport['callers'][number];

/** Caller with its calls by tool. */
interface Caller extends Omit<ToolCaller, 'tool'> {
  tools: Pick<ToolCaller, 'tool' | 'calls'>[];
}

/** Number of tools listed before the user expands the list. */
const MAX_TOOLS = 3;

const keyOf = ({ agent_id: id, is_spoofed: isSpoofed }: Pick<ToolCaller, 'agent_id' | 'is_spoofed'>): string =>
  `${id} ${isSpoofed}`;

/** Combines the rows of each caller. */
function groupByCaller(rows: readonly ToolCaller[]): Caller[] {
  const callers = new Map<string, Caller>();
  for (const { tool, ...row } of rows.toSorted((one, other) => other.calls - one.calls)) {
    const caller = callers.get(keyOf(row)) ?? { ...row, calls: 0, tools: [] };
    callers.set(keyOf(row), caller);
    caller.calls += row.calls;
    caller.tools.push({ tool, calls: row.calls });
  }
  return [...callers.values()];
}

export const countCallers = (rows: readonly ToolCaller[]): number => new Set(rows.map(keyOf)).size;

const getColumns = (link: LinkProps): readonly TableColumn<Caller>[] => [
  {
    key: 'agent',
    label: 'Agent',
    isHead: true,
    value: callerText,
    cell: (caller) => <CallerName caller={caller} projectId={link.project.id} linked={link.linked} />,
  },
  { key: 'operator', label: 'Operator', isOnlyExported: true, value: (caller) => caller.operator_name },
  {
    key: 'tools',
    label: 'Tools',
    value: ({ tools }) => tools.map(({ tool, calls }) => `${toolText(tool)} (${calls})`).join(', '),
    cell: (caller) => <CalledTools caller={caller} {...link} />,
  },
  { key: 'calls', label: 'Calls', isNumber: true, narrow: { after: 'calls' }, value: ({ calls }) => calls },
];

function CalledTools({ caller, ...link }: LinkProps & { caller: Caller }) {
  const [isOpen, setOpen] = useState(false);
  const { tools } = caller;
  return (
    <>
      {tools.slice(0, isOpen ? Infinity : MAX_TOOLS).map(({ tool, calls }, index) => (
        <span key={tool}>
          {index > 0 && ', '}
          {toolText(tool)} <Calls {...link} tool={tool} calls={calls} filters={callerFilters(caller)} />
        </span>
      ))}{' '}
      {tools.length > MAX_TOOLS && (
        <UnstyledButton
          fz="sm"
          c="var(--mantine-color-anchor)"
          mih={24}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show fewer' : `and ${formatCount(tools.length - MAX_TOOLS)} more`}
          <span className="unseen"> tools of {callerText(caller)}</span>
        </UnstyledButton>
      )}
    </>
  );
}

export function CallersTable({ project, report, range, linked }: TablesProps) {
  return (
    <DataTable
      label="Callers"
      phone={['agent calls', 'tools tools']}
      pageSize={10}
      toolbar={
        <Lead help="Visitors that only claim to be an agent are grouped under Failed verification.">
          Who called your tools, and which ones.
        </Lead>
      }
      columns={getColumns({ project, linked })}
      rows={groupByCaller(report.callers)}
      rowKey={keyOf}
      initial="calls"
      owner={project.name}
      range={range}
      empty="No tools were called in this range."
    />
  );
}

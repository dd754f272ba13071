import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LoadRow } from '../../api/load.js';
import type { FilterName } from '../../filters/filter-set.js';
import { formatCoverage } from '../../load/load-text.js';
import { PeopleSentCount, type PeopleSent } from '../../load/people-sent.js';
import { agentLink } from '../../range/list-link.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { TextLink } from '../../ui/text-link.js';
import type { LoadTableProps } from './load-table-props.js';
import { getRowFilter, getRowName } from './rows.js';
import type { LoadTab } from './search.js';

/** Returns a row's operator, or null if rows aren't agents or operators. */
export const getOperator = (by: LoadTab, { value, operator_name: operator }: LoadRow): string | null =>
  by === 'operator' ? value : operator;

/** Dimmed second line of a cell. */
const Detail = ({ children }: { children: ReactNode }) => (
  <Text size="xs" c="dimmed" component="div">
    {children}
  </Text>
);

interface ReportedProps {
  value: number | null;
  /** Number of requests that reported the value, out of all requests. Adds a note if some didn't. */
  by?: number;
  of?: number;
  children: (value: number) => ReactNode;
}

/** A value, or a note that it wasn't reported. */
export function Reported({ value, by = 0, of = 0, children }: ReportedProps) {
  if (value === null) return <Detail>not reported</Detail>;
  const coverage = formatCoverage(by, of);
  return (
    <>
      {children(value)}
      {coverage !== null && <Detail>{coverage}</Detail>}
    </>
  );
}

const BAR_WIDTH_PX = 72;

/** A share with a bar before it. @param length Length of the bar as a fraction of the longest one. */
export const ShareBar = ({ length, children }: { length: number; children: ReactNode }) => (
  <Group gap="xs" wrap="nowrap" justify="flex-end">
    <svg width={BAR_WIDTH_PX} height="8" aria-hidden="true">
      <rect width={Math.max(1, length * BAR_WIDTH_PX)} height="8" rx="2" fill="var(--bar)" />
    </svg>
    <span style={{ minWidth: '2.75rem' }}>{children}</span>
  </Group>
);

/** Name of a row. Links to the agent, or filters the page by the row. */
export function RowName({ by, row, project, linked, filters }: LoadTableProps & { row: LoadRow }) {
  const name = getRowName(by, row, project.path_patterns);
  const filter = getRowFilter(by, row);
  if (filter === null) return name;
  if (by === 'agent' && row.value !== null) {
    return (
      <MarkedName name={name} operator={row.operator_name}>
        <TextLink {...agentLink(project.id, row.value, linked)} size="sm">
          {name}
        </TextLink>
      </MarkedName>
    );
  }
  const link = (
    <TextLink {...filters.row(filter.key as FilterName, filter.value).link} size="sm" title={`Filter by ${name}`}>
      {name}
    </TextLink>
  );
  if (by !== 'operator') return link;
  return (
    <MarkedName name={name} operator={name}>
      {link}
    </MarkedName>
  );
}

/** Number of people that the operator's assistants sent. */
export function People({ by, row, sent, project, linked }: LoadTableProps & { row: LoadRow; sent: PeopleSent }) {
  const operator = getOperator(by, row);
  if (operator === null || !sent.has(operator)) return null;
  if (sent.get(operator)!.people === 0) return <span className="zero">–</span>;
  return <PeopleSentCount project={project} operator={operator} sent={sent} linked={linked} />;
}

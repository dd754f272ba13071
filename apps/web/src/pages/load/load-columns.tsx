import type { ReactNode } from 'react';
import { getLoadCost, hasPrices } from '#libs/contracts/load-cost';
import { AgentActions } from '../../actions/agent-actions.js';
import type { LoadReport, LoadRow } from '../../api/load.js';
import { toFilters } from '../../filters/visit-filters.js';
import { formatBytes } from '../../format/bytes.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { formatDuration } from '../../format/duration.js';
import { formatAmount } from '../../format/money.js';
import { formatTime } from '../../format/time.js';
import { toShare } from '../../load/shares.js';
import { listLink } from '../../range/list-link.js';
import type { TableColumn } from '../../ui/data-table.js';
import { TextLink } from '../../ui/text-link.js';
import { getOperator, People, Reported, RowName, ShareBar } from './load-cells.js';
import type { LoadTableProps } from './load-table-props.js';
import { MEASURES, type LoadAmounts } from './measures.js';
import { getRowName, getVisitFilters, TAB_LABELS } from './rows.js';

/** Returns the columns of the table that breaks the load down by `by`. Leaves out what no source reports. */
export function getColumns(props: LoadTableProps, report: LoadReport): readonly TableColumn<LoadRow>[] {
  const { by, project, shown, linked, counted, people, measure } = props;
  const { total, sample } = report;
  const mark = (text: string): string => (sample === null ? text : `≈ ${text}`);
  const renderRequests = (row: LoadRow): ReactNode => {
    const text = mark(formatCount(row.requests));
    const set = getVisitFilters(by, row, counted, project.path_patterns);
    if (set === null) return text;
    return (
      <TextLink size="sm" {...listLink(project.id, linked)(toFilters(set))}>
        {text}
        <span className="unseen"> requests: {getRowName(by, row, project.path_patterns)}</span>
      </TextLink>
    );
  };
  const getAmount = (load: LoadAmounts): number => MEASURES[measure].value(load, project) ?? 0;
  const highest = Math.max(...report.rows.map(getAmount));
  const columns: (TableColumn<LoadRow> | false)[] = [
    {
      key: 'name',
      label: TAB_LABELS[by].row,
      isHead: true,
      value: (row) => getRowName(by, row, project.path_patterns),
      cell: (row) => <RowName row={row} {...props} />,
      style: by === 'folder' || by === 'page' ? { overflowWrap: 'anywhere', minWidth: 120 } : {},
    },
    by === 'agent' && { key: 'operator', label: 'Operator', isOnlyExported: true, value: (row) => row.operator_name },
    {
      key: 'requests',
      label: 'Requests',
      isNumber: true,
      narrow: { after: 'requests', isSoft: true },
      value: ({ requests }) => requests,
      cell: renderRequests,
    },
    {
      key: 'bytes',
      label: 'Data sent',
      isNumber: true,
      narrow: { after: 'sent', isSoft: true },
      value: ({ bytes }) => bytes,
      cell: (row) => (
        <Reported value={row.bytes} by={row.bytes_requests} of={row.requests}>
          {(bytes) => mark(formatBytes(bytes))}
        </Reported>
      ),
    },
    { key: 'sized', label: 'Requests with a size', isOnlyExported: true, value: (row) => row.bytes_requests },
    {
      key: 'time',
      label: 'Server time',
      isNumber: true,
      narrow: { after: 'of server time', isSoft: true },
      value: ({ server_time_ms: time }) => time,
      cell: (row) => (
        <Reported value={row.server_time_ms} by={row.timed_requests} of={row.requests}>
          {(time) => mark(formatDuration(time))}
        </Reported>
      ),
    },
    { key: 'timed', label: 'Requests with a response time', isOnlyExported: true, value: (row) => row.timed_requests },
    hasPrices(project) && {
      key: 'cost',
      label: 'Cost',
      isNumber: true,
      value: (row) => getLoadCost(row, project),
      cell: (row) => (
        <Reported value={getLoadCost(row, project)}>{(cost) => mark(formatAmount(cost, project.currency))}</Reported>
      ),
    },
    {
      key: 'share',
      label: `Share of ${MEASURES[measure].label.toLowerCase()}`,
      isNumber: true,
      value: (row) => toShare(getAmount(row), getAmount(total)),
      cell: (row) => (
        <ShareBar length={toShare(getAmount(row), highest) ?? 0}>
          {formatPercent(toShare(getAmount(row), getAmount(total)))}
        </ShareBar>
      ),
    },
    people !== null &&
      by === 'operator' && {
        key: 'people',
        label: 'People sent',
        isNumber: true,
        narrow: { before: 'People sent' },
        value: (row) => people.get(getOperator(by, row) ?? '')?.people,
        cell: (row) => <People row={row} sent={people} {...props} />,
      },
    total.p95_ms !== null && {
      key: 'p95',
      label: '95% within',
      isNumber: true,
      narrow: { before: '95% within', isSoft: true },
      value: ({ p95_ms: p95 }) => p95,
      cell: ({ p95_ms: p95 }) => <Reported value={p95}>{formatDuration}</Reported>,
    },
    total.peak !== null && {
      key: 'peak',
      label: 'Peak in 10 s',
      isNumber: true,
      narrow: { before: 'Peak in 10 s', isSoft: true },
      value: ({ peak }) => peak?.requests,
      ...(total.peak.requests < MIN_PEAK_REQUESTS && { isOnlyExported: true }),
      cell: ({ peak }) =>
        peak && (
          <span title={formatTime(peak.time, shown.timeZone, PEAK_TIME_FORMAT)}>{formatCount(peak.requests)}</span>
        ),
    },
    {
      key: 'peak_time',
      label: 'Time of the peak',
      isTime: true,
      isOnlyExported: true,
      value: ({ peak }) => peak?.time,
    },
    total.status_requests > 0 && {
      key: 'not_modified',
      label: 'Unchanged',
      isNumber: true,
      narrow: { before: 'Unchanged', isSoft: true },
      value: (row) => toShare(row.not_modified, row.status_requests),
      cell: (row) => (
        <Reported value={toShare(row.not_modified, row.status_requests)} by={row.status_requests} of={row.requests}>
          {formatPercent}
        </Reported>
      ),
    },
    total.repeats !== null && {
      key: 'repeats',
      label: 'Repeated',
      isNumber: true,
      narrow: { before: 'Repeated', isSoft: true },
      value: (row) => (row.repeats === null ? null : toShare(row.repeats, row.requests)),
      cell: (row) => row.repeats !== null && formatPercent(toShare(row.repeats, row.requests)),
    },
    total.cache_requests > 0 && {
      key: 'cached',
      label: 'From cache',
      isNumber: true,
      narrow: { before: 'From cache', isSoft: true },
      value: (row) => toShare(row.cache_hits, row.cache_requests),
      cell: (row) => (
        <Reported value={toShare(row.cache_hits, row.cache_requests)} by={row.cache_requests} of={row.requests}>
          {formatPercent}
        </Reported>
      ),
    },
  ];
  const toActions = (row: LoadRow): ReactNode =>
    row.value !== null && (
      <AgentActions
        project={project}
        loadFinding={async () =>
          (await import('./load-finding.js')).toLoadFinding(row, {
            range: report,
            timeZone: shown.timeZone,
            visits: listLink(project.id, linked)(toFilters(getVisitFilters('agent', row, counted, []) ?? counted)),
          })
        }
        of={getRowName(by, row)}
        isCompact
      />
    );
  if (by === 'agent') columns.push({ key: 'actions', label: 'Actions', cell: toActions });
  return columns.filter((column) => column !== false);
}

/** Lower peaks say nothing about load. */
const MIN_PEAK_REQUESTS = 10;
const PEAK_TIME_FORMAT = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const;

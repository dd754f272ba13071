import { Card } from '@mantine/core';
import type { Project } from '../../api/client.js';
import type { LoadReport, LoadRow } from '../../api/load.js';
import { BarList, type Bar } from '../../charts/bar-list.js';
import { formatPercent } from '../../format/change.js';
import type { PeopleSent } from '../../load/people-sent.js';
import { AgentMark } from '../../ui/agent-mark.js';
import { Segments } from '../../ui/segments.js';
import { listMeasures, MEASURES } from './measures.js';
import { getRowName } from './rows.js';
import type { Measure } from './search.js';

const MAX_BARS = 10;

interface RankingProps {
  project: Project;
  /** Load by agent. */
  report: LoadReport;
  /** Selected measure. It's ignored if it isn't known. */
  selected: Measure | undefined;
  onSelect: (measure: Measure) => void;
  people: PeopleSent | null;
  toLinks: (row: LoadRow) => Pick<Bar, 'link' | 'isFilter' | 'onExclude' | 'visitsLink'>;
  /** Marks estimates. */
  mark: (text: string) => string;
}

/** Bar chart of the agents that cause the most load. */
export function Ranking({ project, report, selected, onSelect, people, toLinks, mark }: RankingProps) {
  const measures = listMeasures(report.total, project);
  const measure = selected !== undefined && measures.includes(selected) ? selected : measures[0]!;
  const { value, format } = MEASURES[measure];
  const total = value(report.total, project) ?? 0;
  const bars = report.rows
    .map((row) => ({ row, amount: value(row, project) ?? 0 }))
    .filter(({ amount }) => amount > 0)
    .toSorted((one, other) => other.amount - one.amount)
    .slice(0, MAX_BARS);
  const rest = total - bars.reduce((sum, { amount }) => sum + amount, 0);
  const toText = (amount: number): string =>
    `${mark(format(amount, project))} · ${formatPercent(total === 0 ? null : amount / total)}`;
  return (
    <Card withBorder>
      <BarList
        title="Who causes the load"
        lead="Click an agent to filter the page, or Alt-click to exclude. Click a number to show its visits."
        aside={
          <Segments
            label="Measure"
            value={measure}
            onChange={onSelect}
            options={measures.map((name) => ({ value: name, label: MEASURES[name].label }))}
          />
        }
        empty="No agents."
        bars={[
          ...bars.map(({ row, amount }) => ({
            key: row.value ?? '',
            label: getRowName('agent', row),
            mark: <AgentMark name={getRowName('agent', row)} operator={row.operator_name} size={18} />,
            detail: describePeople(row, people),
            visits: amount,
            text: toText(amount),
            ...toLinks(row),
          })),
          ...(report.rows.length > MAX_BARS && rest > 0
            ? [{ key: 'rest', label: 'All others', visits: rest, text: toText(rest), isRest: true }]
            : []),
        ]}
      />
    </Card>
  );
}

function describePeople({ operator_name: operator }: LoadRow, sent: PeopleSent | null): string | null {
  if (operator === null) return null;
  const people = sent?.get(operator)?.people;
  return people === undefined
    ? null
    : `${operator} sent ${people === 0 ? 'no known visitors' : people === 1 ? '1 person' : `${people.toLocaleString('en-US')} people`}`;
}

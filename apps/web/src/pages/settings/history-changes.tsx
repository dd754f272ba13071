import { Group, Text } from '@mantine/core';
import { AUTOMATION_VERDICT_TEXTS, describeReason, describeResult } from '#libs/agents/vocabulary';
import type { Project } from '../../api/client.js';
import type { ReidentificationReport, ReidentifiedChange } from '../../api/reidentifications.js';
import { formatVisitCount } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { TextLink } from '../../ui/text-link.js';

type Verdict = ReidentifiedChange['from'];

/** Returns the agent and result, such as "GPTBot, Verified". */
const verdictLabel = ({ agent_token: token, result }: Verdict): string =>
  token === null ? describeResult(result).label : `${token}, ${describeResult(result).label}`;

function getDetails({ reason, robots, automation, assistant }: Verdict): string[] {
  return [
    reason !== null && describeReason(reason),
    robots !== null && robots !== 'unknown' && `Robots.txt: ${robots.replaceAll('_', ' ')}`,
    automation !== null && (AUTOMATION_VERDICT_TEXTS[automation]?.word ?? automation),
    assistant !== null && `Sent by ${assistant}`,
  ].filter((detail) => detail !== false);
}

const verdictText = (verdict: Verdict): string => [verdictLabel(verdict), ...getDetails(verdict)].join('; ');

/**
 * Describes the new verdict. If the text is the same as for the old verdict, adds a note, because the difference is in
 * details that the text omits: automation signs and robots.txt lines.
 */
const newVerdictText = ({ from, to }: ReidentifiedChange): string =>
  verdictText(to) + (isSameVerdict(from, to) ? `; ${SAME_VERDICT_NOTE}` : '');
const isSameVerdict = (from: Verdict, to: Verdict): boolean => verdictText(from) === verdictText(to);
const SAME_VERDICT_NOTE = 'Same verdict, different details';

const createColumns = (projectId: string): readonly TableColumn<ReidentifiedChange>[] => [
  { key: 'visits', label: 'Visits', isNumber: true, value: ({ visits }) => visits },
  {
    key: 'from',
    label: 'From',
    value: ({ from }) => verdictText(from),
    cell: ({ from }) => <VerdictCell verdict={from} />,
  },
  {
    key: 'to',
    label: 'To',
    value: newVerdictText,
    cell: ({ from, to }) => (
      <>
        <VerdictCell verdict={to} />
        {isSameVerdict(from, to) && (
          <Text size="xs" c="dimmed">
            {SAME_VERDICT_NOTE}
          </Text>
        )}
      </>
    ),
  },
  { key: 'last', label: 'Last visit', isTime: true, value: ({ last_at: at }) => at },
  {
    key: 'examples',
    label: 'Examples',
    isFixed: true,
    value: ({ visit_ids: ids }) => ids.join(' '),
    cell: ({ from, to, visit_ids: ids }) => (
      <Group gap={6}>
        {ids.map((visit, index) => (
          <TextLink
            key={visit}
            to="/projects/$projectId/realtime"
            params={{ projectId }}
            search={{ visit }}
            size="sm"
            style={{ display: 'inline-block', minWidth: 24, lineHeight: '24px', textAlign: 'center' }}
          >
            <span className="unseen">
              Visit from {verdictLabel(from)} to {verdictLabel(to)},{' '}
            </span>
            {index + 1}
          </TextLink>
        ))}
      </Group>
    ),
  },
];

/** Lists a report's changes, grouped by old and new verdict, with example visits. */
export function ChangeTable({ project, report }: { project: Project; report: ReidentificationReport }) {
  if (report.changes.length === 0) return null;
  return (
    <>
      <DataTable
        label="Changes"
        columns={createColumns(project.id)}
        rows={report.changes}
        rowKey={({ from, to, visit_ids: ids }) => ids[0] ?? verdictText(from) + verdictText(to)}
        owner={project.name}
        initial="visits"
      />
      {report.other_changes > 0 && (
        <Text size="sm" c="dimmed">
          Other changes: {formatVisitCount(report.other_changes)}.
        </Text>
      )}
    </>
  );
}

const VerdictCell = ({ verdict }: { verdict: Verdict }) => (
  <>
    {verdictLabel(verdict)}
    {getDetails(verdict).map((detail) => (
      <Text key={detail} size="xs" c="dimmed">
        {detail}
      </Text>
    ))}
  </>
);

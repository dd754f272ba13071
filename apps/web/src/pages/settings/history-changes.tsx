import { Group, Text } from '@mantine/core';
import { AUTOMATION_WORDS, reasonSentence, resultWords } from '#libs/agents/vocabulary';
import type { Project } from '../../api/client.js';
import type { ReidentificationReport, ReidentifiedChange } from '../../api/reidentifications.js';
import { visitsText } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { TextLink } from '../../ui/text-link.js';

type Verdict = ReidentifiedChange['from'];

/** Returns a label such as "GPTBot, Verified". */
const whoText = ({ agent_token: token, result }: Verdict): string =>
  token === null ? resultWords(result).label : `${token}, ${resultWords(result).label}`;

function detailsOf({ reason, robots, automation, assistant }: Verdict): string[] {
  return [
    reason !== null && reasonSentence(reason),
    robots !== null && robots !== 'unknown' && `Robots.txt: ${robots.replaceAll('_', ' ')}`,
    automation !== null && (AUTOMATION_WORDS[automation]?.word ?? automation),
    assistant !== null && `Sent by ${assistant}`,
  ].filter((detail) => detail !== false);
}

const verdictText = (verdict: Verdict): string => [whoText(verdict), ...detailsOf(verdict)].join('; ');

/**
 * Describes the new verdict. The text can equal the old one, because it omits automation signs and robots.txt lines.
 */
const afterText = ({ from, to }: ReidentifiedChange): string =>
  verdictText(to) + (isSameVerdict(from, to) ? `; ${OTHER_DETAILS}` : '');
const isSameVerdict = (from: Verdict, to: Verdict): boolean => verdictText(from) === verdictText(to);
const OTHER_DETAILS = 'Same verdict, different details';

const columnsOf = (projectId: string): readonly TableColumn<ReidentifiedChange>[] => [
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
    value: afterText,
    cell: ({ from, to }) => (
      <>
        <VerdictCell verdict={to} />
        {isSameVerdict(from, to) && (
          <Text size="xs" c="dimmed">
            {OTHER_DETAILS}
          </Text>
        )}
      </>
    ),
  },
  { key: 'last', label: 'Last', isTime: true, value: ({ last_at: at }) => at },
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
              Visit from {whoText(from)} to {whoText(to)},{' '}
            </span>
            {index + 1}
          </TextLink>
        ))}
      </Group>
    ),
  },
];

/** Groups of identical changes in a report, each with example visits. */
export function ChangeTable({ project, report }: { project: Project; report: ReidentificationReport }) {
  if (report.changes.length === 0) return null;
  return (
    <>
      <DataTable
        label="Changes"
        columns={columnsOf(project.id)}
        rows={report.changes}
        rowKey={({ from, to, visit_ids: ids }) => ids[0] ?? verdictText(from) + verdictText(to)}
        owner={project.name}
        initial="visits"
      />
      {report.other_changes > 0 && (
        <Text size="sm" c="dimmed">
          Other changes: {visitsText(report.other_changes)}.
        </Text>
      )}
    </>
  );
}

const VerdictCell = ({ verdict }: { verdict: Verdict }) => (
  <>
    {whoText(verdict)}
    {detailsOf(verdict).map((detail) => (
      <Text key={detail} size="xs" c="dimmed">
        {detail}
      </Text>
    ))}
  </>
);

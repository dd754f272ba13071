import { Group, Text } from '@mantine/core';
import { AUTOMATION_WORDS, reasonSentence, resultWords } from '#libs/agents/vocabulary';
import type { Project } from '../../api/client.js';
import type { ReidentificationReport, ReidentifiedChange } from '../../api/reidentifications.js';
import { countText, visitsText } from '../../format/count.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { SortedTable } from '../../ui/sorted-table.js';
import type { Column, Sort } from '../../ui/sorting.js';
import { TextLink } from '../../ui/text-link.js';
import plain from '../../ui/plain-table.module.css';

type Verdict = ReidentifiedChange['from'];

/** Who a visit was: "GPTBot, Verified". */
const whoText = ({ agent_token: token, result }: Verdict): string =>
  token === null ? resultWords(result).label : `${token}, ${resultWords(result).label}`;

/** What else was said of it. */
function detailsOf({ reason, robots, automation, assistant }: Verdict): string[] {
  return [
    reason !== null && reasonSentence(reason),
    robots !== null && robots !== 'unknown' && `Robots.txt: ${robots.replaceAll('_', ' ')}`,
    automation !== null && (AUTOMATION_WORDS[automation]?.word ?? automation),
    assistant !== null && `Sent by ${assistant}`,
  ].filter((detail) => detail !== false);
}

const verdictText = (verdict: Verdict): string => [whoText(verdict), ...detailsOf(verdict)].join('; ');

/** What it is now. Signs, or the line of robots.txt, can change without a word that is shown here. */
const afterText = ({ from, to }: ReidentifiedChange): string =>
  verdictText(to) + (isSameVerdict(from, to) ? `; ${OTHER_DETAILS}` : '');
const isSameVerdict = (from: Verdict, to: Verdict): boolean => verdictText(from) === verdictText(to);
const OTHER_DETAILS = 'Same verdict, different details';

const COLUMNS: readonly Column<ReidentifiedChange>[] = [
  { key: 'visits', label: 'Visits', isNumber: true, value: ({ visits }) => visits },
  { key: 'from', label: 'From', value: ({ from }) => verdictText(from) },
  { key: 'to', label: 'To', value: afterText },
  { key: 'last', label: 'Last', isLatestFirst: true, value: ({ last_at: at }) => at },
  { key: 'examples', label: 'Examples', isFixed: true, value: ({ visit_ids: ids }) => ids.join(' ') },
];
const BY_VISITS: Sort = { key: 'visits', direction: 'descending' };

/** Lists the kinds of changes of a report, each with some of its visits. */
export function ChangeTable({ project, report }: { project: Project; report: ReidentificationReport }) {
  if (report.changes.length === 0) return null;
  return (
    <>
      <SortedTable label="Changes" columns={COLUMNS} rows={report.changes} owner={project.name} initial={BY_VISITS}>
        {({ visits, from, to, last_at: at, visit_ids: ids }) => (
          <tr key={ids[0] ?? verdictText(from) + verdictText(to)}>
            <td className={plain['number']}>{countText(visits)}</td>
            <td>
              <VerdictCell verdict={from} />
            </td>
            <td>
              <VerdictCell verdict={to} />
              {isSameVerdict(from, to) && (
                <Text size="xs" c="dimmed">
                  {OTHER_DETAILS}
                </Text>
              )}
            </td>
            <td>
              <RelativeTime time={at} />
            </td>
            <td>
              <Group gap={6}>
                {ids.map((visit, index) => (
                  <TextLink
                    key={visit}
                    to="/projects/$projectId/realtime"
                    params={{ projectId: project.id }}
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
            </td>
          </tr>
        )}
      </SortedTable>
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

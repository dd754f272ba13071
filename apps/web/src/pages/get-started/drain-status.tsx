import { Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { projectQuery } from '../../api/queries.js';
import { drainsQuery, type Drain } from '../../drains/queries.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import type { Column } from '../../ui/sorting.js';
import { TableTools } from '../../ui/table-tools.js';
import { TextLink } from '../../ui/text-link.js';
import { useSorted } from '../../ui/use-sorted.js';
import classes from '../../ui/list.module.css';
import { batchText } from './batch-text.js';

type UnreadableLine = Drain['unreadable_lines'][number];

const COLUMNS: readonly Column<UnreadableLine>[] = [
  { key: 'received', label: 'Received', isTime: true, value: (line) => line.received_at },
  { key: 'reason', label: 'Reason', value: ({ reason }) => reason },
  { key: 'line', label: 'Line', value: ({ text }) => text },
];
const NO_LINES: readonly UnreadableLine[] = [];

interface DrainStatusProps {
  projectId: string;
  source: string;
  label: string;
}

/** Shows a waiting message until a source's first batch arrives, then its counts and unreadable lines. */
export function DrainStatus({ projectId, source, label }: DrainStatusProps) {
  const drains = useQuery(drainsQuery(projectId));
  if (drains.isError) return <Failure error={drains.error} retry={() => void drains.refetch()} />;
  if (drains.isPending) return <Loader size="sm" />;
  const drain = drains.data.find((candidate) => candidate.source === source);
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Headline projectId={projectId} drain={drain} />
        <UnreadableLines projectId={projectId} label={label} lines={drain?.unreadable_lines ?? NO_LINES} />
      </Stack>
    </Paper>
  );
}

function Headline({ projectId, drain }: { projectId: string; drain: Drain | undefined }) {
  const isWaiting = drain === undefined || drain.totals.lines === 0;
  return (
    <>
      <Group gap="sm" wrap="nowrap">
        {isWaiting && <Loader size="xs" type="dots" aria-hidden style={{ flex: 'none' }} />}
        <Text size="sm" role="status">
          {drain === undefined
            ? 'Waiting for the first batch. It’ll appear here automatically.'
            : isWaiting
              ? 'The sender’s test arrived, so the connection works. Waiting for the first logs.'
              : 'Logs are arriving.'}
        </Text>
      </Group>
      {drain !== undefined && !isWaiting && (
        <div>
          <Group gap="sm">
            <Text size="sm">
              <b>{formatVisitCount(drain.totals.visits)}</b>, last batch <RelativeTime time={drain.last_batch_at} />
            </Text>
            {drain.totals.visits > 0 && (
              <TextLink to="/projects/$projectId/realtime" params={{ projectId }} size="sm">
                Show in Realtime
              </TextLink>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            Last batch: {batchText(drain.last_batch)}
          </Text>
          <Text size="xs" c="dimmed">
            {formatCount(drain.totals.batches)} {drain.totals.batches === 1 ? 'batch' : 'batches'}:{' '}
            {batchText(drain.totals)}
          </Text>
        </div>
      )}
    </>
  );
}

interface UnreadableLinesProps {
  projectId: string;
  label: string;
  lines: readonly UnreadableLine[];
}

function UnreadableLines({ projectId, label, lines }: UnreadableLinesProps) {
  const { name: owner } = useSuspenseQuery(projectQuery(projectId)).data;
  const list = useSorted(lines, COLUMNS);
  return (
    <details>
      <Text component="summary" size="sm">
        Last unreadable lines ({lines.length})
      </Text>
      {lines.length === 0 ? (
        <Text size="sm" mt="xs">
          None. If a line can’t be parsed, it appears here with the reason, and the rest of its batch is still recorded.
          If a whole request is rejected, it appears under “Rejected requests” below.
        </Text>
      ) : (
        <>
          <TableTools isList columns={COLUMNS} {...list} owner={owner} page={`unreadable lines from ${label}`} />
          <ul className={classes['list']} aria-label="Last unreadable lines">
            {list.rows.map((line, index) => (
              <li key={`${line.received_at} ${index}`} className={classes['item']}>
                <Text size="sm">{line.reason}</Text>
                <Text size="xs" ff="monospace" className={classes['value']}>
                  {line.text}
                </Text>
                <Text size="xs" c="dimmed">
                  <RelativeTime time={line.received_at} />
                </Text>
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}

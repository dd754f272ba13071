import { Button, Code, Group, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ImportSummary } from '#libs/access-log';
import { summariesQuery } from '../../api/queries.js';
import { countText, visitsText } from '../../format/count.js';
import { TextLink } from '../../ui/text-link.js';
import classes from '../../ui/list.module.css';
import { FileImport, type ImportProgress } from './file-import.js';
import { timeLeftText } from './import-text.js';

const SHOW_INTERVAL_MS = 250;

export interface LogImportProps {
  projectId: string;
  token: string;
  files: readonly File[];
  onAgain: () => void;
}

/** Runs an import, and shows its progress and summary. Leaving the page cancels it. */
export default function LogImport({ projectId, token, files, onAgain }: LogImportProps) {
  const [running, setRunning] = useState<FileImport | null>(null);
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  const queryClient = useQueryClient();
  useEffect(() => {
    const made = new FileImport(files, token);
    const show = (): void => setProgress(made.progress());
    const timer = setInterval(show, SHOW_INTERVAL_MS);
    setRunning(made);
    show();
    const finish = async (): Promise<void> => {
      await made.run();
      clearInterval(timer);
      show();
      await queryClient.invalidateQueries({ queryKey: summariesQuery.queryKey });
    };
    void finish();
    return () => {
      clearInterval(timer);
      made.cancel();
    };
  }, [files, token, queryClient]);
  const isUnderWay = progress?.state === 'running' || progress?.state === 'paused';
  useEffect(() => {
    if (!isUnderWay) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUnderWay]);
  if (running === null || progress === null) return null;
  return (
    <Stack gap="sm">
      {isUnderWay ? (
        <UnderWay
          names={files.map(({ name }) => name).join(', ')}
          progress={progress}
          onPause={() => {
            if (progress.state === 'paused') running.resume();
            else running.pause();
            setProgress(running.progress());
          }}
          onCancel={() => running.cancel()}
        />
      ) : (
        <>
          <Outcome projectId={projectId} progress={progress} summary={running.summary} />
          <Group>
            <Button variant="default" size="xs" onClick={onAgain}>
              Import another log
            </Button>
          </Group>
          <Faults summary={running.summary} />
        </>
      )}
    </Stack>
  );
}

interface UnderWayProps {
  names: string;
  progress: ImportProgress;
  onPause: () => void;
  onCancel: () => void;
}

function UnderWay({ names, progress, onPause, onCancel }: UnderWayProps) {
  const { state, lines, bytes, totalBytes, linesPerSecond, secondsLeft, message } = progress;
  const percent = totalBytes === 0 ? 0 : Math.min(100, (100 * bytes) / totalBytes);
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        Importing {names}
      </Text>
      <Progress value={percent} aria-label="Import" />
      <Text size="sm" className="numbers">
        {countText(lines)} lines
        {state === 'paused' ? ', paused' : `, ${countText(Math.round(linesPerSecond))} lines/s`}
        {secondsLeft !== null && `, ${timeLeftText(secondsLeft)} left`}
      </Text>
      {message !== null && <Text size="sm">Waiting to try again. {message}</Text>}
      <Text size="xs" c="dimmed">
        Keep this page open. If you leave it, import the log again: what is recorded already is not recorded twice.
      </Text>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onPause}>
          {state === 'paused' ? 'Resume import' : 'Pause import'}
        </Button>
        <Button size="xs" variant="default" onClick={onCancel}>
          Cancel import
        </Button>
      </Group>
    </Stack>
  );
}

const TITLES = { done: 'Import finished', canceled: 'Import canceled', failed: 'Import stopped' } as const;

interface OutcomeProps {
  projectId: string;
  progress: ImportProgress;
  summary: ImportSummary;
}

function Outcome({ projectId, progress, summary }: OutcomeProps) {
  const title = TITLES[progress.state as keyof typeof TITLES];
  const { range } = summary;
  const rows: [string, number][] = [
    ['Lines read', summary.read],
    ['Visits recorded', summary.sent],
    ...(summary.repeated > 0 ? [['Already recorded', summary.repeated] as [string, number]] : []),
    ...(summary.refused > 0 ? [['Refused', summary.refused] as [string, number]] : []),
    ['Unreadable', summary.unreadable],
    ...[...summary.leftOut].map(([reason, lines]) => [`Left out: ${reason}`, lines] as [string, number]),
    ...(summary.blank > 0 ? [['Blank', summary.blank] as [string, number]] : []),
  ];
  return (
    <Stack gap="xs">
      <div role="status">
        <Title order={3} fz="sm">
          {title}
        </Title>
        {progress.message !== null && <Text size="sm">{progress.message}</Text>}
        {progress.state !== 'done' && (
          <Text size="sm">To resume, import the log again: what is recorded already is not recorded twice.</Text>
        )}
      </div>
      <Table w="auto" style={{ alignSelf: 'flex-start' }} aria-label="Summary of the import">
        <Table.Tbody>
          {rows.map(([label, count]) => (
            <Table.Tr key={label}>
              <Table.Th scope="row" fw={400}>
                {label}
              </Table.Th>
              <Table.Td ta="right" className="numbers">
                {countText(count)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {[...summary.formats.keys()].map(({ name, title: format, verifiedBy, limits }) => (
        <Text key={name} size="sm">
          {format}: visits can be verified by {verifiedBy}. {limits}
        </Text>
      ))}
      {range !== null && summary.sent + summary.repeated > 0 && (
        <TextLink to="/projects/$projectId/overview" params={{ projectId }} search={range} size="sm">
          Show the imported visits in the overview
        </TextLink>
      )}
    </Stack>
  );
}

/** Files, requests and lines that failed, with reasons. */
function Faults({ summary }: { summary: ImportSummary }) {
  const { unreadableLines: lines, unreadable, refusals, failures } = summary;
  return (
    <>
      {failures.length > 0 && (
        <div>
          <Title order={4} fz="sm">
            Not read to the end
          </Title>
          {failures.map((failure) => (
            <Text key={failure} size="sm">
              {failure}
            </Text>
          ))}
        </div>
      )}
      {refusals.length > 0 && (
        <div>
          <Title order={4} fz="sm">
            Refused
          </Title>
          {refusals.map(({ lines: at, visits, reason }, index) => (
            <Text key={index} size="sm">
              {at === null ? 'Of a batch' : `${at.name}, lines ${countText(at.first)} to ${countText(at.last)}`} (
              {visitsText(visits)}): {reason}
            </Text>
          ))}
        </div>
      )}
      {lines.length > 0 && (
        <div>
          <Title order={4} fz="sm">
            Unreadable lines
            {lines.length < unreadable && ` (the first ${lines.length} of ${countText(unreadable)})`}
          </Title>
          <ul className={classes['list']} aria-label="Unreadable lines">
            {lines.map(({ name, number, reason, text }) => (
              <li key={`${name} ${number}`} className={classes['item']}>
                <Text size="sm">
                  {name}, line {countText(number)}: {reason}
                </Text>
                <Code style={{ overflowWrap: 'anywhere' }}>{text.slice(0, 200)}</Code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

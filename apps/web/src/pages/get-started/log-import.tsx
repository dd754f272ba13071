import { Button, Code, Group, Progress, Stack, Table, Text, Title } from '@mantine/core';
import '@mantine/core/styles/Table.css';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { ImportSummary } from '#libs/access-log';
import { summariesQuery } from '../../api/queries.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { TextLink } from '../../ui/text-link.js';
import classes from '../../ui/list.module.css';
import { FileImport, type ImportProgress } from './file-import.js';
import { timeLeftText } from './import-text.js';

const ImportedAgents = lazy(() => import('./imported-agents.js'));

const PROGRESS_INTERVAL_MS = 250;

export interface LogImportProps {
  projectId: string;
  token: string;
  files: readonly File[];
  onRestart: () => void;
}

/** Imports files while showing the progress, then shows a summary. Unmounting cancels the import. */
export default function LogImport({ projectId, token, files, onRestart: onAgain }: LogImportProps) {
  const [fileImport, setFileImport] = useState<FileImport | null>(null);
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  const queryClient = useQueryClient();
  useEffect(() => {
    const newImport = new FileImport(files, token);
    const updateProgress = (): void => setProgress(newImport.progress());
    const timer = setInterval(updateProgress, PROGRESS_INTERVAL_MS);
    setFileImport(newImport);
    updateProgress();
    const finish = async (): Promise<void> => {
      await newImport.run();
      clearInterval(timer);
      updateProgress();
      await queryClient.invalidateQueries({ queryKey: summariesQuery.queryKey });
    };
    void finish();
    return () => {
      clearInterval(timer);
      newImport.cancel();
    };
  }, [files, token, queryClient]);
  const isInProgress = progress?.state === 'running' || progress?.state === 'paused';
  useEffect(() => {
    if (!isInProgress) return;
    const confirmLeave = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', confirmLeave);
    return () => removeEventListener('beforeunload', confirmLeave);
  }, [isInProgress]);
  if (fileImport === null || progress === null) return null;
  return (
    <Stack gap="sm">
      {isInProgress ? (
        <ProgressPanel
          names={files.map(({ name }) => name).join(', ')}
          progress={progress}
          onPause={() => {
            if (progress.state === 'paused') fileImport.resume();
            else fileImport.pause();
            setProgress(fileImport.progress());
          }}
          onCancel={() => fileImport.cancel()}
        />
      ) : (
        <>
          <Outcome projectId={projectId} progress={progress} summary={fileImport.summary} />
          <Group>
            <Button variant="default" size="xs" onClick={onAgain}>
              Import another log
            </Button>
          </Group>
          <ImportErrors summary={fileImport.summary} />
        </>
      )}
    </Stack>
  );
}

interface ProgressPanelProps {
  names: string;
  progress: ImportProgress;
  onPause: () => void;
  onCancel: () => void;
}

function ProgressPanel({ names, progress, onPause, onCancel }: ProgressPanelProps) {
  const { state, lines, bytes, totalBytes, linesPerSecond, secondsLeft, message } = progress;
  const percent = totalBytes === 0 ? 0 : Math.min(100, (100 * bytes) / totalBytes);
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        Importing {names}
      </Text>
      <Progress value={percent} aria-label="Import" />
      <Text size="sm" className="numbers">
        {formatCount(lines)} lines
        {state === 'paused' ? ', paused' : `, ${formatCount(Math.round(linesPerSecond))} lines/s`}
        {secondsLeft !== null && `, ${timeLeftText(secondsLeft)} left`}
      </Text>
      {message !== null && <Text size="sm">Waiting to retry. {message}</Text>}
      <Text size="xs" c="dimmed">
        Keep this page open. If you leave, import the log again later. Visits already recorded won’t be duplicated.
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

const TITLES = { done: 'Import finished', canceled: 'Import canceled', failed: 'Import failed' } as const;

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
    ...(summary.rejected > 0 ? [['Rejected', summary.rejected] as [string, number]] : []),
    ['Unreadable', summary.unreadable],
    ...[...summary.leftOut].map(([reason, lines]) => [`Skipped: ${reason}`, lines] as [string, number]),
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
          <Text size="sm">To resume, import the log again. Visits already recorded won’t be duplicated.</Text>
        )}
      </div>
      <Table w="auto" style={{ alignSelf: 'flex-start' }} aria-label="Import summary">
        <Table.Tbody>
          {rows.map(([label, count]) => (
            <Table.Tr key={label}>
              <Table.Th scope="row" fw={400}>
                {label}
              </Table.Th>
              <Table.Td ta="right" className="numbers">
                {formatCount(count)}
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
        <Suspense>
          <ImportedAgents projectId={projectId} range={range} />
        </Suspense>
      )}
      {range !== null && summary.sent + summary.repeated > 0 && (
        <TextLink to="/projects/$projectId/overview" params={{ projectId }} search={range} size="sm">
          Show imported visits in the overview
        </TextLink>
      )}
    </Stack>
  );
}

function ImportErrors({ summary }: { summary: ImportSummary }) {
  const { unreadableLines: lines, unreadable, rejections: refusals, failures } = summary;
  return (
    <>
      {failures.length > 0 && (
        <div>
          <Title order={4} fz="sm">
            Partially imported files
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
            Rejected
          </Title>
          {refusals.map(({ lines: lineRange, visits, reason }, index) => (
            <Text key={index} size="sm">
              {lineRange === null
                ? 'Batch'
                : `${lineRange.name}, lines ${formatCount(lineRange.first)} to ${formatCount(lineRange.last)}`}{' '}
              ({formatVisitCount(visits)}): {reason}
            </Text>
          ))}
        </div>
      )}
      {lines.length > 0 && (
        <div>
          <Title order={4} fz="sm">
            Unreadable lines
            {lines.length < unreadable && ` (first ${lines.length} of ${formatCount(unreadable)})`}
          </Title>
          <ul className={classes['list']} aria-label="Unreadable lines">
            {lines.map(({ name, number, reason, text }) => (
              <li key={`${name} ${number}`} className={classes['item']}>
                <Text size="sm">
                  {name}, line {formatCount(number)}: {reason}
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

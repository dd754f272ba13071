import { Button, FileButton, Group, Loader, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useState, type DragEvent } from 'react';
import classes from './log-drop.module.css';

/** Includes the importer, which isn't needed before files are chosen. */
const LogImport = lazy(() => import('./log-import.js'));

interface LogDropProps {
  projectId: string;
  token: string;
}

export function LogDrop({ projectId, token }: LogDropProps) {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [isOver, setOver] = useState(false);
  const [count, setCount] = useState(0);
  const start = (chosen: readonly File[]): void => {
    if (chosen.length === 0) return;
    setFiles(chosen);
    // A new key starts a new import, even of the same files.
    setCount(count + 1);
  };
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    start([...event.dataTransfer.files]);
  };
  if (files.length > 0) {
    return (
      <Suspense fallback={<Loader size="sm" />}>
        <LogImport key={count} projectId={projectId} token={token} files={files} onAgain={() => setFiles([])} />
      </Suspense>
    );
  }
  return (
    <Stack
      className={classes['drop']}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Group justify="center" gap="sm">
        <Text size="sm" ta="center">
          Drop log files here, packed with gzip or not, or
        </Text>
        <FileButton onChange={start} multiple>
          {(props) => (
            <Button {...props} variant="default" size="xs">
              Choose log files
            </Button>
          )}
        </FileButton>
      </Group>
      <Text size="xs" c="dimmed" ta="center">
        They are read in this browser and sent as visits. Importing a log again records nothing twice.
      </Text>
    </Stack>
  );
}

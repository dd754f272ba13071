import { Button, FileButton, Group, Loader, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useState, type DragEvent } from 'react';
import classes from './log-drop.module.css';

// Lazy-loaded because the importer is only needed once files are selected.
const LogImport = lazy(() => import('./log-import.js'));

interface LogDropProps {
  projectId: string;
  token: string;
}

export function LogDrop({ projectId, token }: LogDropProps) {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [isDragOver, setDragOver] = useState(false);
  const [importCount, setImportCount] = useState(0);
  const start = (selectedFiles: readonly File[]): void => {
    if (selectedFiles.length === 0) return;
    setFiles(selectedFiles);
    // Change the key to remount LogImport, so that selecting the same files again starts a new import.
    setImportCount(importCount + 1);
  };
  const handleDragOver = (event: DragEvent): void => {
    event.preventDefault();
    setDragOver(true);
  };
  const handleDrop = (event: DragEvent): void => {
    event.preventDefault();
    setDragOver(false);
    start([...event.dataTransfer.files]);
  };
  if (files.length > 0) {
    return (
      <Suspense fallback={<Loader size="sm" />}>
        <LogImport key={importCount} projectId={projectId} token={token} files={files} onRestart={() => setFiles([])} />
      </Suspense>
    );
  }
  return (
    <Stack
      className={classes['drop']}
      data-over={isDragOver || undefined}
      onDragOver={handleDragOver}
      onDragLeave={() => setDragOver(false)}
      onDrop={handleDrop}
    >
      <Group justify="center" gap="sm">
        <Text size="sm" ta="center">
          Drop log files here (plain text or gzip), or
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
        Files are parsed in this browser and sent as visits. Importing a log again doesn’t create duplicates.
      </Text>
    </Stack>
  );
}

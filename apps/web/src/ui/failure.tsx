import { Alert, Button, Group, Text } from '@mantine/core';
import { ApiError, messageOf } from '../api/client.js';
import { Icon } from './icon.js';

export interface FailureProps {
  error: unknown;
  /** What was tried, as "The projects can't be shown". */
  title?: string;
  retry?: () => void;
}

/** What went wrong, in the server's own words; a fault of the server with what to look for in its log. */
export function Failure({ error, title = 'Something went wrong', retry }: FailureProps) {
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : null;
  return (
    <Alert color="red" variant="outline" icon={<Icon name="failed" />} title={title} role="alert" my="md">
      <Text size="sm">{messageOf(error)}</Text>
      {requestId !== null && (
        <Text size="xs" c="dimmed" mt={4}>
          Request ID for the log: {requestId}
        </Text>
      )}
      {retry && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  );
}

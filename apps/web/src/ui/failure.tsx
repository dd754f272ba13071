import { Alert, Button, Group, Text } from '@mantine/core';
import { ApiError, messageOf } from '../api/client.js';
import { Icon } from './icon.js';

interface FailureProps {
  error: unknown;
  /** What was tried, as "The projects can't be shown". A refusal, such as of a wrong password, needs none. */
  title?: string;
  retry?: () => void;
}

/** What went wrong, in the server's own words; a fault of the server with what to look for in its log. */
export function Failure({ error, title, retry }: FailureProps) {
  const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500;
  const requestId = error instanceof ApiError && !isRefusal ? error.requestId : null;
  return (
    <Alert
      color="red"
      variant="outline"
      icon={<Icon name="failed" />}
      title={title ?? (isRefusal ? undefined : 'Something went wrong')}
      role="alert"
      my="md"
    >
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

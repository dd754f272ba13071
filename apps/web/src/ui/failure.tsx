import { Alert, Button, Group, Text } from '@mantine/core';
import { ApiError, messageOf } from '../api/client.js';
import { Icon } from './icon.js';

interface FailureProps {
  error: unknown;
  /** Heading, such as "The projects can't be shown". Default: none for 4xx responses, else "Something went wrong". */
  title?: string;
  retry?: () => void;
}

/** Shows the server's error message. Unless it's a 4xx response, adds the request ID to look for in the log. */
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

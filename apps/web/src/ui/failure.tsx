import { Alert, Button, Group, Text } from '@mantine/core';
import { ApiError, toErrorMessage } from '../api/client.js';
import { Icon } from './icon.js';

interface FailureProps {
  error: unknown;
  /**
   * Heading, such as "Couldn't load the projects". Default: none for 4xx responses, otherwise "Something went wrong".
   */
  title?: string;
  retry?: () => void;
}

/** Error alert. Includes the request ID for log searches, except for 4xx responses. */
export function Failure({ error, title, retry }: FailureProps) {
  const isClientError = error instanceof ApiError && error.status >= 400 && error.status < 500;
  const requestId = error instanceof ApiError && !isClientError ? error.requestId : null;
  return (
    <Alert
      color="red"
      variant="outline"
      icon={<Icon name="failed" />}
      title={title ?? (isClientError ? undefined : 'Something went wrong')}
      role="alert"
      my="md"
    >
      <Text size="sm">{toErrorMessage(error)}</Text>
      {requestId !== null && (
        <Text size="xs" c="dimmed" mt={4}>
          Search the log for request ID {requestId}
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

import { Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from './copy-button.js';

interface SnippetProps {
  text: string;
  what: string;
  /** Shown above the text, next to the button. */
  title?: string;
}

/** Copyable text. Long lines wrap, so nothing is cut off on phones. */
export function Snippet({ text, what, title }: SnippetProps) {
  const copyButton = <CopyButton text={text} what={what} />;
  return (
    <Stack gap={6} align="flex-start">
      {title !== undefined && (
        <Group justify="space-between" gap="xs" w="100%">
          <Text fw={500}>{title}</Text>
          {copyButton}
        </Group>
      )}
      <Code block w="100%" role="region" aria-label={what} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Code>
      {title === undefined && copyButton}
    </Stack>
  );
}

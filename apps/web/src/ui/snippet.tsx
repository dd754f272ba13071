import { Code, Stack } from '@mantine/core';
import { CopyButton } from './copy-button.js';

/** Copyable text. Long lines wrap, so nothing is cut off on phones. */
export function Snippet({ text, what }: { text: string; what: string }) {
  return (
    <Stack gap={6} align="flex-start">
      <Code block w="100%" role="region" aria-label={what} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Code>
      <CopyButton text={text} what={what} />
    </Stack>
  );
}

import { Code, Stack } from '@mantine/core';
import { CopyButton } from './copy-button.js';

/** Text to be copied, in lines that scroll within it. */
export function Snippet({ text, what }: { text: string; what: string }) {
  return (
    <Stack gap={6} align="flex-start">
      {/* Reached by keyboard, since it scrolls. */}
      <Code block w="100%" tabIndex={0} role="region" aria-label={what} style={{ overflowWrap: 'normal' }}>
        {text}
      </Code>
      <CopyButton text={text} what={what} />
    </Stack>
  );
}

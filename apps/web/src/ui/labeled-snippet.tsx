import { Text } from '@mantine/core';
import { Snippet } from './snippet.js';

/** Snippet with a label above it. */
export const LabeledSnippet = ({ label, text, what }: { label: string; text: string; what: string }) => (
  <div>
    <Text size="sm" fw={500} mb={4}>
      {label}
    </Text>
    <Snippet text={text} what={what} />
  </div>
);

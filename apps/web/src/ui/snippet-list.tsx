import { Text } from '@mantine/core';
import { Snippet } from './snippet.js';
import type { SnippetPart } from './snippet-part.js';

/** Copyable snippets, each with a title that explains where to put it. */
export function SnippetList({ label, parts }: { label: string; parts: readonly SnippetPart[] }) {
  return parts.map(({ title, text }, index) => (
    <div key={title}>
      <Text size="sm" fw={500} mb={4}>
        {title}
      </Text>
      <Snippet text={text} what={index === 0 ? `the lines for ${label}` : `lines for ${label}, part ${index + 1}`} />
    </div>
  ));
}

import { Button, Code, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from './copy-button.js';
import type { SnippetPart } from './snippet-part.js';

/** Number of lines shown initially. */
const MAX_LINES = 15;

/** Copyable snippets, each with a title that explains where to put it. Long ones are collapsed. */
export function SnippetList({ label, parts }: { label: string; parts: readonly SnippetPart[] }) {
  return parts.map((part, index) => (
    <SnippetItem
      key={part.title}
      {...part}
      what={index === 0 ? `the lines for ${label}` : `lines for ${label}, part ${index + 1}`}
    />
  ));
}

function SnippetItem({ title, text, what }: SnippetPart & { what: string }) {
  const lines = text.split('\n').length;
  const [isOpen, setOpen] = useState(false);
  const isCut = !isOpen && lines > MAX_LINES;
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" fw={500}>
          {title}
        </Text>
        <CopyButton text={text} what={what} />
      </Group>
      <Code
        block
        w="100%"
        role="region"
        aria-label={what}
        style={{
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
          ...(isCut && { maxHeight: `calc(${MAX_LINES}lh + var(--mantine-spacing-xs))`, overflow: 'hidden' }),
        }}
      >
        {text}
      </Code>
      {lines > MAX_LINES && (
        <Button size="compact-sm" variant="subtle" mt={4} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show all ${lines} lines`}
          <span className="unseen"> of {what}</span>
        </Button>
      )}
    </div>
  );
}

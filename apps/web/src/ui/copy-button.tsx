import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Icon } from './icon.js';

interface CopyButtonProps {
  text: string;
  /** Name of the copied text for screen readers. */
  what: string;
  label?: string;
}

export function CopyButton({ text, what, label = 'Copy' }: CopyButtonProps) {
  const { copied, copy, error } = useClipboard({ timeout: 2_000 });
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
      onClick={() => copy(text)}
    >
      <span aria-live="polite">{error ? 'Select the text and copy it' : copied ? 'Copied' : label}</span>
      <span className="unseen">: {what}</span>
    </Button>
  );
}

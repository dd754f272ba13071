import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../format/count.js';

interface QuietRowsTexts {
  /** Button that shows the hidden rows. */
  show: (count: number) => string;
  /** Button that hides them again. */
  hide: string;
}

/**
 * Hides rows without findings behind a button.
 *
 * @returns The rows to show, and the button, which is null if no row is hidden. If no row has a finding, all are shown.
 */
export function useQuietRows<T>(rows: readonly T[], hasFinding: (row: T) => boolean, texts: QuietRowsTexts) {
  const [isOpen, setOpen] = useState(false);
  const findings = rows.filter(hasFinding);
  const hiddenCount = rows.length - findings.length;
  const hasButton = findings.length > 0 && hiddenCount > 0;
  const button = hasButton ? (
    <Group justify="center" mt="sm">
      <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? texts.hide : texts.show(hiddenCount)}
      </Button>
    </Group>
  ) : null;
  return { rows: hasButton && !isOpen ? findings : rows, button };
}

/** Texts for rows of agents. */
export const QUIET_AGENTS: QuietRowsTexts = {
  show: (count) => `Show ${formatCount(count)} ${count === 1 ? 'agent' : 'agents'} without findings`,
  hide: 'Hide agents without findings',
};

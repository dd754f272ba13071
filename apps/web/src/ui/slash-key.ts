import { useHotkeys } from '@mantine/hooks';
import { useRef, type RefObject } from 'react';

/** The field that `/` leads to. */
export function useSlashKey(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  const focus = (): void => field.current?.focus();
  // With or without Shift, as the keyboard has it.
  useHotkeys([
    ['/', focus],
    ['shift+/', focus],
  ]);
  return field;
}

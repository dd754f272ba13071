import { useHotkeys } from '@mantine/hooks';
import { useRef, type RefObject } from 'react';

/** Returns a ref for the field that the `/` key focuses. */
export function useSlashKey(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  const focus = (): void => field.current?.focus();
  // Handle `/` with and without Shift, because this depends on the keyboard layout.
  useHotkeys([
    ['/', focus],
    ['shift+/', focus],
  ]);
  return field;
}

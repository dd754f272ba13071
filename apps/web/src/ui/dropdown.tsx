import { Popover } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import classes from './dropdown.module.css';
import { useReturnFocus } from './use-return-focus.js';

interface DropdownProps {
  label: string;
  onClose: () => void;
  /** Width in pixels, or "max-content" to fit the content. */
  width: number | 'max-content';
  children: ReactNode;
}

/**
 * Panel that opens below its sibling button. Both must be in an element with `position: relative`. Render the panel
 * only while it's open, so its content loads on demand.
 */
export function Dropdown({ label, onClose, width, children }: DropdownProps) {
  useReturnFocus();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const closeOutside = ({ target }: Event): void => {
    if (!(target instanceof Element && target.closest('[data-dropdown]'))) onClose();
  };
  // Ignore clicks on the button, because the button closes the panel itself.
  useClickOutside(closeOutside, null, [anchor?.parentElement ?? null]);
  return (
    <Popover
      opened
      onChange={(isOpen) => !isOpen && onClose()}
      closeOnClickOutside={false}
      position="bottom-start"
      width={width}
      shadow="md"
      trapFocus
      withRoles={false}
      // Otherwise, the panel disappears when content that loads above it moves the button off the screen.
      hideDetached={false}
    >
      <Popover.Target>
        <span ref={setAnchor} className={classes['anchor']} />
      </Popover.Target>
      <Popover.Dropdown
        data-dropdown
        role="dialog"
        aria-label={label}
        maw="calc(100vw - 16px)"
        p="xs"
        onKeyDown={moveFocus}
      >
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}

/** Moves the focus between fields, links and buttons with the arrow keys. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a, button')];
  const index = items.indexOf(document.activeElement as HTMLElement);
  items[Math.min(items.length - 1, Math.max(0, index + step))]?.focus();
}

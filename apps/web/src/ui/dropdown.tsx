import { Popover } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import classes from './dropdown.module.css';
import { useReturnFocus } from './return-focus.js';

interface DropdownProps {
  label: string;
  onClose: () => void;
  /** Pixels. */
  width: number;
  children: ReactNode;
}

/**
 * A panel below the button that it is rendered beside, in an element of position `relative`; there only while it is
 * open, so that it is loaded when it is wanted.
 */
export function Dropdown({ label, onClose, width, children }: DropdownProps) {
  useReturnFocus();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  // A click on the button itself closes it, too, but by the button.
  const closeOutside = ({ target }: Event): void => {
    if (!(target instanceof Element && target.closest('[data-dropdown]'))) onClose();
  };
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

/** The arrows lead from one link or button to the next. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a, button')];
  const index = items.indexOf(document.activeElement as HTMLElement);
  items[Math.min(items.length - 1, Math.max(0, index + step))]?.focus();
}

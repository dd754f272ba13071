import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Icon } from './icon.js';
import classes from './disclosure.module.css';

interface DisclosureProps {
  label: string;
  /** Keeps the content open, for example because it contains an error. */
  isForcedOpen?: boolean;
  children: ReactNode;
}

/** Button that shows content that most people don't need. */
export function Disclosure({ label, isForcedOpen = false, children }: DisclosureProps) {
  const [isOpenedByUser, setOpen] = useState(false);
  const isOpen = isOpenedByUser || isForcedOpen;
  return (
    <>
      <div>
        <Button
          size="compact-sm"
          variant="subtle"
          className={classes['button'] ?? ''}
          aria-expanded={isOpen}
          rightSection={<Icon name="chevron" size={14} />}
          onClick={() => setOpen(!isOpen)}
        >
          {label}
        </Button>
      </div>
      {isOpen && children}
    </>
  );
}

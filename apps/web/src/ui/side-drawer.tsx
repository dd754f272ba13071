import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { CardHeader } from './card-header.js';
import { useReturnFocus } from './use-return-focus.js';

interface SideDrawerProps {
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** Drawer on the right that covers the entire page on narrow screens. Render it only while it's open. */
export function SideDrawer({ title, onClose, children }: SideDrawerProps) {
  useReturnFocus();
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={isNarrow ? '100%' : 'lg'}
      title={title}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <CardHeader value={null}>{children}</CardHeader>
    </Drawer>
  );
}

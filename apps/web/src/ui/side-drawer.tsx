import { Drawer, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { CardHeader } from './card-header.js';
import { useReturnFocus } from './use-return-focus.js';

interface SideDrawerProps {
  title: ReactNode;
  onClose: () => void;
  /** Controls next to the close button. */
  controls?: ReactNode;
  children: ReactNode;
}

/** Drawer on the right that covers the entire page on narrow screens. Render it only while it's open. */
export function SideDrawer({ title, onClose, controls, children }: SideDrawerProps) {
  useReturnFocus();
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  return (
    <Drawer.Root opened onClose={onClose} position="right" size={isNarrow ? '100%' : 'lg'}>
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title flex={1}>{title}</Drawer.Title>
          <Group gap={4} wrap="nowrap">
            {controls}
            {/* Forms focus their first field. */}
            <Drawer.CloseButton aria-label="Close" {...(controls !== undefined && { 'data-autofocus': true })} />
          </Group>
        </Drawer.Header>
        <Drawer.Body>
          <CardHeader value={null}>{children}</CardHeader>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

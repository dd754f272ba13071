import { Card, Stack, Text, Title } from '@mantine/core';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { CardHeader, createCardHeaderSlot } from './card-header.js';
import classes from './section.module.css';

interface SectionProps {
  title: ReactNode;
  lead?: ReactNode;
  /** Controls on the right of the header. The tools of the first table in the section are added to them. */
  actions?: ReactNode;
  /** URL fragment that links to this section. */
  id?: string;
  children: ReactNode;
}

/** Card with a header. */
export function Section({ title, lead, actions, id, children }: SectionProps) {
  const card = useRef<HTMLDivElement>(null);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const header = useMemo(() => slot && createCardHeaderSlot(slot), [slot]);
  // Scroll to the section when it's rendered. The router can't do that, because it scrolls before the page's data has
  // loaded.
  useEffect(() => {
    if (id !== undefined && window.location.hash === `#${id}`) card.current?.scrollIntoView();
  }, [id]);
  return (
    <Card withBorder component="section" ref={card} {...(id !== undefined && { id })}>
      <Stack gap="sm">
        <div className={classes['header']}>
          <div className={classes['heading']}>
            <Title order={2}>{title}</Title>
            {lead && (
              <Text component="div" fz="0.8125rem" c="dimmed" mt={2}>
                {lead}
              </Text>
            )}
          </div>
          <div className={classes['actions']}>
            <div ref={setSlot} className={classes['slot']} />
            {actions}
          </div>
        </div>
        <CardHeader value={header}>{children}</CardHeader>
      </Stack>
    </Card>
  );
}

import { Card, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';

interface SectionProps {
  title: string;
  lead?: ReactNode;
  /** URL fragment that links to this section. */
  id?: string;
  children: ReactNode;
}

export function Section({ title, lead, id, children }: SectionProps) {
  const card = useRef<HTMLDivElement>(null);
  // Scroll to the section when it's rendered. The router can't do that, because it scrolls before the page's data has
  // loaded.
  useEffect(() => {
    if (id !== undefined && window.location.hash === `#${id}`) card.current?.scrollIntoView();
  }, [id]);
  return (
    <Card withBorder component="section" ref={card} {...(id !== undefined && { id })}>
      <Stack gap="sm">
        <div>
          <Title order={2}>{title}</Title>
          {lead && (
            <Text component="div" size="sm" c="dimmed" mt={2}>
              {lead}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Card>
  );
}

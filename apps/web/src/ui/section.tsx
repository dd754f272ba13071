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
  // The router scrolls to fragments before the page has its data and renders this section.
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

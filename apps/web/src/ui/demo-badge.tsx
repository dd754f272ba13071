import { Badge } from '@mantine/core';

/** Beside the name of the project whose visits are made up. */
export const DemoBadge = () => (
  <Badge
    variant="outline"
    color="gray"
    c="var(--mantine-color-text)"
    size="sm"
    tt="none"
    ml={6}
    flex="none"
    title="These visits are made up"
  >
    Demo
  </Badge>
);

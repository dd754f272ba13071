import { Badge } from '@mantine/core';

export const DemoBadge = () => (
  <Badge
    variant="outline"
    color="gray"
    c="var(--mantine-color-text)"
    size="sm"
    tt="none"
    ml={6}
    flex="none"
    title="This project contains demo data"
  >
    Demo
  </Badge>
);

import { Button } from '@mantine/core';
import type { Range } from '../../range/range.js';
import { timelineQuery, type Filters } from '../../filters/visit-filters.js';

interface ExportLinksProps {
  projectId: string;
  filters: Filters;
  range: Range;
}

export function ExportLinks({ projectId, filters, range: { from, to } }: ExportLinksProps) {
  return (['csv', 'ndjson'] as const).map((format) => (
    <Button
      key={format}
      component="a"
      href={exportAddress(projectId, { format, from, to }, filters)}
      download
      size="xs"
      variant="default"
    >
      Export {format.toUpperCase()}
    </Button>
  ));
}

function exportAddress(projectId: string, fixed: Record<string, string>, filters: Filters): string {
  const query = new URLSearchParams(fixed);
  for (const [name, values] of Object.entries(timelineQuery(filters))) {
    for (const value of values) query.append(name, String(value));
  }
  return `/api/projects/${projectId}/visits/export?${query}`;
}

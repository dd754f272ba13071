import { Button } from '@mantine/core';
import type { Range } from '../../range/range.js';
import { toTimelineQuery, type Filters } from '../../filters/visit-filters.js';

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
      href={exportUrl(projectId, { format, from, to }, filters)}
      download
      size="xs"
      variant="default"
    >
      Export {format.toUpperCase()}
    </Button>
  ));
}

function exportUrl(projectId: string, parameters: Record<string, string>, filters: Filters): string {
  const query = new URLSearchParams(parameters);
  for (const [name, values] of Object.entries(toTimelineQuery(filters))) {
    for (const value of values) query.append(name, String(value));
  }
  return `/api/projects/${projectId}/visits/export?${query}`;
}

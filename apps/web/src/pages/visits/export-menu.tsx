import { Button, NavLink } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { Range } from '../../range/range.js';
import { toTimelineQuery, type Filters } from '../../filters/visit-filters.js';
import { Icon } from '../../ui/icon.js';

const Dropdown = lazy(() => import('../../ui/dropdown.js').then((module) => ({ default: module.Dropdown })));

interface ExportMenuProps {
  projectId: string;
  filters: Filters;
  range: Range;
}

/** Button that opens a menu with one download link per file format. */
export function ExportMenu({ projectId, filters, range: { from, to } }: ExportMenuProps) {
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <div style={{ position: 'relative' }}>
      <Button
        size="xs"
        variant="default"
        rightSection={<Icon name="chevron" size={14} />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={toggle}
      >
        Export
      </Button>
      <Suspense>
        {isOpen && (
          <Dropdown label="Export" width={140} onClose={close}>
            {(['csv', 'ndjson'] as const).map((format) => (
              <NavLink
                key={format}
                component="a"
                href={exportUrl(projectId, { format, from, to }, filters)}
                download
                label={format.toUpperCase()}
                onClick={close}
              />
            ))}
          </Dropdown>
        )}
      </Suspense>
    </div>
  );
}

function exportUrl(projectId: string, parameters: Record<string, string>, filters: Filters): string {
  const query = new URLSearchParams(parameters);
  for (const [name, values] of Object.entries(toTimelineQuery(filters))) {
    for (const value of values) query.append(name, String(value));
  }
  return `/api/projects/${projectId}/visits/export?${query}`;
}

import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import {
  COLUMN_LABELS,
  COLUMN_NAMES,
  DEFAULT_COLUMNS,
  parseColumns,
  type ColumnName,
} from '../../visit-table/visit-columns.js';

export interface ColumnsMenuProps {
  columns: readonly ColumnName[];
  onChange: (columns: readonly ColumnName[]) => void;
}

/** Column picker for the visit list. Ignores a change that would deselect the last column. */
export default function ColumnsMenu({ columns, onChange }: ColumnsMenuProps) {
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button size="xs" variant="default" visibleFrom="sm">
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Checkbox.Group
          label="Columns"
          description="Shown in addition to the time. Saved in this browser."
          value={[...columns]}
          onChange={(names) => onChange(parseColumns(names.join(',')) ?? columns)}
        >
          <Stack gap={10} mt="xs">
            {COLUMN_NAMES.map((name) => (
              <Checkbox key={name} size="xs" value={name} label={COLUMN_LABELS[name]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Button size="compact-xs" variant="default" mt="sm" onClick={() => onChange(DEFAULT_COLUMNS)}>
          Reset columns
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

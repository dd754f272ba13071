import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { Visit } from '../api/client.js';
import { TIMELINE_FILTERS } from '../api/timeline-filters.js';
import { Dropdown } from '../ui/dropdown.js';
import { toOppositeKey, type FilterName, type FilterValue } from './filter-set.js';
import { formatFilterValue } from './format-filter-value.js';
import { suggestValues } from './suggest-values.js';
import { validateFilter } from './visit-filters.js';

interface AddFilterPanelProps {
  names: readonly FilterName[];
  visits: readonly Visit[];
  onAdd: (filter: FilterValue) => void;
  onClose: () => void;
}

const PANEL_WIDTH_PX = 320;
const CONDITIONS = [
  { value: 'is', label: 'is' },
  { value: 'not', label: 'is not' },
];
const HINTS: Partial<Record<FilterName, string>> = {
  page: 'Full path with any query, or a pattern such as /docs/*',
  path: 'Start of the path with its query, or a pattern such as /docs/*',
};

/** Panel with a field, a condition and a value. */
export default function AddFilterPanel({ names, visits, onAdd, onClose }: AddFilterPanelProps) {
  const list = useId();
  const [name, setName] = useState<FilterName>(names.includes('page') ? 'page' : names[0]!);
  const [isNegated, setNegated] = useState(false);
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const { placeholder, values } = TIMELINE_FILTERS[name];
  const value = values === null ? text.trim() : text || values[0]!;
  const add = (): void => {
    // Pages are exact paths, so a pattern filters by path.
    const filtered = name === 'page' && value.includes('*') ? 'path' : name;
    const fault = value === '' ? 'Enter a value.' : validateFilter(filtered, value);
    setError(fault);
    if (fault !== null) return;
    const key = isNegated ? toOppositeKey(filtered) : filtered;
    onAdd({ key, value: filtered === 'page' ? stripQuery(value) : value });
  };
  return (
    <Dropdown label="Add filter" width={PANEL_WIDTH_PX} onClose={onClose}>
      <form
        // The browser's own messages would cover the panel.
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
        // In the panel, arrow keys choose options and suggestions.
        onKeyDown={(event) => event.key.startsWith('Arrow') && event.stopPropagation()}
      >
        <Stack gap="xs">
          <Group gap="xs" grow preventGrowOverflow={false} wrap="nowrap">
            <NativeSelect
              label="Field"
              size="xs"
              value={name}
              onChange={({ currentTarget }) => {
                setName(currentTarget.value as FilterName);
                setText('');
                setError(null);
              }}
              data={names.map((option) => ({ value: option, label: TIMELINE_FILTERS[option].label }))}
            />
            <NativeSelect
              label="Condition"
              size="xs"
              value={isNegated ? 'not' : 'is'}
              onChange={({ currentTarget }) => setNegated(currentTarget.value === 'not')}
              data={CONDITIONS}
            />
          </Group>
          {values === null ? (
            <TextInput
              label="Value"
              size="xs"
              data-autofocus
              autoComplete="off"
              placeholder={placeholder}
              description={HINTS[name]}
              error={error}
              list={list}
              value={text}
              onChange={({ currentTarget }) => {
                setText(currentTarget.value);
                setError(null);
              }}
            />
          ) : (
            <NativeSelect
              label="Value"
              size="xs"
              value={value}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              data={values.map((option) => ({ value: option, label: formatFilterValue(option) }))}
            />
          )}
          <datalist id={list}>
            {suggestValues(visits, name).map((option) => (
              <option key={option} value={option} />
            ))}
          </datalist>
          <Group gap="xs">
            <Button size="xs" type="submit">
              Add
            </Button>
            <Button size="xs" variant="default" onClick={onClose}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Dropdown>
  );
}

const stripQuery = (path: string): string => path.split('?', 1)[0]!;

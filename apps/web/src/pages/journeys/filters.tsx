import { Group, NativeSelect } from '@mantine/core';
import { JOURNEY_TYPES } from '../../api/constants.js';
import { DebouncedInput } from '../../ui/debounced-input.js';
import { useSlashKey } from '../../ui/use-slash-key.js';
import { VISITOR_LABELS, type JourneysSearch } from './search.js';

interface FiltersProps {
  search: JourneysSearch;
  onChange: (change: Partial<JourneysSearch>) => void;
}

const ALL = { value: '', label: 'All' };

/** Fields that filter the sessions. */
export function JourneyFilters({ search, onChange }: FiltersProps) {
  const field = useSlashKey();
  const select = <K extends keyof JourneysSearch>(
    key: K,
    label: string,
    options: readonly { value: string; label: string }[],
  ) => (
    <NativeSelect
      label={label}
      size="xs"
      value={(search[key] as string | undefined) ?? ''}
      onChange={({ currentTarget }) => onChange({ [key]: currentTarget.value || undefined } as Partial<JourneysSearch>)}
      data={[ALL, ...options]}
    />
  );
  const visitors = Object.entries(VISITOR_LABELS).map(([value, label]) => ({ value, label }));
  const types = JOURNEY_TYPES.map((type) => ({ value: type, label: type }));
  return (
    <Group role="search" aria-label="Sessions" gap="xs" align="end">
      <DebouncedInput
        label="Agent"
        placeholder="ChatGPT-User"
        size="xs"
        value={search.agent ?? ''}
        ref={field}
        onTyped={(text) => onChange({ agent: text || undefined })}
      />
      {select('type', 'Type', types)}
      {select('visitor', 'Visitor', visitors)}
      <DebouncedInput
        label="Entry page"
        placeholder="/docs"
        size="xs"
        value={search.entry ?? ''}
        onTyped={(text) => onChange({ entry: text || undefined })}
      />
      {select('deadEnd', 'Dead end', [
        { value: 'yes', label: 'With a dead end' },
        { value: 'no', label: 'Without dead ends' },
      ])}
      {select('checkout', 'Checkout', [
        { value: 'yes', label: 'With a checkout' },
        { value: 'no', label: 'Without a checkout' },
      ])}
    </Group>
  );
}

import { Button, Checkbox, Collapse, Group, NativeSelect } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useId, type RefObject } from 'react';
import { IDENTIFICATION_RESULTS, RESULTS } from '#libs/agents/vocabulary';
import type { Result, Visit } from '../../api/client.js';
import { TypedInput } from '../../ui/typed-input.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { timelineQuery, type Filters } from './filters.js';

export interface FilterBarProps {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
  /** What is there now, to choose from. */
  visits: readonly Visit[];
  firstField: RefObject<HTMLInputElement | null>;
}

export function FilterBar({ filters, onChange, visits, firstField }: FilterBarProps) {
  const isNarrow = useMediaQuery('(max-width: 48em)');
  const [isOpen, { toggle }] = useDisclosure();
  const count = Object.keys(timelineQuery(filters)).length;
  const { result, type, mcp } = filters;
  return (
    <div role="search" aria-label="Visits">
      <Group hiddenFrom="sm" mb={isOpen ? 'xs' : 0}>
        <Button size="xs" variant="default" onClick={toggle} aria-expanded={isOpen} aria-controls="filters">
          Filters{count > 0 ? ` (${count})` : ''}
        </Button>
      </Group>
      <Collapse expanded={isOpen || !isNarrow} id="filters">
        <Group gap="xs" align="end">
          <TextFilter
            name="path"
            label="Path"
            placeholder="/articles"
            filters={filters}
            onChange={onChange}
            inputRef={firstField}
          />
          <TextFilter
            name="agent"
            label="Agent"
            filters={filters}
            onChange={onChange}
            options={namesOf(visits, 'agent_token')}
          />
          <NativeSelect
            label="Verdict"
            size="xs"
            value={result ?? ''}
            onChange={({ currentTarget }) =>
              onChange({ result: (currentTarget.value || undefined) as Result | undefined })
            }
            data={[
              { value: '', label: 'All' },
              ...IDENTIFICATION_RESULTS.map((value) => ({ value: value as string, label: RESULTS[value].label })),
            ]}
          />
          <NativeSelect
            label="Type"
            size="xs"
            value={type ?? ''}
            onChange={({ currentTarget }) => onChange({ type: currentTarget.value || undefined })}
            data={[{ value: '', label: 'All' }, ...AGENT_TYPES]}
          />
          <TextFilter
            name="operator"
            label="Operator"
            filters={filters}
            onChange={onChange}
            options={namesOf(visits, 'operator_name')}
          />
          {filters.page !== undefined && <TextFilter name="page" label="Page" filters={filters} onChange={onChange} />}
          {filters.from !== undefined && (
            <TextFilter
              name="address"
              label="Address"
              placeholder="192.0.2.0/24"
              filters={filters}
              onChange={onChange}
            />
          )}
          <TextFilter name="status" label="Status" placeholder="4xx" width={70} filters={filters} onChange={onChange} />
          <Checkbox
            label="MCP only"
            size="xs"
            mb={7}
            checked={mcp ?? false}
            onChange={({ currentTarget }) => onChange({ mcp: currentTarget.checked || undefined })}
          />
          {count > 0 && (
            <Button size="xs" variant="subtle" onClick={() => onChange(NO_FILTERS)}>
              Clear
            </Button>
          )}
        </Group>
      </Collapse>
    </div>
  );
}

export const NO_FILTERS: Partial<Filters> = {
  agent: undefined,
  type: undefined,
  operator: undefined,
  result: undefined,
  path: undefined,
  page: undefined,
  address: undefined,
  status: undefined,
  mcp: undefined,
};

const namesOf = (visits: readonly Visit[], name: 'agent_token' | 'operator_name'): string[] =>
  [...new Set(visits.map(({ identification }) => identification[name]).filter((value) => value !== null))].toSorted();

interface TextFilterProps {
  name: 'path' | 'page' | 'address' | 'agent' | 'operator' | 'status';
  label: string;
  placeholder?: string;
  /** Pixels. */
  width?: number;
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
  options?: readonly string[];
  inputRef?: RefObject<HTMLInputElement | null>;
}

function TextFilter({ name, label, placeholder, width = 140, filters, onChange, options, inputRef }: TextFilterProps) {
  const list = useId();
  return (
    <>
      <TypedInput
        label={label}
        placeholder={placeholder}
        size="xs"
        w={width}
        value={filters[name] ?? ''}
        ref={inputRef ?? null}
        list={list}
        onTyped={(text) => onChange({ [name]: text || undefined })}
        // Where it has the focus, `j` and `k` are letters.
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
      />
      <datalist id={list}>
        {options?.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </>
  );
}

import { Button, Checkbox, Collapse, Group, NativeSelect } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useId, useState, type RefObject } from 'react';
import type { Visit } from '../api/client.js';
import { TIMELINE_FILTERS } from '../api/timeline-filters.js';
import { FilterChips } from './filter-chips.js';
import { valueText } from './value-text.js';
import { isFiltered } from './filter-set.js';
import { SavedFilters } from '../saved-filters/saved-filters.js';
import { TypedInput } from '../ui/typed-input.js';
import { FILTER_NAMES, filterFault, timelineQuery, type FilterName, type Filters } from './visit-filters.js';

interface FilterBarProps {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
  /** Visits on the page, from which values are suggested. */
  visits: readonly Visit[];
  /** Errors reported by the server. */
  faults?: Partial<Record<FilterName, string>>;
  firstField: RefObject<HTMLInputElement | null>;
  /** Shows the field for client addresses. */
  hasAddress?: boolean;
}

/**
 * Distance from a label to its input, in pixels. Aligns the button with the inputs, whether or not errors are shown.
 */
const FIELD_OFFSET = 25;

export function FilterBar(props: FilterBarProps) {
  const { filters, onChange, visits, faults = {}, firstField, hasAddress = false } = props;
  const isNarrow = useMediaQuery('(max-width: 48em)');
  const [isOpen, { toggle }] = useDisclosure();
  const count = Object.keys(timelineQuery(filters)).length;
  return (
    <div role="search" aria-label="Visits">
      <FilterChips
        filters={filters.chips ?? {}}
        onChange={(chips) => onChange({ chips: isFiltered(chips) ? chips : undefined })}
      />
      <Group hiddenFrom="sm" mb={isOpen ? 'xs' : 0}>
        <Button size="xs" variant="default" onClick={toggle} aria-expanded={isOpen} aria-controls="filters">
          Filters{count > 0 ? ` (${count})` : ''}
        </Button>
      </Group>
      <Collapse expanded={isOpen || !isNarrow} id="filters">
        <Group gap="xs" align="start">
          <PageFilter filters={filters} onChange={onChange} options={pagesOf(visits)} inputRef={firstField} />
          {FILTER_NAMES.filter((name) => !PAGE_FILTERS.has(name) && (name !== 'address' || hasAddress)).map((name) => {
            const { label, values } = TIMELINE_FILTERS[name];
            if (values === null) {
              return (
                <TextFilter
                  key={name}
                  name={name}
                  filters={filters}
                  onChange={onChange}
                  options={namesOf(visits, name)}
                  fault={faults[name]}
                />
              );
            }
            return (
              <NativeSelect
                key={name}
                label={label}
                size="xs"
                value={filters[name] ?? ''}
                onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value || undefined })}
                data={[{ value: '', label: 'All' }, ...values.map((value) => ({ value, label: valueText(value) }))]}
              />
            );
          })}
          {count > 0 && (
            <Button size="xs" variant="subtle" mt={FIELD_OFFSET} onClick={() => onChange(NO_FILTERS)}>
              Clear
            </Button>
          )}
          <SavedFilters />
        </Group>
      </Collapse>
    </div>
  );
}

export const NO_FILTERS: Partial<Filters> = Object.fromEntries(
  [...FILTER_NAMES, 'chips'].map((name) => [name, undefined]),
);

/** Filters that share one field. */
const PAGE_FILTERS: ReadonlySet<FilterName> = new Set(['page', 'path']);

/** Visit fields whose values are suggested. */
const SUGGESTED: { [K in FilterName]?: 'agent_token' | 'operator_name' } = {
  agent: 'agent_token',
  operator: 'operator_name',
};

function namesOf(visits: readonly Visit[], filter: FilterName): string[] {
  const name = SUGGESTED[filter];
  if (name === undefined) return [];
  return [
    ...new Set(visits.map(({ identification }) => identification[name]).filter((value) => value !== null)),
  ].toSorted();
}

interface TextFilterProps {
  name: FilterName;
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
  options: readonly string[];
  fault: string | undefined;
}

function TextFilter({ name, filters, onChange, options, fault }: TextFilterProps) {
  const list = useId();
  const [typed, setTyped] = useState({ text: '', filter: filters[name] });
  const { label, placeholder } = TIMELINE_FILTERS[name];
  // The filter was changed elsewhere, for example cleared, and the text with it.
  const isGone = typed.filter !== filters[name];
  const error = (isGone ? null : filterFault(name, typed.text)) ?? fault;
  return (
    <>
      <TypedInput
        label={label}
        placeholder={placeholder}
        size="xs"
        w={error ? 200 : name === 'status' ? 70 : 140}
        value={filters[name] ?? ''}
        list={list}
        error={error}
        onTyped={(text) => {
          setTyped({ text, filter: filters[name] });
          if (filterFault(name, text) === null) onChange({ [name]: text || undefined });
        }}
        // Escape leaves the field, so that `j` and `k` move between rows again.
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
      />
      <datalist id={list}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </>
  );
}

const MAX_PAGES = 200;

const pageOf = (path: string): string => path.split('?', 1)[0]!;

const pagesOf = (visits: readonly Visit[]): string[] =>
  [...new Set(visits.map(({ visit }) => pageOf(visit.request_path)))].toSorted().slice(0, MAX_PAGES);

interface PageFilterProps {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
  options: readonly string[];
  inputRef: RefObject<HTMLInputElement | null>;
}

/** Filter for a page with any query, or for paths that start with the given text. */
function PageFilter({ filters: { page, path }, onChange, options, inputRef }: PageFilterProps) {
  const list = useId();
  const [isWhole, setWhole] = useState(path === undefined);
  const value = page ?? path ?? '';
  // A filter in the URL takes precedence.
  const isPage = value === '' ? isWhole : page !== undefined;
  const choose = (text: string, ignoresQuery: boolean): void =>
    onChange(
      ignoresQuery
        ? { page: pageOf(text) || undefined, path: undefined }
        : { path: text || undefined, page: undefined },
    );
  return (
    <div>
      <TypedInput
        label="Page"
        placeholder="/articles"
        size="xs"
        w={160}
        value={value}
        ref={inputRef}
        list={list}
        onTyped={(text) => choose(text, isPage)}
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
      />
      <Checkbox
        label="Ignore query"
        size="xs"
        mt={6}
        title={isPage ? 'Matches the whole path, whatever its query' : 'Matches the start of the path with its query'}
        checked={isPage}
        onChange={({ currentTarget: { checked } }) => {
          setWhole(checked);
          choose(value, checked);
        }}
      />
      <datalist id={list}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </div>
  );
}

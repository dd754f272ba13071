import { Button, Checkbox, Collapse, Group, NativeSelect } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useId, useState, type RefObject } from 'react';
import type { Visit } from '../api/client.js';
import { TIMELINE_FILTERS } from '../api/timeline-filters.js';
import { FilterChips } from './filter-chips.js';
import { formatFilterValue } from './format-filter-value.js';
import { isFiltered } from './filter-set.js';
import { SavedFilters } from '../saved-filters/saved-filters.js';
import { DebouncedInput } from '../ui/debounced-input.js';
import { FILTER_NAMES, validateFilter, toTimelineQuery, type FilterName, type Filters } from './visit-filters.js';

interface FilterBarProps {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
  /** Visits on the page, used to suggest values. */
  visits: readonly Visit[];
  /** Validation errors from the server. */
  faults?: Partial<Record<FilterName, string>>;
  firstField: RefObject<HTMLInputElement | null>;
  hasAddress?: boolean;
}

/**
 * Distance in pixels from a label to its input. Aligns the button with the inputs even if errors are shown.
 */
const FIELD_OFFSET_PX = 25;

export function FilterBar(props: FilterBarProps) {
  const { filters, onChange, visits, faults = {}, firstField, hasAddress = false } = props;
  const isNarrow = useMediaQuery('(max-width: 48em)');
  const [isOpen, { toggle }] = useDisclosure();
  const count = Object.keys(toTimelineQuery(filters)).length;
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
          <PageFilter filters={filters} onChange={onChange} options={suggestPages(visits)} inputRef={firstField} />
          {FILTER_NAMES.filter((name) => !PAGE_FILTERS.has(name) && (name !== 'address' || hasAddress)).map((name) => {
            const { label, values } = TIMELINE_FILTERS[name];
            if (values === null) {
              return (
                <TextFilter
                  key={name}
                  name={name}
                  filters={filters}
                  onChange={onChange}
                  options={suggestValues(visits, name)}
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
                data={[
                  { value: '', label: 'All' },
                  ...values.map((value) => ({ value, label: formatFilterValue(value) })),
                ]}
              />
            );
          })}
          {count > 0 && (
            <Button size="xs" variant="subtle" mt={FIELD_OFFSET_PX} onClick={() => onChange(NO_FILTERS)}>
              Clear filters
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

/** Filters that share the Page field. */
const PAGE_FILTERS: ReadonlySet<FilterName> = new Set(['page', 'path']);

/** Visit field that supplies the suggestions for a filter. */
const SUGGESTION_FIELDS: { [K in FilterName]?: 'agent_token' | 'operator_name' } = {
  agent: 'agent_token',
  operator: 'operator_name',
};

function suggestValues(visits: readonly Visit[], filter: FilterName): string[] {
  const name = SUGGESTION_FIELDS[filter];
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
  // If the filter was changed or cleared elsewhere, discard the text that was typed before.
  const isOutdated = typed.filter !== filters[name];
  const error = (isOutdated ? null : validateFilter(name, typed.text)) ?? fault;
  return (
    <>
      <DebouncedInput
        label={label}
        placeholder={placeholder}
        size="xs"
        w={error ? 200 : name === 'status' ? 70 : 140}
        value={filters[name] ?? ''}
        list={list}
        error={error}
        onTyped={(text) => {
          setTyped({ text, filter: filters[name] });
          if (validateFilter(name, text) === null) onChange({ [name]: text || undefined });
        }}
        // Escape blurs the field, so `j` and `k` move between rows again.
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

const stripQuery = (path: string): string => path.split('?', 1)[0]!;

const suggestPages = (visits: readonly Visit[]): string[] =>
  [...new Set(visits.map(({ visit }) => stripQuery(visit.request_path)))].toSorted().slice(0, MAX_PAGES);

interface PageFilterProps {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
  options: readonly string[];
  inputRef: RefObject<HTMLInputElement | null>;
}

/**
 * Field for filtering by page, either by an exact path regardless of its query, or by the start of the path including
 * its query.
 */
function PageFilter({ filters: { page, path }, onChange, options, inputRef }: PageFilterProps) {
  const list = useId();
  const [isExactPath, setExactPath] = useState(path === undefined);
  const value = page ?? path ?? '';
  // If the URL contains one of the two filters, select that kind.
  const isPage = value === '' ? isExactPath : page !== undefined;
  const changePage = (text: string, ignoresQuery: boolean): void =>
    onChange(
      ignoresQuery
        ? { page: stripQuery(text) || undefined, path: undefined }
        : { path: text || undefined, page: undefined },
    );
  return (
    <div>
      <DebouncedInput
        label="Page"
        placeholder="/articles"
        size="xs"
        w={160}
        value={value}
        ref={inputRef}
        list={list}
        onTyped={(text) => changePage(text, isPage)}
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
      />
      <Checkbox
        label="Ignore query"
        size="xs"
        mt={6}
        title={isPage ? 'Matches the full path with any query' : 'Matches the start of the path, including the query'}
        checked={isPage}
        onChange={({ currentTarget: { checked } }) => {
          setExactPath(checked);
          changePage(value, checked);
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

import { JOURNEY_TYPES } from '../../api/constants.js';
import { FieldFilters } from '../../filters/field-filters.js';
import type { FilterField } from '../../filters/field-panel.js';
import { STATUS_NAMES } from './dead-end-cause.js';
import type { JourneysSearch } from './search.js';
import { type NO_FILTERS, VISITOR_LABELS } from './session-filters.js';

type FieldName = keyof typeof NO_FILTERS;

const YES_OR_NO = [
  { value: 'yes', label: 'reached' },
  { value: 'no', label: 'not reached' },
];
const CAUSES = [
  { value: '4xx', label: 'client error (4xx)' },
  { value: '5xx', label: 'server error (5xx)' },
  { value: 'loop', label: 'loop' },
  ...Object.entries(STATUS_NAMES).map(([status, name]) => ({ value: status, label: `${status} ${name}` })),
];
const FIELDS: readonly FilterField<FieldName>[] = [
  { key: 'agent', label: 'Agent', placeholder: 'ChatGPT-User' },
  { key: 'type', label: 'Type', options: JOURNEY_TYPES.map((type) => ({ value: type, label: type })) },
  {
    key: 'visitor',
    label: 'Visitor',
    options: Object.entries(VISITOR_LABELS).map(([value, label]) => ({ value, label })),
  },
  { key: 'entry', label: 'Entry page', placeholder: '/docs' },
  { key: 'exit', label: 'Exit page', placeholder: '/docs' },
  { key: 'deadEnd', label: 'Dead end', options: [...YES_OR_NO, { value: 'refused', label: 'refused on purpose' }] },
  { key: 'deadEndPage', label: 'Dead-end page', placeholder: '/docs' },
  { key: 'deadEndCause', label: 'Dead-end cause', options: CAUSES },
  { key: 'checkout', label: 'Checkout', options: YES_OR_NO },
];

interface FiltersProps {
  search: JourneysSearch;
  onChange: (change: Partial<JourneysSearch>) => void;
}

/** Filters of the sessions. */
export const JourneyFilters = ({ search, onChange }: FiltersProps) => (
  <FieldFilters
    label="Sessions"
    fields={FIELDS}
    values={search as Partial<Record<FieldName, string>>}
    onChange={(change) => onChange(change as Partial<JourneysSearch>)}
  />
);

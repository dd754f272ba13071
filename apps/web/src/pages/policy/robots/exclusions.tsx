import { TagsInput } from '@mantine/core';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { agentsQuery, catalogQuery } from '../../../api/catalog-queries.js';
import type { RulesSelection } from '../../../api/rules-queries.js';
import type { SelectionFormProps } from './selection.js';

const DEBOUNCE_MS = 300;
const MAX_SUGGESTIONS = 30;

/** Fields for single agents, and for excluding agents and operators. Lazy-loaded because `TagsInput` is large. */
export default function Exclusions({ selection, onChange }: SelectionFormProps) {
  const { data: catalog } = useQuery(catalogQuery);
  const {
    agent_types: types,
    agent_behaviors: behaviors,
    agent_tokens: tokens = [],
    excluded_agent_tokens: excluded = [],
    excluded_operator_names: operators = [],
  } = selection;
  return (
    <>
      <AgentsInput label="Also these agents" value={tokens} onChange={(agent) => onChange({ agent })} />
      <AgentsInput
        label="Except these agents"
        value={excluded}
        types={types.length > 0 && behaviors === undefined ? types : undefined}
        onChange={(names) => onChange({ not_agent: names })}
      />
      <TagsInput
        label="Except these operators"
        placeholder={operators.length === 0 ? 'For example, Google' : ''}
        data={catalog?.operators.map(({ operator }) => operator) ?? []}
        limit={MAX_SUGGESTIONS}
        value={operators}
        onChange={(names) => onChange({ not_operator: names })}
        clearable={operators.length > 0}
        clearButtonProps={{ 'aria-label': 'Clear operators' }}
      />
    </>
  );
}

interface AgentsInputProps {
  label: string;
  /** Tokens of the agents. */
  value: string[];
  /** Types of suggested agents. Default: all. */
  types?: RulesSelection['agent_types'] | undefined;
  onChange: (tokens: string[]) => void;
}

/** Field for agents, with suggestions from the catalog. */
function AgentsInput({ label, value, types, onChange }: AgentsInputProps) {
  const [input, setInput] = useState('');
  const [search] = useDebouncedValue(input.trim(), DEBOUNCE_MS);
  const matches = useInfiniteQuery({
    ...agentsQuery({ ...(types && { type: types }), ...(search !== '' && { search }) }),
    enabled: search !== '',
  });
  const names = matches.data?.pages[0]?.agents.map(({ token }) => token) ?? [];
  return (
    <TagsInput
      label={label}
      placeholder={value.length === 0 ? 'For example, GPTBot' : ''}
      data={search === '' ? [] : names}
      limit={MAX_SUGGESTIONS}
      value={value}
      searchValue={input}
      onSearchChange={setInput}
      onChange={onChange}
      clearable={value.length > 0}
      clearButtonProps={{ 'aria-label': 'Clear agents' }}
    />
  );
}

import { TagsInput } from '@mantine/core';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { agentsQuery, catalogQuery } from '../../../api/catalog-queries.js';
import type { SelectionFormProps } from './selection.js';

const DEBOUNCE_MS = 300;
const MAX_SUGGESTIONS = 30;

/** Fields for excluding agents and operators. Lazy-loaded because `TagsInput` is large. */
export default function Exclusions({ selection, onChange }: SelectionFormProps) {
  const { data: catalog } = useQuery(catalogQuery);
  const { excluded_operator_names: operators = [] } = selection;
  return (
    <>
      <ExcludedAgents selection={selection} onChange={onChange} />
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

function ExcludedAgents({ selection, onChange }: SelectionFormProps) {
  const { excluded_agent_tokens: tokens = [] } = selection;
  const [input, setInput] = useState('');
  const [search] = useDebouncedValue(input.trim(), DEBOUNCE_MS);
  const isByType = selection.agent_types.length > 0 && selection.agent_behaviors === undefined;
  const types = isByType ? { type: selection.agent_types } : {};
  const matches = useInfiniteQuery({
    ...agentsQuery({ ...types, ...(search !== '' && { search }) }),
    enabled: search !== '',
  });
  const names = matches.data?.pages[0]?.agents.map(({ token }) => token) ?? [];
  return (
    <TagsInput
      label="Except these agents"
      placeholder={tokens.length === 0 ? 'For example, GPTBot' : ''}
      data={search === '' ? [] : names}
      limit={MAX_SUGGESTIONS}
      value={tokens}
      searchValue={input}
      onSearchChange={setInput}
      onChange={(all) => onChange({ not_agent: all })}
      clearable={tokens.length > 0}
      clearButtonProps={{ 'aria-label': 'Clear agents' }}
    />
  );
}

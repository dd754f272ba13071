import { TagsInput, type TagsInputProps } from '@mantine/core';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { agentsQuery, catalogQuery } from '../api/catalog-queries.js';

const DEBOUNCE_MS = 300;
const MAX_SUGGESTIONS = 30;

/** Input for names from the catalog. The form's value has one name per line. */
function NamesInput({ value, onChange, ...props }: GetInputPropsReturnType & TagsInputProps) {
  const names = String(value)
    .split('\n')
    .filter((name) => name !== '');
  return (
    <TagsInput
      {...props}
      value={names}
      limit={MAX_SUGGESTIONS}
      onChange={(all) => (onChange as (lines: string) => void)(all.join('\n'))}
      clearable={names.length > 0}
      clearButtonProps={{ 'aria-label': `Clear ${String(props.label).toLowerCase()}` }}
    />
  );
}

interface AgentsInputProps extends GetInputPropsReturnType {
  /** Agents that are suggested before anything is typed. */
  suggested: readonly string[];
}

export function AgentsInput({ suggested, ...input }: AgentsInputProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), DEBOUNCE_MS);
  const { data } = useInfiniteQuery({ ...agentsQuery({ search }), enabled: search !== '' });
  const found = data?.pages[0]?.agents.map(({ token }) => token) ?? [];
  return (
    <NamesInput
      {...input}
      label="Agents"
      description="Type to search the catalog, such as GPTBot"
      data={[...new Set(search === '' ? suggested : found)]}
      searchValue={typed}
      onSearchChange={setTyped}
    />
  );
}

export function OperatorsInput(input: GetInputPropsReturnType) {
  const { data: catalog } = useQuery(catalogQuery);
  return (
    <NamesInput
      {...input}
      label="Operators"
      description="Type to search the catalog, such as OpenAI"
      data={catalog?.operators.map(({ operator }) => operator) ?? []}
    />
  );
}

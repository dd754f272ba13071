import { Button, Checkbox, Group, NativeSelect, SimpleGrid, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { agentsQuery, catalogueQuery } from '../../api/catalogue-queries.js';
import type { RuleFormat, RulesSelection } from '../../api/rules-queries.js';
import { Section } from '../../shell/section.js';
import { AGENT_TYPES } from '../realtime/agent-types.js';
import { FORMATS, isRobotsTxt, type RobotsSearch } from './selection.js';

const TYPING_MS = 300;
const MOST_SHOWN = 30;

export interface SelectionFormProps {
  selection: RulesSelection;
  onChange: (change: Partial<RobotsSearch>) => void;
}

/** Which agents are meant, and what for. */
export function SelectionForm({ selection, onChange }: SelectionFormProps) {
  const { data: catalogue } = useQuery(catalogueQuery);
  const { agent_types: types, excluded_operator_names: operators = [], format } = selection;
  const all = new Map(catalogue?.types.map((type) => [type.type, type]));
  const toggle = (type: string, isOn: boolean): void =>
    onChange({ type: AGENT_TYPES.filter((one) => (one === type ? isOn : types.some((chosen) => chosen === one))) });
  return (
    <Stack>
      <Section title="Agents" lead="Of these types; behind each the number of agents that the rules can name.">
        <SimpleGrid
          cols={{ base: 1, xs: 2 }}
          spacing="xs"
          verticalSpacing={6}
          role="group"
          aria-label="Types of agents"
        >
          {AGENT_TYPES.map((type) => {
            const { agents = 0, robots_tokens: tokens = 0 } = all.get(type) ?? {};
            return (
              <Checkbox
                key={type}
                size="sm"
                checked={types.some((chosen) => chosen === type)}
                onChange={({ currentTarget }) => toggle(type, currentTarget.checked)}
                label={
                  <>
                    {type}{' '}
                    {catalogue && (
                      <Text span size="xs" c="dimmed" className="numbers">
                        {isRobotsTxt(format) ? tokens : agents}
                        <span className="unseen"> agents</span>
                      </Text>
                    )}
                  </>
                }
              />
            );
          })}
        </SimpleGrid>
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={() => onChange({ type: [...AGENT_TYPES] })}>
            All types
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => onChange({ type: [] })}>
            None
          </Button>
        </Group>
        <ExcludedAgents selection={selection} onChange={onChange} />
        <TagsInput
          label="But not of these operators"
          placeholder={operators.length === 0 ? 'Such as Google' : ''}
          data={catalogue?.operators.map(({ operator }) => operator) ?? []}
          limit={MOST_SHOWN}
          value={operators}
          onChange={(names) => onChange({ not_operator: names })}
          clearable={operators.length > 0}
          clearButtonProps={{ 'aria-label': 'Exclude no operator' }}
        />
      </Section>
      <Section title="What for">
        <NativeSelect
          label="Format"
          value={format}
          data={Object.entries(FORMATS).map(([value, { label }]) => ({ value, label }))}
          onChange={({ currentTarget }) => onChange({ format: currentTarget.value as RuleFormat })}
        />
        {isRobotsTxt(format) ? (
          <PathField path={selection.disallow ?? '/'} onChange={onChange} />
        ) : (
          <Text size="sm" c="dimmed">
            It is for the whole site; a path is for robots.txt alone.
          </Text>
        )}
      </Section>
    </Stack>
  );
}

function ExcludedAgents({ selection, onChange }: SelectionFormProps) {
  const { excluded_agent_tokens: tokens = [] } = selection;
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const types = selection.agent_types.length > 0 ? { type: selection.agent_types } : {};
  const found = useInfiniteQuery({
    ...agentsQuery({ ...types, ...(search !== '' && { search }) }),
    enabled: search !== '',
  });
  const names = found.data?.pages[0]?.agents.map(({ token }) => token) ?? [];
  return (
    <TagsInput
      label="But not these agents"
      placeholder={tokens.length === 0 ? 'Such as GPTBot' : ''}
      data={search === '' ? [] : names}
      limit={MOST_SHOWN}
      value={tokens}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(all) => onChange({ not_agent: all })}
      clearable={tokens.length > 0}
      clearButtonProps={{ 'aria-label': 'Exclude no agent' }}
    />
  );
}

/** Takes effect a moment after the last key. */
function PathField({ path, onChange }: { path: string; onChange: SelectionFormProps['onChange'] }) {
  const [text, setText] = useState(path);
  // The address has changed by other means, such as Back.
  useEffect(() => setText(path), [path]);
  const apply = useDebouncedCallback((value: string) => onChange({ path: value }), TYPING_MS);
  return (
    <TextInput
      label="Disallowed path"
      description="/ is everything, an empty one nothing; * stands for anything and $ for the end"
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        apply(currentTarget.value.trim());
      }}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

import { Button, Checkbox, Group, Loader, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { catalogueQuery } from '../../api/catalogue-queries.js';
import type { RuleFormat } from '../../api/rules-queries.js';
import { Section } from '../../shell/section.js';
import { AGENT_TYPES } from '../realtime/agent-types.js';
import { FORMATS, isRobotsTxt, type SelectionFormProps } from './selection.js';

const Exclusions = lazy(() => import('./exclusions.js'));
const TYPING_MS = 300;

/** Which agents are meant, and what for. */
export function SelectionForm({ selection, onChange }: SelectionFormProps) {
  const { data: catalogue } = useQuery(catalogueQuery);
  const { agent_types: types, format } = selection;
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
        <Suspense fallback={<Loader size="sm" aria-label="Loading" />}>
          <Exclusions selection={selection} onChange={onChange} />
        </Suspense>
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

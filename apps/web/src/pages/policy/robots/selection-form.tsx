import { Badge, Button, Checkbox, Group, NativeSelect, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { catalogQuery } from '../../../api/catalog-queries.js';
import type { RuleFormat } from '../../../api/rules-queries.js';
import { formatCount } from '../../../format/count.js';
import { Section } from '../../../ui/section.js';
import { Disclosure } from '../../../ui/disclosure.js';
import { DebouncedInput } from '../../../ui/debounced-input.js';
import { AGENT_BEHAVIORS, AGENT_BEHAVIOR_NAMES, capitalize } from '#libs/agents/vocabulary';
import { AGENT_TYPES } from '../../../ui/agent-types.js';
import { FORMATS } from './formats.js';
import { isRobotsTxt } from '../../../rules/robots-format.js';
import { type SelectionFormProps } from './selection.js';
import { createSiteDraft } from './site-draft.js';
import { findKeptOut } from './site-state.js';

const Exclusions = lazy(() => import('./exclusions.js'));

export function SelectionForm({ selection, served, onChange }: SelectionFormProps & { served: string | null }) {
  const { data: catalog } = useQuery(catalogQuery);
  const { agent_types: types, agent_behaviors: behaviors = [], format } = selection;
  const typesByName = new Map(catalog?.types.map((type) => [type.type, type]));
  const hasDetails = [
    behaviors,
    selection.agent_tokens,
    selection.excluded_agent_tokens,
    selection.excluded_operator_names,
  ].some((names) => names !== undefined && names.length > 0);
  const toggle = (type: string, isOn: boolean): void =>
    onChange({
      type: AGENT_TYPES.filter((candidate) =>
        candidate === type ? isOn : types.some((selected) => selected === candidate),
      ),
    });
  return (
    <Section
      title="Agents"
      lead={`Select the types to disallow. The number is how many ${isRobotsTxt(format) ? 'of their agents have a robots.txt name' : 'agents they have'}.`}
    >
      <SimpleGrid cols={2} spacing="xs" verticalSpacing={6} role="group" aria-label="Agent types">
        {AGENT_TYPES.map((type) => {
          const { agents = 0, robots_tokens: tokens = 0 } = typesByName.get(type) ?? {};
          return (
            <Checkbox
              key={type}
              size="sm"
              checked={types.some((selected) => selected === type)}
              onChange={({ currentTarget }) => toggle(type, currentTarget.checked)}
              label={
                <>
                  {type}{' '}
                  {catalog && (
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
          Select all types
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onChange({ type: [], behavior: undefined, agent: undefined })}
        >
          Clear all
        </Button>
      </Group>
      {isRobotsTxt(format) && <OwnNames served={served ?? ''} />}
      <Disclosure label="Behaviors, agents, and operators" isForcedOpen={hasDetails}>
        <Checkbox.Group
          label="Also by behavior"
          description="Regardless of their type. Some search engines also train models."
          value={behaviors}
          onChange={(selected) =>
            onChange({ behavior: AGENT_BEHAVIORS.filter((candidate) => selected.includes(candidate)) })
          }
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={6} mt={6}>
            {AGENT_BEHAVIORS.map((behavior) => (
              <Checkbox key={behavior} size="sm" value={behavior} label={capitalize(AGENT_BEHAVIOR_NAMES[behavior])} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <Suspense fallback={<Skeleton h={187} animate={false} />}>
          <Exclusions selection={selection} onChange={onChange} />
        </Suspense>
      </Disclosure>
    </Section>
  );
}

/** Format and path of the added lines. */
export function LinesForm({ selection, onChange }: SelectionFormProps) {
  const { format } = selection;
  return (
    <Section title="Lines to add">
      <NativeSelect
        label="Format"
        value={format}
        data={Object.entries(FORMATS)
          // A saved selection can have the format of a server.
          .filter(([value]) => isRobotsTxt(value as RuleFormat) || value === format)
          .map(([value, { label }]) => ({ value, label }))}
        onChange={({ currentTarget }) => onChange({ format: currentTarget.value as RuleFormat })}
      />
      {isRobotsTxt(format) ? (
        <DebouncedInput
          label="Disallowed path"
          description="/ disallows everything. Leave it empty to disallow nothing. * matches any characters, and $ the end of the path."
          value={selection.disallow ?? '/'}
          onTyped={(path) => onChange({ path })}
          spellCheck={false}
        />
      ) : (
        <Text size="sm" c="dimmed">
          Applies to the entire site. Only robots.txt supports a path.
        </Text>
      )}
    </Section>
  );
}

const MAX_NAMES = 12;

/** Agents that the site's own lines keep out. They stay in the file, whatever is selected. */
function OwnNames({ served }: { served: string }) {
  // Without rules, the file only contains the site's own lines.
  const { names } = useMemo(() => findKeptOut(createSiteDraft(served, '').text), [served]);
  if (names.length === 0) return null;
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        Already disallowed by your own lines
      </Text>
      <Group gap={6}>
        {names.slice(0, MAX_NAMES).map((name) => (
          <Badge key={name} variant="outline" color="gray" c="var(--mantine-color-text)" tt="none">
            {name}
          </Badge>
        ))}
        {names.length > MAX_NAMES && (
          <Text size="sm" c="dimmed">
            and {formatCount(names.length - MAX_NAMES)} more
          </Text>
        )}
      </Group>
    </Stack>
  );
}

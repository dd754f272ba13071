import { Button, Group, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_PATH_PATTERNS } from '../../api/constants.js';
import { loadQuery } from '../../api/load.js';
import { formatCount } from '../../format/count.js';
import { joinLines } from '../../format/lines.js';
import { isFolderPattern } from '../../load/pattern-filters.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import type { SettingsPartProps } from './general.js';
import { formatPatterns, parsePatterns } from './pattern-lines.js';
import { SettingsForm } from './settings-form.js';

const MAX_SUGGESTIONS = 8;
/** Minimum number of visits to a folder to suggest it. */
const MIN_VISITS = 10;
const SUGGESTION_RANGE_MS = 7 * 86_400_000;

/** Named path patterns, with suggestions from recent visits. */
export default function PathPatterns({ project, isReader }: SettingsPartProps) {
  const form = useForm({ initialValues: { path_patterns: formatPatterns(project.path_patterns) } });
  const text = form.getValues().path_patterns;
  return (
    <Section
      id="path-patterns"
      title="Path patterns"
      lead="Group and filter reports by parts of your site. * stands for any characters. A visit counts for the first pattern that matches its path."
    >
      <SettingsForm
        project={project}
        form={form}
        isReader={isReader}
        change={({ path_patterns: lines }) => ({ path_patterns: parsePatterns(lines) })}
      >
        <Textarea
          label="Patterns"
          description={`One per line, with an optional name after a space. Up to ${MAX_PATH_PATTERNS}.`}
          placeholder={'/docs/* Documentation\n*.pdf Downloads'}
          autosize
          minRows={3}
          readOnly={isReader}
          {...form.getInputProps('path_patterns')}
        />
        {!isReader && (
          <Suggestions
            projectId={project.id}
            existing={parsePatterns(text).map(({ pattern }) => pattern)}
            onAdd={(pattern) =>
              form.setFieldValue('path_patterns', joinLines([...text.split('\n').filter(Boolean), pattern]))
            }
          />
        )}
      </SettingsForm>
    </Section>
  );
}

interface SuggestionsProps {
  projectId: string;
  existing: readonly string[];
  onAdd: (pattern: string) => void;
}

/** Suggests the most visited folders of the last week. They are counted on request, because it can take seconds. */
function Suggestions({ projectId, existing, onAdd }: SuggestionsProps) {
  const [range, setRange] = useState<{ from: string; to: string } | null>(null);
  const query = useQuery({
    ...loadQuery(projectId, range ?? { from: '', to: '' }, { by: 'folder' }),
    enabled: range !== null,
  });
  const request = (): void => {
    const now = Date.now();
    setRange({ from: new Date(now - SUGGESTION_RANGE_MS).toISOString(), to: new Date(now).toISOString() });
  };
  if (range === null) {
    return (
      <Group>
        <Button size="xs" variant="default" onClick={request}>
          Suggest patterns
        </Button>
      </Group>
    );
  }
  if (query.isError) return <Failure title="Couldn't read the visits" error={query.error} retry={request} />;
  const folders = (query.data?.rows ?? [])
    .flatMap(({ value, requests }) => (value !== null && isFolderPattern(value) ? [{ value, requests }] : []))
    .filter(({ value, requests }) => requests >= MIN_VISITS && !existing.includes(value))
    .toSorted((one, other) => other.requests - one.requests)
    .slice(0, MAX_SUGGESTIONS);
  return (
    <div role="status">
      <Text size="sm" c="dimmed" mb={4}>
        {query.isPending
          ? 'Counting the visits of the last 7 days…'
          : folders.length === 0
            ? `No other folder had ${MIN_VISITS} visits in the last 7 days.`
            : 'Most visited folders of the last 7 days:'}
      </Text>
      <Group gap="xs">
        {folders.map(({ value, requests }) => (
          <Button key={value} size="compact-sm" variant="default" onClick={() => onAdd(value)}>
            Add {value} ({formatCount(requests)})
          </Button>
        ))}
      </Group>
    </div>
  );
}

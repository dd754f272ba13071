import { Button, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { RulesSelection, RulesVersion } from '../../../api/rules-queries.js';
import { formatTime } from '../../../format/time.js';
import { Section } from '../../../ui/section.js';
import { ChangedLines } from '../../../rules/changed-lines.js';
import { summarizeChange, diffRules } from '../../../rules/rules-change.js';
import { FORMATS } from './formats.js';

interface RulesDiffProps {
  saved: RulesVersion;
  selection: RulesSelection;
  /** Rules rendered from the selection. */
  text: string;
  isOld: boolean;
  timeZone: string;
  onShow: () => void;
}

/** Shows the differences between the saved version and the currently rendered rules. */
export function RulesDiff({ saved, selection, text, isOld, timeZone, onShow }: RulesDiffProps) {
  const { format } = selection;
  const isComparable = format === saved.selection.format;
  const change = useMemo(
    () => (isComparable && !isOld ? diffRules(saved.text, text, format) : null),
    [isComparable, isOld, saved.text, text, format],
  );
  const savedDate = formatTime(saved.saved_at, timeZone, { day: 'numeric', month: 'short', year: 'numeric' });
  const isSame = JSON.stringify(normalize(selection)) === JSON.stringify(normalize(saved.selection));
  const summary = change === null ? '' : summarizeChange(change);
  return (
    <Section
      title="Changes since the saved version"
      lead={
        <>
          Saved on <time title={saved.saved_at}>{savedDate}</time>
          {saved.saved_by !== null && ` by ${saved.saved_by}`}
          {!isSame && ', with a different selection than the one above'}.
        </>
      }
    >
      {!isComparable && (
        <Text size="sm">
          The saved version has a different format ({FORMATS[saved.selection.format].label}), so it can’t be compared.
        </Text>
      )}
      {change !== null && (
        <Text size="sm" fw={500} role="status">
          {summary === '' ? `Nothing has changed since ${savedDate}.` : `Since ${savedDate}: ${summary}.`}
        </Text>
      )}
      {change !== null && <ChangedLines change={change} />}
      {!isSame && (
        <Group>
          <Button size="compact-sm" variant="default" onClick={onShow}>
            Show saved selection
          </Button>
        </Group>
      )}
    </Section>
  );
}

/** Normalizes a selection for comparison. */
const normalize = (selection: RulesSelection) => [
  selection.agent_types.toSorted(),
  (selection.agent_behaviors ?? []).toSorted(),
  (selection.agent_tokens ?? []).toSorted(),
  (selection.excluded_agent_tokens ?? []).toSorted(),
  (selection.excluded_operator_names ?? []).toSorted(),
  selection.disallow ?? '/',
  Object.entries(selection.content_signal ?? {}).toSorted(),
  Object.entries(selection.content_usage ?? {}).toSorted(),
  selection.license,
  selection.format,
];

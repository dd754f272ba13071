import { Button, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { RulesSelection, RulesVersion } from '../../api/rules-queries.js';
import { formatted } from '../../format/time.js';
import { Section } from '../../ui/section.js';
import classes from './robots.module.css';
import { byName, changeText, rulesChange, type ChangedPart } from './rules-change.js';
import { FORMATS } from './selection.js';

/** Parts that are listed; who wants more has both files. */
const MAX_PARTS = 200;

export interface RulesDiffProps {
  saved: RulesVersion;
  selection: RulesSelection;
  /** What would be rendered now. */
  text: string;
  isOld: boolean;
  timeZone: string;
  onShow: () => void;
}

/** What would be rendered now, against the saved version. */
export function RulesDiff({ saved, selection, text, isOld, timeZone, onShow }: RulesDiffProps) {
  const { format } = selection;
  const isComparable = format === saved.selection.format;
  const change = useMemo(
    () => (isComparable && !isOld ? rulesChange(saved.text, text, format) : null),
    [isComparable, isOld, saved.text, text, format],
  );
  const since = formatted(saved.saved_at, timeZone, { day: 'numeric', month: 'short', year: 'numeric' });
  const isSame = JSON.stringify(sorted(selection)) === JSON.stringify(sorted(saved.selection));
  const summary = change === null ? '' : changeText(change);
  const parts =
    change === null
      ? []
      : [...change.added, ...change.removed, ...change.changed].toSorted((one, other) => byName(one.name, other.name));
  return (
    <Section
      title="Since the saved version"
      lead={
        <>
          Saved on <time title={saved.saved_at}>{since}</time>
          {saved.saved_by !== null && ` by ${saved.saved_by}`}
          {!isSame && ', with another selection than the one above'}.
        </>
      }
    >
      {!isComparable && (
        <Text size="sm">
          The saved version has another format ({FORMATS[saved.selection.format].label}), so there is nothing to
          compare.
        </Text>
      )}
      {change !== null && (
        <Text size="sm" fw={500} role="status">
          {summary === '' ? `Nothing has changed since ${since}.` : `Since ${since}: ${summary}.`}
        </Text>
      )}
      {parts.length > 0 && (
        <div className={classes['diff']} tabIndex={0} role="region" aria-label="Changed lines">
          {parts.slice(0, MAX_PARTS).map((part) => (
            <Part key={part.name} part={part} />
          ))}
        </div>
      )}
      {parts.length > MAX_PARTS && (
        <Text size="xs" c="dimmed">
          and {(parts.length - MAX_PARTS).toLocaleString('en')} more
        </Text>
      )}
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

function Part({ part: { before, now } }: { part: ChangedPart }) {
  const isKept = (line: string): boolean => before.includes(line) && now.includes(line);
  // Of what merely changed, the lines that did, under the one that names it.
  const [head] = now;
  const hasBoth = before.length > 0 && now.length > 0;
  return (
    <div className={classes['part']}>
      {hasBoth && head !== undefined && isKept(head) && <div>{`  ${head}`}</div>}
      {before.map((line, index) => !(hasBoth && isKept(line)) && <del key={`${index} ${line}`}>{`- ${line}`}</del>)}
      {now.map((line, index) => !(hasBoth && isKept(line)) && <ins key={`${index} ${line}`}>{`+ ${line}`}</ins>)}
    </div>
  );
}

/** The same selection however it was put together. */
const sorted = (selection: RulesSelection) => [
  selection.agent_types.toSorted(),
  (selection.excluded_agent_tokens ?? []).toSorted(),
  (selection.excluded_operator_names ?? []).toSorted(),
  selection.disallow ?? '/',
  selection.format,
];

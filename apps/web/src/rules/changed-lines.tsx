import { Text } from '@mantine/core';
import { formatCount } from '../format/count.js';
import classes from './rules.module.css';
import { compareNames, type ChangedPart, type RulesChange } from './rules-change.js';

const MAX_PARTS = 200;

/** Diff that shows only the changed lines, grouped by part. */
export function ChangedLines({ change }: { change: RulesChange }) {
  const parts = [...change.added, ...change.removed, ...change.changed].toSorted((first, second) =>
    compareNames(first.name, second.name),
  );
  if (parts.length === 0) return null;
  return (
    <>
      <div className={classes['diff']} tabIndex={0} role="region" aria-label="Changed lines">
        {parts.slice(0, MAX_PARTS).map((part) => (
          <Part key={part.name} part={part} />
        ))}
      </div>
      {parts.length > MAX_PARTS && (
        <Text size="xs" c="dimmed">
          and {formatCount(parts.length - MAX_PARTS)} more
        </Text>
      )}
    </>
  );
}

function Part({ part: { before, now } }: { part: ChangedPart }) {
  const isUnchanged = (line: string): boolean => before.includes(line) && now.includes(line);
  // Only show lines that differ, and always the first line, because it identifies the part that the lines belong to.
  const [head] = now;
  const hasBoth = before.length > 0 && now.length > 0;
  return (
    <div className={classes['part']}>
      {hasBoth && head !== undefined && isUnchanged(head) && <div>{`  ${head}`}</div>}
      {before.map(
        (line, index) => !(hasBoth && isUnchanged(line)) && <del key={`${index} ${line}`}>{`- ${line}`}</del>,
      )}
      {now.map((line, index) => !(hasBoth && isUnchanged(line)) && <ins key={`${index} ${line}`}>{`+ ${line}`}</ins>)}
    </div>
  );
}

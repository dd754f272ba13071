import { Text } from '@mantine/core';
import { countText } from '../format/count.js';
import classes from './rules.module.css';
import { byName, type ChangedPart, type RulesChange } from './rules-change.js';

const MAX_PARTS = 200;

/** Lines that differ between two texts, by part. */
export function ChangedLines({ change }: { change: RulesChange }) {
  const parts = [...change.added, ...change.removed, ...change.changed].toSorted((one, other) =>
    byName(one.name, other.name),
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
          and {countText(parts.length - MAX_PARTS)} more
        </Text>
      )}
    </>
  );
}

function Part({ part: { before, now } }: { part: ChangedPart }) {
  const isKept = (line: string): boolean => before.includes(line) && now.includes(line);
  // In a changed part, show only the lines that differ, below the first line if that is unchanged.
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

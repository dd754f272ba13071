import type { RuleFormat } from '../api/rules-queries.js';
import { formatCount } from '../format/count.js';

export interface ChangedPart {
  /** Unique key of the part. For agents, this is their name in the rules. */
  name: string;
  /** Lines in the old and new text. Empty if that text doesn't contain the part. */
  before: string[];
  now: string[];
}

/** Differences between two rule texts, by part. Part order is ignored because it has no meaning. */
export interface RulesChange {
  added: ChangedPart[];
  removed: ChangedPart[];
  changed: ChangedPart[];
}

export function diffRules(before: string, after: string, format: RuleFormat): RulesChange {
  const [oldParts, newParts] = [parseParts(before, format), parseParts(after, format)];
  const change: RulesChange = { added: [], removed: [], changed: [] };
  for (const name of [...new Set([...oldParts.keys(), ...newParts.keys()])].toSorted(compareNames)) {
    const part = { name, before: oldParts.get(name) ?? [], now: newParts.get(name) ?? [] };
    if (!oldParts.has(name)) change.added.push(part);
    else if (!newParts.has(name)) change.removed.push(part);
    else if (part.before.join('\n') !== part.now.join('\n')) change.changed.push(part);
  }
  return change;
}

/** Compares names case-insensitively. */
export const compareNames = (one: string, other: string): number =>
  one.toLowerCase() < other.toLowerCase() ? -1 : one.toLowerCase() > other.toLowerCase() ? 1 : 0;

function parseParts(text: string, format: RuleFormat): Map<string, string[]> {
  const parts = new Map<string, string[]>();
  if (text === '') return parts;
  if (format === 'json') {
    for (const token of JSON.parse(text) as string[]) parts.set(token, [token]);
  } else if (format === 'text') {
    for (const line of nonEmptyLines(text)) parts.set(line, [line]);
  } else if (format === 'grouped') {
    for (const line of nonEmptyLines(text)) {
      const token = /^User-agent: (.*)$/.exec(line)?.[1];
      // Identify a line that isn't a user agent by its field name. If several lines have the same field, only compare
      // the last one, because this one applies to the agents.
      parts.set(token ?? line.split(':')[0]!, [line]);
    }
  } else {
    // Blocks are separated by blank lines. In configurations for servers, the first block is skipped, because it only
    // contains the version.
    for (const block of text.split(/\n{2,}/).slice(format === 'blocks' ? 0 : 1)) {
      const lines = nonEmptyLines(block);
      if (lines[0] === undefined) continue;
      const name = lines[0].trim().replace(/^(?:User-agent:|#)\s*/, '');
      parts.set(name, [...(parts.get(name) ?? []), ...lines]);
    }
  }
  return parts;
}

const nonEmptyLines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** Matches the keys of parts that apply to all agents. */
const ALL_AGENTS_PART = /^(?:\*|License(?::.*)?|Content-Signal|Content-Usage|Disallow)$/;

/** Returns a summary such as "4 agents added, 1 removed", or an empty string if nothing changed. */
export function summarizeChange({ added, removed, changed }: RulesChange): string {
  const countAgents = (parts: ChangedPart[]): number => parts.filter(({ name }) => !ALL_AGENTS_PART.test(name)).length;
  const counts: [number, string][] = [
    [countAgents(added), 'added'],
    [countAgents(removed), 'removed'],
    [countAgents(changed), 'changed'],
  ];
  const texts = counts
    .filter(([count]) => count > 0)
    .map(([count, word], index) =>
      index === 0
        ? `${formatCount(count)} ${count === 1 ? 'agent' : 'agents'} ${word}`
        : `${formatCount(count)} ${word}`,
    );
  const affectsAllAgents = [...added, ...removed, ...changed].some(({ name }) => ALL_AGENTS_PART.test(name));
  return [...texts, ...(affectsAllAgents ? ['lines for all agents changed'] : [])].join(', ');
}

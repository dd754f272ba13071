import type { RuleFormat } from '../api/rules-queries.js';
import { countText } from '../format/count.js';

export interface ChangedPart {
  /** Key of the part. For agents, this is the name in the rules. */
  name: string;
  /** Lines in the earlier and the later text. Empty if the part is missing there. */
  before: string[];
  now: string[];
}

/** Changes to the parts of a text. The order of parts is ignored, because it has no meaning. */
export interface RulesChange {
  added: ChangedPart[];
  removed: ChangedPart[];
  changed: ChangedPart[];
}

export function rulesChange(before: string, now: string, format: RuleFormat): RulesChange {
  const [old, current] = [partsOf(before, format), partsOf(now, format)];
  const change: RulesChange = { added: [], removed: [], changed: [] };
  for (const name of [...new Set([...old.keys(), ...current.keys()])].toSorted(byName)) {
    const part = { name, before: old.get(name) ?? [], now: current.get(name) ?? [] };
    if (!old.has(name)) change.added.push(part);
    else if (!current.has(name)) change.removed.push(part);
    else if (part.before.join('\n') !== part.now.join('\n')) change.changed.push(part);
  }
  return change;
}

/** Compares names regardless of case. */
export const byName = (one: string, other: string): number =>
  one.toLowerCase() < other.toLowerCase() ? -1 : one.toLowerCase() > other.toLowerCase() ? 1 : 0;

function partsOf(text: string, format: RuleFormat): Map<string, string[]> {
  const parts = new Map<string, string[]>();
  if (text === '') return parts;
  if (format === 'json') {
    for (const token of JSON.parse(text) as string[]) parts.set(token, [token]);
  } else if (format === 'text') {
    for (const line of linesOf(text)) parts.set(line, [line]);
  } else if (format === 'grouped') {
    for (const line of linesOf(text)) {
      const token = /^User-agent: (.*)$/.exec(line)?.[1];
      // Other lines are keyed by their field. If a field occurs twice, the last line counts, because it applies to the
      // agents.
      parts.set(token ?? line.split(':')[0]!, [line]);
    }
  } else {
    // Blocks are separated by empty lines. In server formats, the first one only contains the version.
    for (const block of text.split(/\n{2,}/).slice(format === 'blocks' ? 0 : 1)) {
      const lines = linesOf(block);
      if (lines[0] === undefined) continue;
      const name = lines[0].trim().replace(/^(?:User-agent:|#)\s*/, '');
      parts.set(name, [...(parts.get(name) ?? []), ...lines]);
    }
  }
  return parts;
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** Keys of parts that apply to all agents. */
const OF_ALL_AGENTS = /^(?:\*|License(?::.*)?|Content-Signal|Content-Usage|Disallow)$/;

/** Returns a summary such as "4 agents added, 1 removed". Empty if nothing changed. */
export function changeText({ added, removed, changed }: RulesChange): string {
  const agentsOf = (parts: ChangedPart[]): number => parts.filter(({ name }) => !OF_ALL_AGENTS.test(name)).length;
  const counts: [number, string][] = [
    [agentsOf(added), 'added'],
    [agentsOf(removed), 'removed'],
    [agentsOf(changed), 'changed'],
  ];
  const texts = counts
    .filter(([count]) => count > 0)
    .map(([count, word], index) =>
      index === 0 ? `${countText(count)} ${count === 1 ? 'agent' : 'agents'} ${word}` : `${countText(count)} ${word}`,
    );
  const isForAll = [...added, ...removed, ...changed].some(({ name }) => OF_ALL_AGENTS.test(name));
  return [...texts, ...(isForAll ? ['lines for all agents changed'] : [])].join(', ');
}

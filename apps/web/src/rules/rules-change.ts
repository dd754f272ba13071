import type { RuleFormat } from '../api/rules-queries.js';
import { countText } from '../format/count.js';

export interface ChangedPart {
  /** What it is found by: the agent, as the rules call it. */
  name: string;
  /** Its lines in the earlier text and in the later one; none where it was not there. */
  before: string[];
  now: string[];
}

/** What became of the parts of rules, by name. Rules are lists without an order that matters, so order is none. */
export interface RulesChange {
  added: ChangedPart[];
  removed: ChangedPart[];
  changed: ChangedPart[];
}

/** Compares two texts of one format, in time that grows with their length alone. */
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

/** Upper and lower case are the same. */
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
      // What all of them share is named by what it says; the last one is that of the agents.
      parts.set(token ?? line.split(':')[0]!, [line]);
    }
  } else {
    // Blocks between empty lines. Those for servers begin with one that tells the version, which says nothing here.
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

/** Names of parts that are about all agents. */
const OF_ALL_AGENTS = /^(?:\*|License(?::.*)?|Content-Signal|Content-Usage|Disallow)$/;

/** "4 agents added, 1 removed"; empty where nothing changed. */
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

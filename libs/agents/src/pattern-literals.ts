import type { PatternNode } from './pattern.js';

/** Requirements that a text must meet for a pattern to match. */
export interface PatternNeeds {
  /** Lowercase ASCII literals. Every matching text contains at least one of them. Empty if nothing is required. */
  literals: string[];
  /** Bounds of the match's length, in UTF-16 code units. */
  shortest: number;
  longest: number;
}

/** Minimum length of a literal. Shorter ones occur in most user agents, so they filter out nothing. */
export const SHORTEST_LITERAL = 3;
const MAX_ALTERNATIVES = 24;

/**
 * `exact` lists every text that the node can match, or is null if that's unknown. `required` is the most selective set
 * of required literals.
 */
interface Analysis {
  exact: string[] | null;
  required: string[] | null;
  shortest: number;
  longest: number;
}

const EMPTY: Analysis = { exact: [''], required: null, shortest: 0, longest: 0 };

export function needsOf(pattern: PatternNode): PatternNeeds {
  const { exact, required, shortest, longest } = analyze(pattern);
  return { literals: better(usable(exact), required) ?? [], shortest, longest };
}

function analyze(node: PatternNode): Analysis {
  switch (node.kind) {
    case 'set': {
      const spelled = !node.others && node.codes.size <= 4;
      const exact = spelled ? [...node.codes].map((code) => String.fromCharCode(code)) : null;
      return { exact, required: null, shortest: 1, longest: 1 };
    }
    case 'edge':
      return EMPTY;
    case 'sequence':
      return sequence(node.parts.map(analyze));
    case 'choice':
      return choice(node.options.map(analyze));
    case 'repeat':
      return repeat(analyze(node.part), node.least, node.most);
  }
}

function sequence(parts: Analysis[]): Analysis {
  let required: string[] | null = null;
  let run: string[] = [''];
  let complete = true;
  for (const part of parts) {
    required = better(required, part.required);
    const joined = part.exact === null ? null : product(run, part.exact);
    if (joined !== null) {
      run = joined;
      continue;
    }
    complete = false;
    required = better(required, usable(run));
    run = part.exact ?? [''];
  }
  if (!complete) required = better(required, usable(run));
  return {
    exact: complete ? run : null,
    required,
    shortest: total(parts.map((part) => part.shortest)),
    longest: total(parts.map((part) => part.longest)),
  };
}

function choice(options: Analysis[]): Analysis {
  const all = options.every((option) => option.exact !== null);
  const exact = all ? distinct(options.flatMap((option) => option.exact!)) : null;
  const sets = options.map((option) => better(usable(option.exact), option.required));
  const required = sets.every((set) => set !== null) ? distinct(sets.flat()) : null;
  return {
    exact: exact !== null && exact.length <= MAX_ALTERNATIVES ? exact : null,
    required: required !== null && required.length <= MAX_ALTERNATIVES ? required : null,
    shortest: Math.min(...options.map((option) => option.shortest)),
    longest: Math.max(...options.map((option) => option.longest)),
  };
}

function repeat(part: Analysis, least: number, most: number): Analysis {
  const exact =
    least === 0 && most === 1 && part.exact !== null && part.exact.length < MAX_ALTERNATIVES
      ? distinct(['', ...part.exact])
      : null;
  const required = least === 0 ? null : better(usable(part.exact), part.required);
  return {
    exact,
    required,
    shortest: part.shortest * least,
    longest: part.longest === 0 ? 0 : part.longest * most,
  };
}

function product(heads: string[], tails: string[]): string[] | null {
  if (heads.length * tails.length > MAX_ALTERNATIVES) return null;
  const joined = heads.flatMap((head) => tails.map((tail) => head + tail));
  // With a single tail, the texts stay distinct. Deduplicating them after each character would take quadratic time.
  return tails.length === 1 ? joined : distinct(joined);
}

/** Returns the more selective set, which is the one whose shortest member is longer. */
function better(one: string[] | null, other: string[] | null): string[] | null {
  if (one === null || other === null) return one ?? other;
  const difference = shortestOf(one) - shortestOf(other);
  return difference > 0 || (difference === 0 && one.length <= other.length) ? one : other;
}

function usable(texts: string[] | null): string[] | null {
  return texts !== null && texts.length > 0 && shortestOf(texts) >= SHORTEST_LITERAL ? texts : null;
}

function shortestOf(texts: string[]): number {
  return Math.min(...texts.map((text) => text.length));
}

function distinct(texts: string[]): string[] {
  return [...new Set(texts)];
}

function total(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

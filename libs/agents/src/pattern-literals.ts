import type { PatternNode } from './pattern.js';

/** Conditions that a text must meet for a pattern to match. */
export interface PatternAnalysis {
  /** Lowercase ASCII literals, at least one of which occurs in every match. Empty if no literal is required. */
  literals: string[];
  /** Minimum match length, in UTF-16 code units. */
  shortest: number;
  /** Maximum match length, in UTF-16 code units. */
  longest: number;
}

/** Minimum length of a literal. Shorter literals occur in most user agents, so they wouldn't filter out anything. */
export const MIN_LITERAL_LENGTH = 3;
const MAX_ALTERNATIVES = 24;

/**
 * `exact` contains all texts that the node can match, or is null if they can't be enumerated. `required` is the most
 * selective set of required literals.
 */
interface Analysis {
  exact: string[] | null;
  required: string[] | null;
  shortest: number;
  longest: number;
}

const EMPTY: Analysis = { exact: [''], required: null, shortest: 0, longest: 0 };

export function analyzePattern(pattern: PatternNode): PatternAnalysis {
  const { exact, required, shortest, longest } = analyze(pattern);
  return { literals: moreSelective(usableLiterals(exact), required) ?? [], shortest, longest };
}

function analyze(node: PatternNode): Analysis {
  switch (node.kind) {
    case 'set': {
      const isEnumerable = !node.others && node.codes.size <= 4;
      const exact = isEnumerable ? [...node.codes].map((code) => String.fromCharCode(code)) : null;
      return { exact, required: null, shortest: 1, longest: 1 };
    }
    case 'edge':
      return EMPTY;
    case 'sequence':
      return analyzeSequence(node.parts.map(analyze));
    case 'choice':
      return analyzeChoice(node.options.map(analyze));
    case 'repeat':
      return analyzeRepetition(analyze(node.part), node.least, node.most);
  }
}

function analyzeSequence(parts: Analysis[]): Analysis {
  let required: string[] | null = null;
  let run: string[] = [''];
  let isComplete = true;
  for (const part of parts) {
    required = moreSelective(required, part.required);
    const joined = part.exact === null ? null : concatenateAll(run, part.exact);
    if (joined !== null) {
      run = joined;
      continue;
    }
    isComplete = false;
    required = moreSelective(required, usableLiterals(run));
    run = part.exact ?? [''];
  }
  if (!isComplete) required = moreSelective(required, usableLiterals(run));
  return {
    exact: isComplete ? run : null,
    required,
    shortest: addUp(parts.map((part) => part.shortest)),
    longest: addUp(parts.map((part) => part.longest)),
  };
}

function analyzeChoice(options: Analysis[]): Analysis {
  const areAllExact = options.every((option) => option.exact !== null);
  const exact = areAllExact ? distinct(options.flatMap((option) => option.exact!)) : null;
  const sets = options.map((option) => moreSelective(usableLiterals(option.exact), option.required));
  const required = sets.every((set) => set !== null) ? distinct(sets.flat()) : null;
  return {
    exact: exact !== null && exact.length <= MAX_ALTERNATIVES ? exact : null,
    required: required !== null && required.length <= MAX_ALTERNATIVES ? required : null,
    shortest: Math.min(...options.map((option) => option.shortest)),
    longest: Math.max(...options.map((option) => option.longest)),
  };
}

function analyzeRepetition(part: Analysis, least: number, most: number): Analysis {
  const exact =
    least === 0 && most === 1 && part.exact !== null && part.exact.length < MAX_ALTERNATIVES
      ? distinct(['', ...part.exact])
      : null;
  const required = least === 0 ? null : moreSelective(usableLiterals(part.exact), part.required);
  return {
    exact,
    required,
    shortest: part.shortest * least,
    longest: part.longest === 0 ? 0 : part.longest * most,
  };
}

function concatenateAll(heads: string[], tails: string[]): string[] | null {
  if (heads.length * tails.length > MAX_ALTERNATIVES) return null;
  const joined = heads.flatMap((head) => tails.map((tail) => head + tail));
  // A single tail can't cause duplicates. Checking for them after each character would take quadratic time.
  return tails.length === 1 ? joined : distinct(joined);
}

/** Returns the more selective set. Longer literals are more selective. */
function moreSelective(one: string[] | null, other: string[] | null): string[] | null {
  if (one === null || other === null) return one ?? other;
  const difference = minLength(one) - minLength(other);
  return difference > 0 || (difference === 0 && one.length <= other.length) ? one : other;
}

function usableLiterals(texts: string[] | null): string[] | null {
  return texts !== null && texts.length > 0 && minLength(texts) >= MIN_LITERAL_LENGTH ? texts : null;
}

function minLength(texts: string[]): number {
  return Math.min(...texts.map((text) => text.length));
}

function distinct(texts: string[]): string[] {
  return [...new Set(texts)];
}

function addUp(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

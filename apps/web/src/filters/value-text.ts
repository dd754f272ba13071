import { RESULTS } from '#libs/agents/vocabulary';

/** Kinds of visits that are known by their initials. */
const INITIALS: ReadonlySet<string> = new Set(['mcp', 'acp', 'ucp']);

/** Of robots.txt, of programs among unknown visitors, and of kinds. */
const WORDS: Record<string, string> = {
  likely: 'Likely',
  unlikely: 'Unlikely',
  unclear: 'Unclear',
  page: 'Page',
  allowed: 'Allowed',
  disallowed: 'Disallowed',
  no_rules: 'No robots.txt',
  unreachable: 'Unreachable',
  unknown: 'No version known',
};

/** The value of a filter as people read it. */
export function valueText(value: string): string {
  if (INITIALS.has(value)) return value.toUpperCase();
  if (Object.hasOwn(RESULTS, value)) return RESULTS[value as keyof typeof RESULTS].label;
  return Object.hasOwn(WORDS, value) ? WORDS[value]! : value;
}

import { RESULTS } from '#libs/agents/vocabulary';

const INITIALS: ReadonlySet<string> = new Set(['mcp', 'acp', 'ucp']);

/** Labels of robots.txt results, automation verdicts and kinds of visits. */
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

export function valueText(value: string): string {
  if (INITIALS.has(value)) return value.toUpperCase();
  if (Object.hasOwn(RESULTS, value)) return RESULTS[value as keyof typeof RESULTS].label;
  return Object.hasOwn(WORDS, value) ? WORDS[value]! : value;
}

import { AGENT_BEHAVIOR_NAMES, RESULTS } from '#libs/agents/vocabulary';

const ACRONYMS: ReadonlySet<string> = new Set(['mcp', 'acp', 'ucp']);

/** Labels for behaviors, robots.txt results, automation verdicts and visit kinds. */
const VALUE_LABELS: Record<string, string> = {
  ...AGENT_BEHAVIOR_NAMES,
  likely: 'Likely',
  unlikely: 'Unlikely',
  unclear: 'Unclear',
  html: 'HTML',
  markdown: 'Markdown',
  json: 'JSON',
  text: 'Text',
  other: 'Other',
  any: 'Any (*/*)',
  none: 'Not reported',
  page: 'Page',
  allowed: 'Allowed',
  disallowed: 'Disallowed',
  no_rules: 'No robots.txt',
  unreachable: 'Unreachable',
  unknown: 'No version known',
};

export function formatFilterValue(value: string): string {
  if (ACRONYMS.has(value)) return value.toUpperCase();
  if (Object.hasOwn(RESULTS, value)) return RESULTS[value as keyof typeof RESULTS].label;
  return Object.hasOwn(VALUE_LABELS, value) ? VALUE_LABELS[value]! : value;
}

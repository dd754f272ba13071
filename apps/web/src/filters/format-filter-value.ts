import { AGENT_BEHAVIOR_NAMES, RESULTS } from '#libs/agents/vocabulary';
import { formatCount } from '../format/count.js';

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

const LIST = new Intl.ListFormat('en-US', { type: 'disjunction' });
/** Number of values that are named if there are too many to name them all. */
const MAX_NAMED = 2;

/** Joins formatted values, as in "GPTBot, ClaudeBot, or 2 more". */
export const formatValues = (values: readonly string[]): string =>
  LIST.format(
    values.length > MAX_NAMED + 1
      ? [...values.slice(0, MAX_NAMED), `${formatCount(values.length - MAX_NAMED)} more`]
      : values,
  );

import { count, joinLimited, plural, truncate, escapeInvisible } from '../terminal-text.js';
import { formatGroups, formatLine, quoteLine } from './decision-text.js';
import { joinRules, type RobotsComparison, type RobotsDifference } from './robots-comparison.js';
import type { RobotsSource } from './robots-source.js';

const MAX_NAME_LENGTH = 100;

/** Describes a comparison, one line per item. Agents with the same difference are grouped. */
export function describeComparison(
  { tokens, differences, others }: RobotsComparison,
  source: Pick<RobotsSource, 'name' | 'missing'>,
): string[] {
  const { name, missing } = source;
  if (tokens.length === 0)
    return ['None of the selected agents has a robots.txt token, so there is nothing to compare.'];
  const byText = new Map<string, string[]>();
  for (const difference of differences) {
    const text = describeDifference(difference);
    const agentLines = byText.get(text) ?? [];
    agentLines.push(`  ${formatAgent(difference)}`);
    byText.set(text, agentLines);
  }
  return [
    ...(missing === null ? [] : [`No robots.txt found (status ${missing} from ${escapeInvisible(name)}).`]),
    ...[...byText].flatMap(([text, agentLines]) => [text, ...agentLines]),
    ...(others.length === 0
      ? []
      : [
          `Not in the rendered rules: ${joinLimited(others, (other) => `${escapeInvisible(other.name)} (line ${other.line})`, ', ')}`,
        ]),
    summary(tokens.length, differences),
  ];
}

function describeDifference({ wanted, found, isNamed }: RobotsDifference): string {
  // Several rendered groups can apply to an agent and contain the same rules, so list each rule only once.
  const texts = [...new Set(wanted.map(({ text }) => text))];
  return `${describeFound({ found, isNamed })}, expected ${formatRules(texts, (text) => `"${escapeInvisible(text)}"`)}:`;
}

/**
 * Returns an agent's name and the lines that contain it. The description of the difference omits these lines, so agents
 * with the same rules can be grouped.
 */
function formatAgent({ token, found, isNamed }: RobotsDifference): string {
  const name = truncate(escapeInvisible(token), MAX_NAME_LENGTH);
  return isNamed ? `${name} (${joinLimited(found, ({ userAgent: { line } }) => `line ${line}`, ', ')})` : name;
}

function describeFound({ found, isNamed }: Pick<RobotsDifference, 'found' | 'isNamed'>): string {
  if (found.length === 0) return 'No group';
  const rules = joinRules(found);
  if (isNamed) return `Different rules: found ${formatRules(rules, quoteLine)}`;
  return `No separate group: found ${formatRules(rules, (rule) => formatLine(rule))}, ${formatGroups(found)}`;
}

function formatRules<T>(rules: readonly T[], text: (rule: T) => string): string {
  return rules.length === 0 ? 'no rules' : joinLimited(rules, text, '; ');
}

function summary(total: number, differences: readonly RobotsDifference[]): string {
  if (differences.length === 0) return `No differences (${plural(total, 'agent')} compared).`;
  const named = differences.filter(({ isNamed }) => isNamed).length;
  const unnamed = differences.length - named;
  return `Differences for ${count(differences.length)} of ${plural(total, 'agent')}: ${count(unnamed)} without a group, ${count(named)} with different rules.`;
}

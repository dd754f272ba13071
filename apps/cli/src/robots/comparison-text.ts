import { count, listed, plural, shortened, visible } from '../terminal-text.js';
import { inGroups, lineText, quoted } from './decision-text.js';
import { rulesOf, type RobotsComparison, type RobotsDifference } from './robots-comparison.js';
import type { RobotsSource } from './robots-source.js';

const LONGEST_NAME = 100;

/** Describes a comparison. Groups agents with the same difference. */
export function describeComparison(
  { tokens, differences, others }: RobotsComparison,
  source: Pick<RobotsSource, 'name' | 'missing'>,
): string[] {
  const { name, missing } = source;
  if (tokens.length === 0) return ['No such agent has a name in robots.txt: there is nothing to compare.'];
  const byText = new Map<string, string[]>();
  for (const difference of differences) {
    const text = describeDifference(difference);
    const alike = byText.get(text) ?? [];
    alike.push(`  ${agentText(difference)}`);
    byText.set(text, alike);
  }
  return [
    ...(missing === null ? [] : [`There is no robots.txt (status ${missing} of ${visible(name)}).`]),
    ...[...byText].flatMap(([text, alike]) => [text, ...alike]),
    ...(others.length === 0
      ? []
      : [
          `Not part of the rendering: ${listed(others, (other) => `${visible(other.name)} (line ${other.line})`, ', ')}`,
        ]),
    summary(tokens.length, differences),
  ];
}

function describeDifference({ wanted, found, isNamed }: RobotsDifference): string {
  // Several groups of the rendering can apply to an agent and repeat rules.
  const texts = [...new Set(wanted.map(({ text }) => text))];
  return `${foundText({ found, isNamed })}; should have ${rulesText(texts, (text) => `"${visible(text)}"`)}:`;
}

/**
 * Returns the agent and the lines that name it. The lines aren't part of the difference, so agents with the same rules
 * can be grouped.
 */
function agentText({ token, found, isNamed }: RobotsDifference): string {
  const name = shortened(visible(token), LONGEST_NAME);
  return isNamed ? `${name} (${listed(found, ({ userAgent: { line } }) => `line ${line}`, ', ')})` : name;
}

function foundText({ found, isNamed }: Pick<RobotsDifference, 'found' | 'isNamed'>): string {
  if (found.length === 0) return 'No group';
  const rules = rulesOf(found);
  if (isNamed) return `Other rules: ${rulesText(rules, quoted)}`;
  return `No group of its own: ${rulesText(rules, (rule) => lineText(rule))}, ${inGroups(found)}`;
}

function rulesText<T>(rules: readonly T[], text: (rule: T) => string): string {
  return rules.length === 0 ? 'no rule' : listed(rules, text, '; ');
}

function summary(total: number, differences: readonly RobotsDifference[]): string {
  if (differences.length === 0) return `Nothing differs: ${plural(total, 'agent')} compared.`;
  const named = differences.filter(({ isNamed }) => isNamed).length;
  const unnamed = differences.length - named;
  return `${count(differences.length)} of ${plural(total, 'agent')}: ${count(unnamed)} without a group, ${count(named)} with other rules.`;
}

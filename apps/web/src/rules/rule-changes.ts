import type { PolicyRule } from '#libs/contracts';
import { typesOf } from './agent-response.js';
import type { RulesSelection } from '../api/rules-queries.js';
import { formatCount } from '../format/count.js';
import { isAsked, isTypeRule } from './controls.js';
import { describeConditions, describeRule, MODE_LABELS } from './rule-text.js';

interface RuleChange {
  id: string;
  /** Lines of the rule before and after the change. Empty if it was added or removed. */
  before: string[];
  after: string[];
}

/** Returns true if a rule only allows types at the proxy that robots.txt asks not to visit. */
const isAskRule = (rule: PolicyRule, selection: RulesSelection | undefined): boolean =>
  selection !== undefined &&
  rule.action.kind === 'allow' &&
  isTypeRule(rule) &&
  typesOf(rule).every((type) => isAsked(selection, type));

const describeLines = (rule: PolicyRule, selection: RulesSelection | undefined): string[] => [
  `${rule.name} (${MODE_LABELS[rule.mode].toLowerCase()}${rule.when_unreachable === 'enforce' ? ', also while the instance can’t be reached' : ''}) · ${isAskRule(rule, selection) ? `${describeConditions(rule)}: ask not to visit` : describeRule(rule)}`,
  ...(rule.exceptions ?? []).map((exception) => `  except ${describeRule(exception, 'these visitors')}`),
];

interface ComparedPolicy {
  rules: readonly PolicyRule[];
  /** Used to distinguish "allow" from "ask not to visit". */
  selection?: RulesSelection;
}

/** Returns the rules that were added, removed or changed. */
export function compareRules(before: ComparedPolicy, after: ComparedPolicy): RuleChange[] {
  const ids = [...new Set([...before.rules, ...after.rules].map(({ id }) => id))];
  return ids.flatMap((id) => {
    const [old, current] = [before, after].map(({ rules }) => rules.find((rule) => rule.id === id));
    if (JSON.stringify(old) === JSON.stringify(current)) return [];
    return [
      {
        id,
        before: old ? describeLines(old, before.selection) : [],
        after: current ? describeLines(current, after.selection) : [],
      },
    ];
  });
}

const MAX_CHANGES = 3;

const MODE_CHANGES = { live: 'went live', dry_run: 'went back to dry run', off: 'was turned off' } as const;

/** Summarizes the changes between two versions, as in "Added “Block 203.0.113.0/24” (dry run)". */
export function summarizeChanges(before: readonly PolicyRule[], after: readonly PolicyRule[]): string {
  const changes = compareRules({ rules: before }, { rules: after }).map(({ id }) => {
    const [old, current] = [before, after].map((rules) => rules.find((rule) => rule.id === id));
    if (current === undefined) return `removed “${old!.name}”`;
    if (old === undefined) return `added “${current.name}” (${MODE_LABELS[current.mode].toLowerCase()})`;
    const isModeOnly = JSON.stringify({ ...old, mode: current.mode }) === JSON.stringify(current);
    return isModeOnly ? `“${current.name}” ${describeModeChange(old, current)}` : `changed “${current.name}”`;
  });
  if (isReordered(before, after)) changes.push('changed the order');
  if (changes.length === 0) return 'No rule changed';
  const others = changes.length - MAX_CHANGES;
  const text = changes.slice(0, MAX_CHANGES).join(', ') + (others > 0 ? `, and ${formatCount(others)} more` : '');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const describeModeChange = (old: PolicyRule, { mode }: PolicyRule): string =>
  old.mode === 'off' && mode === 'dry_run' ? 'started a dry run' : MODE_CHANGES[mode];

/** Describes agent types that have moved from a rule for several types to a new rule. */
export function describeSplits(before: readonly PolicyRule[], after: readonly PolicyRule[]): string[] {
  return before.flatMap((rule) => {
    const current = after.find(({ id }) => id === rule.id);
    if (current === undefined || !isTypeRule(rule)) return [];
    const left = typesOf(rule).filter((type) => !typesOf(current).includes(type));
    const isNew = ({ id }: PolicyRule): boolean => before.every((other) => other.id !== id);
    const split = left.filter((type) => after.some((other) => isNew(other) && typesOf(other).includes(type)));
    return split.map(
      (type) => `${type} gets its own rule. “${rule.name}” continues to apply to ${typesOf(current).join(' and ')}.`,
    );
  });
}

/** Returns true if rules that are in both lists have a different order. */
export function isReordered(before: readonly PolicyRule[], after: readonly PolicyRule[]): boolean {
  const common = (rules: readonly PolicyRule[], others: readonly PolicyRule[]): string =>
    rules
      .map(({ id }) => id)
      .filter((id) => others.some((other) => other.id === id))
      .join();
  return common(before, after) !== common(after, before);
}

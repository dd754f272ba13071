import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import type { PolicyAction, PolicyException, PolicyRule } from '#libs/contracts';
import type { RulesSelection } from '../api/rules-queries.js';
import { typesOf } from './agent-response.js';
import { isRobotsTxt } from './robots-format.js';

type AgentType = RulesSelection['agent_types'][number];

/** Controls of the policy table, from the least to the most restrictive one. */
export const CONTROL_LABELS = {
  allow: 'Allow',
  ask: 'Ask not to visit',
  slow_down: 'Slow down',
  charge: 'Charge',
  refuse: 'Block',
} as const;
export type ControlKind = keyof typeof CONTROL_LABELS;

type PublishMode = 'dry_run' | 'live';

/** Rules of the policy and agents that robots.txt disallows. */
export interface SitePolicy {
  rules: PolicyRule[];
  selection: RulesSelection;
}

/** Current control of an agent type. */
export interface Control {
  /** The table can't set `redirect`, but a rule can. */
  kind: ControlKind | 'redirect';
  action: PolicyAction | null;
  mode: PolicyRule['mode'];
  /** Rule that decides, or null if no rule covers all requests by agents of the type. */
  rule: PolicyRule | null;
  /** Action of the live rule behind a rule in dry run. */
  liveAction: PolicyAction | null;
  /** True if a connected proxy also blocks these agents, because robots.txt disallows them and no live rule applies. */
  isBlockedByRobots: boolean;
}

/** Control chosen in the table, not yet published. */
export interface Choice {
  action: Exclude<PolicyAction, { kind: 'redirect' }> | { kind: 'ask' };
  /** ID of the rule, if one is needed. */
  ruleId: string;
  /** Set if a rule in dry run goes live. Other choices are published in the mode selected for all of them. */
  mode?: 'live';
}
export type Choices = Readonly<Partial<Record<AgentType, Choice>>>;

export const createChoice = (action: Choice['action']): Choice => ({ action, ruleId: crypto.randomUUID() });

/** Returns true if a choice restricts agents at the proxy. */
const isRestrictive = ({ action: { kind } }: Choice): boolean => kind !== 'allow' && kind !== 'ask';

/** Returns true if a choice can start in dry run. */
export const canDryRun = (choice: Choice): boolean => isRestrictive(choice) && choice.mode === undefined;

/** Returns true if a rule applies to agent types as a whole, so the table can change it. */
export const isTypeRule = (rule: PolicyRule): boolean => {
  const { visitors = {}, requests } = rule;
  const hasOthers =
    visitors.agent_tokens !== undefined ||
    visitors.operators !== undefined ||
    visitors.networks !== undefined ||
    visitors.likely_automated === true ||
    visitors.results !== undefined;
  return requests === undefined && !hasOthers && typesOf(rule).length > 0 && rule.action.kind !== 'redirect';
};

/** Returns true if a rule applies to all requests by all agents of a type. */
function coversType(rule: PolicyRule, type: AgentType): boolean {
  const { visitors = {}, requests, mode } = rule;
  if (mode === 'off' || requests !== undefined || visitors.results !== undefined) return false;
  const isForAll = Object.keys(visitors).length === 0;
  return isForAll || typesOf(rule).includes(type);
}

/** Returns true if robots.txt disallows a type. */
export const isAsked = ({ agent_types: types, format, disallow }: RulesSelection, type: AgentType): boolean =>
  isRobotsTxt(format) && disallow !== '' && types.includes(type);

/** Returns the control of an agent type, by the first rule that covers it, and robots.txt. */
export function readControl({ rules, selection }: SitePolicy, type: AgentType): Control {
  const covering = rules.filter((rule) => coversType(rule, type));
  const [first] = covering;
  const live = covering.find(({ mode }) => mode === 'live');
  const asked = isAsked(selection, type);
  const action = first?.action ?? null;
  return {
    kind: action === null || action.kind === 'allow' ? (asked ? 'ask' : 'allow') : action.kind,
    action,
    mode: first?.mode ?? 'live',
    rule: first ?? null,
    liveAction: first?.mode === 'dry_run' ? (live?.action ?? null) : null,
    isBlockedByRobots: asked && live === undefined,
  };
}

/** Returns the type of an agent, or null if it's unknown. */
export type TypeOf = (agentToken: string) => AgentType | null;

/** Removes agents from exceptions if the rule doesn't apply to their type. */
function withoutOthers(rule: PolicyRule, typeOf: TypeOf): PolicyRule {
  const { exceptions = [], ...rest } = rule;
  const types = typesOf(rule);
  const kept = exceptions.flatMap((exception) => {
    const { agent_tokens: tokens, results: _, ...others } = exception.visitors ?? {};
    if (tokens === undefined || Object.keys(others).length > 0) return [exception];
    const left = tokens.filter((token) => {
      const type = typeOf(token);
      return type === null || types.includes(type);
    });
    return left.length === 0 ? [] : [{ ...exception, visitors: { ...exception.visitors, agent_tokens: left } }];
  });
  return kept.length === 0 ? rest : { ...rest, exceptions: kept };
}

/** Removes an agent type from a rule. Returns null if the rule then has no types left. */
function removeType(rule: PolicyRule, type: AgentType, typeOf: TypeOf): PolicyRule | null {
  const { visitors = {}, ...rest } = rule;
  const types = typesOf(rule).filter((other) => other !== type);
  if (types.length === 0) return null;
  // Purposes that don't include the type are retained.
  const purposes = (visitors.purposes ?? []).filter(
    (purpose) => !(CRAWL_PURPOSES[purpose].types as readonly string[]).includes(type),
  );
  const implied = new Set<string>(purposes.flatMap((purpose) => [...CRAWL_PURPOSES[purpose].types]));
  const listed = types.filter((other) => !implied.has(other) || visitors.agent_types?.includes(other));
  const reduced = {
    ...(listed.length > 0 && { agent_types: listed }),
    ...(purposes.length > 0 && { purposes }),
  };
  return withoutOthers({ ...rest, visitors: reduced }, typeOf);
}

const copyExceptions = (exceptions: readonly PolicyException[]): PolicyException[] =>
  exceptions.map((exception) => ({ ...exception, id: crypto.randomUUID() }));

/** Applies a choice to the rules. Rules for single agents, paths and hosts, and their order, don't change. */
function applyToRules(
  rules: readonly PolicyRule[],
  type: AgentType,
  choice: Choice,
  mode: PublishMode,
  typeOf: TypeOf,
): PolicyRule[] {
  const isDryRun = mode === 'dry_run' && isRestrictive(choice);
  // In dry run, the live rule remains in effect.
  const isReplaced = (rule: PolicyRule): boolean =>
    isTypeRule(rule) && coversType(rule, type) && !(isDryRun && rule.mode === 'live');
  const replaced = rules.find(isReplaced);
  const position = rules.findIndex((rule) => coversType(rule, type));
  const rest = rules.flatMap((rule, index): (PolicyRule | { position: true })[] => {
    const marker = index === position ? [{ position: true } as const] : [];
    const kept = isReplaced(rule) ? removeType(rule, type, typeOf) : rule;
    return [...marker, ...(kept === null ? [] : [kept])];
  });
  const others = rest.filter((item): item is PolicyRule => !('position' in item));
  const { action } = choice;
  if (action.kind === 'allow' && !others.some((rule) => coversType(rule, type))) return others;
  const isWhole = replaced !== undefined && typesOf(replaced).length === 1;
  const rule: PolicyRule = {
    id: isWhole ? replaced.id : choice.ruleId,
    name: isWhole ? replaced.name : type,
    mode: isDryRun ? 'dry_run' : 'live',
    ...(replaced?.when_unreachable !== undefined && { when_unreachable: replaced.when_unreachable }),
    visitors: { agent_types: [type] },
    action: action.kind === 'ask' ? { kind: 'allow' } : action,
    ...(replaced?.exceptions && {
      exceptions: isWhole ? replaced.exceptions : copyExceptions(replaced.exceptions),
    }),
  };
  const added = isWhole ? rule : withoutOthers(rule, typeOf);
  if (position === -1) return [...others, added];
  return rest.map((item) => ('position' in item ? added : item));
}

/** Applies a choice to robots.txt. Choices in dry run don't change it. */
function applyToSelection(
  selection: RulesSelection,
  type: AgentType,
  choice: Choice,
  mode: PublishMode,
): RulesSelection {
  if (isRestrictive(choice) && mode === 'dry_run') return selection;
  const { kind } = choice.action;
  // An agent that is blocked should also learn from robots.txt that it isn't wanted.
  const isDisallowed = kind === 'ask' || kind === 'refuse';
  if (isDisallowed === isAsked(selection, type)) return selection;
  const others = selection.agent_types.filter((other) => other !== type);
  const { disallow, ...rest } = selection;
  return {
    ...rest,
    ...(disallow !== undefined && disallow !== '' && { disallow }),
    agent_types: isDisallowed ? [...others, type] : others,
    format: isRobotsTxt(selection.format) ? selection.format : 'blocks',
  };
}

/**
 * Returns the policy after all choices.
 *
 * @param mode Mode of restrictive choices without their own. Others take effect immediately.
 * @param typeOf Used to leave exceptions with the rule that applies to their agents.
 */
export function applyChoices(
  policy: SitePolicy,
  choices: Choices,
  mode: PublishMode,
  typeOf: TypeOf = () => null,
): SitePolicy {
  let { rules, selection } = policy;
  for (const [type, choice] of Object.entries(choices) as [AgentType, Choice][]) {
    rules = applyToRules(rules, type, choice, choice.mode ?? mode, typeOf);
    selection = applyToSelection(selection, type, choice, choice.mode ?? mode);
  }
  return { rules, selection };
}

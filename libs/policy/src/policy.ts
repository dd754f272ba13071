import type { PolicyAction, PolicyActionKind, PolicyMode, PolicyRule } from '#libs/contracts';
import { compileRequests, compileVisitors } from './conditions.js';
import type { PolicyRequest } from './policy-request.js';
import { createLocation } from './redirect-location.js';
import { isExemptPath, resolvePaths } from './request-paths.js';

/** Rule or exception that matched a request. */
export interface PolicyMatch {
  rule: PolicyRule;
  /** ID of the exception that replaced the rule's action, or else of the rule. */
  id: string;
  mode: Exclude<PolicyMode, 'off'>;
  action: PolicyAction;
  /** Path to redirect to. Only set for redirects. */
  location: string | null;
}

export interface PolicyDecision {
  /** First live match, which determines the response. Null lets the request pass. */
  live: PolicyMatch | null;
  /** Match that would determine the response if all rules in dry run were live. Null if it is the same as `live`. */
  dryRun: PolicyMatch | null;
  /** Whether live rules matched all spellings of the path. False if other rules still have to decide on some of them. */
  isDecided: boolean;
}

/** Other values that the request could have, if the proxy's headers contradict each other. */
interface Alternatives {
  paths?: readonly string[];
  methods?: readonly string[];
}

interface CompiledRule {
  rule: PolicyRule;
  mode: Exclude<PolicyMode, 'off'>;
  matches: (request: PolicyRequest) => boolean;
  exceptions: readonly { id: string; action: PolicyAction; matches: (request: PolicyRequest) => boolean }[];
}

const NO_DECISION: PolicyDecision = { live: null, dryRun: null, isDecided: false };

const SEVERITY: Record<PolicyActionKind, number> = { allow: 0, slow_down: 1, redirect: 2, charge: 3, refuse: 4 };

/** Compiled rules of a project. Decisions depend only on the request, so limits on requests are applied by the caller. */
export class Policy {
  private readonly rules: readonly CompiledRule[];
  /** Whether a rule depends on `isLikelyAutomated`. */
  readonly needsAutomation: boolean;
  /** Whether a rule depends on `clientAddress`. */
  readonly needsAddress: boolean;

  /** @param rules Rules in order. The first match wins. */
  constructor(rules: readonly PolicyRule[]) {
    this.rules = rules.flatMap((rule) => (rule.mode === 'off' ? [] : [compileRule(rule, rule.mode)]));
    const visitors = rules.flatMap((rule) =>
      rule.mode === 'off' ? [] : [rule, ...(rule.exceptions ?? [])].map((part) => part.visitors),
    );
    this.needsAutomation = visitors.some((one) => one?.likely_automated);
    this.needsAddress = visitors.some((one) => one?.networks !== undefined);
  }

  get isEmpty(): boolean {
    return this.rules.length === 0;
  }

  /**
   * Decides on a request. If its path or method is ambiguous, the most restrictive decision wins. Exempt paths, such as
   * `/robots.txt`, are never decided on.
   */
  decide(request: PolicyRequest, { paths = [], methods = [] }: Alternatives = {}): PolicyDecision {
    if (this.isEmpty) return NO_DECISION;
    const requested = [request.path, ...paths].filter((path) => !isExemptPath(path));
    const spellings = new Set(requested.flatMap((path) => [path, ...resolvePaths(path)]));
    let decision: PolicyDecision | null = null;
    for (const path of spellings) {
      for (const method of [request.method, ...methods]) {
        const next = this.decideOn({ ...request, path, method });
        decision = decision === null ? next : mostRestrictive(decision, next);
      }
    }
    return decision ?? NO_DECISION;
  }

  private decideOn(request: PolicyRequest): PolicyDecision {
    let dryRun: PolicyMatch | null = null;
    for (const compiled of this.rules) {
      if (dryRun !== null && compiled.mode === 'dry_run') continue;
      const match = findMatch(compiled, request);
      if (match === null) continue;
      if (compiled.mode === 'live') return { live: match, dryRun, isDecided: true };
      dryRun = match;
    }
    return { live: null, dryRun, isDecided: false };
  }
}

function compileRule(rule: PolicyRule, mode: Exclude<PolicyMode, 'off'>): CompiledRule {
  const conditions = [compileVisitors(rule.visitors), compileRequests(rule.requests)];
  return {
    rule,
    mode,
    matches: (request) => conditions.every((matches) => matches(request)),
    exceptions: (rule.exceptions ?? []).map(({ id, action, visitors, requests }) => {
      const own = [
        ...(visitors === undefined ? [] : [compileVisitors(visitors)]),
        ...(requests === undefined ? [] : [compileRequests(requests)]),
      ];
      return { id, action, matches: (request) => own.every((matches) => matches(request)) };
    }),
  };
}

function findMatch({ rule, mode, matches, exceptions }: CompiledRule, request: PolicyRequest): PolicyMatch | null {
  if (!matches(request)) return null;
  const { id, action } = exceptions.find((exception) => exception.matches(request)) ?? rule;
  if (action.kind !== 'redirect') return { rule, id, mode, action, location: null };
  const location = createLocation(action.location, request.path);
  return location === null
    ? { rule, id, mode, action: { kind: 'allow' }, location: null }
    : { rule, id, mode, action, location };
}

const mostRestrictive = (one: PolicyDecision, other: PolicyDecision): PolicyDecision => ({
  live: stricter(one.live, other.live),
  dryRun: stricter(one.dryRun, other.dryRun),
  isDecided: one.isDecided && other.isDecided,
});

const stricter = (one: PolicyMatch | null, other: PolicyMatch | null): PolicyMatch | null =>
  one === null || (other !== null && SEVERITY[other.action.kind] > SEVERITY[one.action.kind]) ? other : one;

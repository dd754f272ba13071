import type { PolicyRule } from '../../contracts/src/index.js';
import {
  applyMatches,
  formatDecisions,
  getAllowanceKey,
  Policy,
  toMatches,
  type DecisionResponse,
  type PolicyDecision,
  type PolicyMatch,
  type PolicyRequest,
} from '../../policy/src/index.js';
import { Allowances } from './allowances.js';
import type { EngineDecision, EngineResponse } from './types.js';

export const NO_DECISION: EngineDecision = { response: null, header: null };

/** Results that missing evidence can lead to. */
const POSSIBLE_RESULTS = ['verified', 'verification_failed', 'not_verifiable'] as const;

/** Applies a project's rules and formats the decisions. */
export class LocalPolicy {
  private readonly current: Policy;
  /** Rules that also apply while the instance is unreachable. */
  private readonly enforced: Policy;
  private readonly allowances = new Allowances();
  readonly needsAutomation: boolean;
  readonly needsAddress: boolean;

  constructor(rules: readonly PolicyRule[]) {
    this.current = new Policy(rules);
    // Other rules still end the search for a match, so later rules don't apply to visitors that are usually allowed.
    this.enforced = new Policy(
      rules.map((rule) => (isEnforced(rule) ? rule : { ...rule, action: { kind: 'allow' }, exceptions: [] })),
    );
    this.needsAutomation = this.current.needsAutomation;
    this.needsAddress = this.current.needsAddress;
  }

  /**
   * Decides on a request.
   *
   * @param address Address of the visitor, or null if unknown.
   * @param isReachable False if the rules have expired, so only some still apply.
   */
  decide(request: PolicyRequest, address: string | null, isReachable: boolean, now: number): EngineDecision {
    const matches = toMatches(this.match(request, isReachable));
    if (matches.length === 0) return NO_DECISION;
    const seconds = matches.map((match) => this.takeAllowance(match, request, address, now));
    const { response, recorded } = applyMatches(matches, seconds);
    return { response: response && toEngineResponse(response), header: formatDecisions(recorded) };
  }

  /**
   * Returns true if every result that missing evidence can lead to has the same decision. Limits on requests depend on
   * the result, because verified visitors have their own allowance.
   */
  isIndependentOfResult(request: PolicyRequest, isReachable: boolean): boolean {
    const { live, dryRun } = this.match(request, isReachable);
    const isLimited = live?.action.kind === 'slow_down' || dryRun?.action.kind === 'slow_down';
    return !isLimited && this.matchesAnyResult(request, isReachable);
  }

  /** Returns true if the same rules match for every result that missing evidence can lead to. */
  matchesAnyResult(request: PolicyRequest, isReachable: boolean): boolean {
    const [first, ...others] = POSSIBLE_RESULTS.map((result) => {
      const { live, dryRun } = this.match({ ...request, visitor: { ...request.visitor, result } }, isReachable);
      return `${live?.id} ${dryRun?.id}`;
    });
    return others.every((other) => other === first);
  }

  private match(request: PolicyRequest, isReachable: boolean): Pick<PolicyDecision, 'live' | 'dryRun'> {
    if (isReachable) return this.current.decide(request);
    const { live, dryRun } = this.enforced.decide(request);
    const withoutOthers = (match: PolicyMatch | null) => (match !== null && isEnforced(match.rule) ? match : null);
    return { live: withoutOthers(live), dryRun: withoutOthers(dryRun) };
  }

  private takeAllowance(match: PolicyMatch, request: PolicyRequest, address: string | null, now: number): number {
    if (match.action.kind !== 'slow_down') return 0;
    const kind = request.visitor.agent_token === undefined ? 'addresses' : 'agents';
    const key = `${match.mode}:${getAllowanceKey(match, request, address)}`;
    return this.allowances.take(kind, key, match.action.requests_per_minute, now);
  }
}

const isEnforced = ({ when_unreachable: choice }: PolicyRule): boolean => choice === 'enforce';

const toEngineResponse = ({ status, headers, text }: DecisionResponse): EngineResponse => ({
  status,
  headers: {
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  },
  body: `${text}\n`,
});

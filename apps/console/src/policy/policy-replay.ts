import {
  getHeader,
  MAX_FORECAST_AGENTS,
  MAX_FORECAST_EXAMPLES,
  MAX_FORECAST_NETWORKS,
  parseTimestamp,
  POLICY_OUTCOMES,
  type EnrichedVisit,
  type OutcomeCounts,
  type PolicyForecast,
  type PolicyOutcome,
  type PolicyRule,
} from '#libs/contracts';
import { readPayment } from '#libs/payments';
import { getAllowanceKey, isExemptPath, OUTCOMES, Policy, type PolicyMatch, type PolicyRequest } from '#libs/policy';
import { getNetwork } from '../statistics/network.js';
import { hasBrowserHeaders } from './effect-visitors.js';

/** Length of the window in which requests use an allowance. It starts with the first request. */
const WINDOW_MS = 60_000;

/** Parts of a stored visit that rules depend on. */
export interface ReplayedVisit {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  token: string | null;
  type: string | null;
  operator: string | null;
  result: EnrichedVisit['identification']['result'];
  isLikelyAutomated: boolean;
  /** Unknown visitor with a browser's full headers. */
  isPossiblePerson: boolean;
  /** True if the page was served after a payment or with a license. */
  isPaid: boolean;
  method: string;
  host: string | null;
  path: string;
  address: string | null;
  bytes: number;
  milliseconds: number;
  /** Operator of the assistant that referred the visitor, or null. */
  referredBy: string | null;
}

export function toReplayedVisit({ identification, visit, ...enriched }: EnrichedVisit): ReplayedVisit {
  const headers = visit.request_headers;
  return {
    id: enriched.id,
    at: parseTimestamp(enriched.occurred_at)!,
    token: identification.agent_token,
    type: identification.agent_type_name,
    operator: identification.operator_name,
    result: identification.result,
    isLikelyAutomated: enriched.automation?.verdict === 'likely',
    isPossiblePerson: identification.agent_id === null && hasBrowserHeaders(headers),
    isPaid: isPaid(visit),
    method: visit.request_method.toUpperCase(),
    host: (getHeader(headers, 'host') ?? getHeader(headers, ':authority'))?.toLowerCase() ?? null,
    path: visit.request_path,
    address: enriched.client_address,
    bytes: visit.response_size_in_bytes ?? 0,
    milliseconds: visit.response_duration_in_milliseconds ?? 0,
    referredBy: enriched.referral?.operator ?? null,
  };
}

const NO_TOLL_HOSTS: ReadonlySet<string> = new Set();

function isPaid({
  request_headers: requestHeaders,
  response_headers: responseHeaders = {},
  response_status_code: status = null,
}: EnrichedVisit['visit']): boolean {
  const payment = readPayment({ status, requestHeaders, responseHeaders: responseHeaders ?? {} }, NO_TOLL_HOSTS);
  return payment?.outcome === 'paid' || payment?.outcome === 'licensed';
}

/** Counts of a rule, without its recorded decisions. */
type Rule = Omit<PolicyForecast['rules'][number], 'recorded' | 'since'>;

/**
 * Applies rules to visits of the past, as if all rules in dry run were live. Visits that match a rule in dry run also
 * count for the live rule behind it, as real decisions do. Visits must be added oldest first.
 */
export class PolicyReplay {
  private readonly policy: Policy;
  private readonly windows = new Map<string, { startedAt: number; requests: number }>();
  private readonly byRule = new Map<string, Rule>();
  private readonly operatorsByRule = new Map<string, Set<string>>();
  /** Operators of affected verified agents. */
  private readonly operators = new Set<string>();
  /** Operators whose verified agents are more than asked to pay. */
  private readonly restrictedOperators = new Set<string>();
  /** Visits that rules acted on, by agent and result. */
  private readonly agentsByRule = new Map<string, Map<string, Rule['agents'][number]>>();
  private readonly networksByRule = new Map<string, Map<string, number>>();
  private readonly byAgent = new Map<string | null, Omit<PolicyForecast['agents'][number], 'agent_token'>>();
  private readonly referrals = new Map<string, number>();
  private readonly total = { outcomes: noOutcomes(), bytes: 0, milliseconds: 0 };

  constructor(private readonly rules: readonly PolicyRule[]) {
    this.policy = new Policy(rules);
  }

  /** Applies the rules to a visit and returns its outcome. */
  add(visit: ReplayedVisit): PolicyOutcome {
    if (visit.referredBy !== null) increment(this.referrals, visit.referredBy);
    const isExempt = isExemptPath(visit.path);
    const outcome = isExempt ? this.countExempt(visit) : this.decide(visit);
    addVisit(this.total, visit, outcome);
    this.countAgent(visit, outcome, isExempt);
    const operator = getReferrer(visit);
    if (operator !== null && outcome !== 'allowed') {
      this.operators.add(operator);
      if (outcome !== 'charged') this.restrictedOperators.add(operator);
    }
    return outcome;
  }

  private countExempt(visit: ReplayedVisit): PolicyOutcome {
    const { live, dryRun } = this.policy.decide({ ...toRequest(visit), path: '/' });
    for (const match of new Set([dryRun, live])) if (match !== null) this.getRule(match).exempt += 1;
    return 'allowed';
  }

  private decide(visit: ReplayedVisit): PolicyOutcome {
    const request = toRequest(visit);
    const { live, dryRun } = this.policy.decide(request);
    const match = dryRun ?? live;
    if (match === null) return 'allowed';
    const outcome = this.apply(match, request, visit);
    this.count(match, visit, outcome);
    if (live !== null && match !== live) this.count(live, visit, this.apply(live, request, visit));
    return outcome;
  }

  /** Assumes that proxies let paid requests through without asking, because rules that charge don't check payments. */
  private apply(match: PolicyMatch, request: PolicyRequest, visit: ReplayedVisit): PolicyOutcome {
    const isWithinLimit =
      match.action.kind === 'slow_down' &&
      this.usesAllowance(getAllowanceKey(match, request, visit.address), visit.at) <= match.action.requests_per_minute;
    const isServed = match.action.kind === 'charge' && visit.isPaid;
    return isWithinLimit || isServed ? 'allowed' : OUTCOMES[match.action.kind];
  }

  /** Returns the number of requests in the current window, including this one. */
  private usesAllowance(key: string, at: number): number {
    const current = this.windows.get(key);
    if (current === undefined || at >= current.startedAt + WINDOW_MS) {
      this.windows.set(key, { startedAt: at, requests: 1 });
      return 1;
    }
    current.requests += 1;
    return current.requests;
  }

  private getRule({ id }: Pick<PolicyMatch, 'id'>): Rule {
    let rule = this.byRule.get(id);
    if (rule === undefined) {
      rule = {
        rule_id: id,
        outcomes: noOutcomes(),
        bytes: 0,
        milliseconds: 0,
        referrals_at_risk: 0,
        exempt: 0,
        people: 0,
        agents: [],
        networks: [],
        examples: [],
      };
      this.byRule.set(id, rule);
      this.operatorsByRule.set(id, new Set());
      this.agentsByRule.set(id, new Map());
      this.networksByRule.set(id, new Map());
    }
    return rule;
  }

  private count(match: PolicyMatch, visit: ReplayedVisit, outcome: PolicyOutcome): void {
    const { id } = match;
    const rule = this.getRule(match);
    addVisit(rule, visit, outcome);
    if (outcome === 'allowed') return;
    const agents = this.agentsByRule.get(id)!;
    const key = `${visit.token} ${visit.result}`;
    const agent = agents.get(key) ?? { agent_token: visit.token, result: visit.result, visits: 0 };
    agent.visits += 1;
    agents.set(key, agent);
    if (visit.isPossiblePerson) rule.people += 1;
    const network = getNetwork(visit.address);
    if (network !== null) increment(this.networksByRule.get(id)!, network);
    const operator = getReferrer(visit);
    if (operator !== null) this.operatorsByRule.get(id)!.add(operator);
    if (rule.examples.length < MAX_FORECAST_EXAMPLES && rule.examples.every(({ path }) => path !== visit.path))
      rule.examples.push({ visit_id: visit.id, path: visit.path });
  }

  private countAgent({ token }: ReplayedVisit, outcome: PolicyOutcome, isExempt: boolean): void {
    let agent = this.byAgent.get(token);
    if (agent === undefined) this.byAgent.set(token, (agent = { outcomes: noOutcomes(), exempt: 0 }));
    agent.outcomes[outcome] += 1;
    if (isExempt) agent.exempt += 1;
  }

  /** @param recordedIds IDs of rules and exceptions to list even if they match nothing. */
  summarize(recordedIds: readonly string[] = []): Pick<PolicyForecast, 'total' | 'agents'> & { rules: Rule[] } {
    for (const id of recordedIds) this.getRule({ id });
    return {
      total: {
        ...this.total,
        referrals_at_risk: this.countReferrals(this.operators),
        referrals_asked_to_pay: this.countReferrals(this.operators.difference(this.restrictedOperators)),
        referrals: this.countReferrals(this.referrals.keys()),
      },
      rules: this.rules.flatMap(getIds).flatMap((id) => {
        const rule = this.byRule.get(id);
        if (rule === undefined) return [];
        return [
          {
            ...rule,
            referrals_at_risk: this.countReferrals(this.operatorsByRule.get(id)!),
            agents: [...this.agentsByRule.get(id)!.values()]
              .toSorted((one, other) => other.visits - one.visits)
              .slice(0, MAX_FORECAST_AGENTS),
            networks: [...this.networksByRule.get(id)!]
              .map(([network, visits]) => ({ network, visits }))
              .toSorted((one, other) => other.visits - one.visits)
              .slice(0, MAX_FORECAST_NETWORKS),
          },
        ];
      }),
      agents: [...this.byAgent]
        .map(([token, counts]) => ({ agent_token: token, ...counts }))
        .toSorted((one, other) => countActed(other.outcomes) - countActed(one.outcomes))
        .slice(0, MAX_FORECAST_AGENTS),
    };
  }

  private countReferrals(operators: Iterable<string>): number {
    return [...operators].reduce((sum, operator) => sum + (this.referrals.get(operator) ?? 0), 0);
  }
}

/** Returns the IDs of a rule and its exceptions. */
export const getIds = ({ id, exceptions = [] }: PolicyRule): string[] => [
  id,
  ...exceptions.map((exception) => exception.id),
];

/** Returns the operator that may send fewer visitors if the visit is restricted. Impostors don't matter to operators. */
const getReferrer = ({ operator, result }: ReplayedVisit): string | null => (result === 'verified' ? operator : null);

const toRequest = (visit: ReplayedVisit): PolicyRequest => ({
  visitor: {
    result: visit.result,
    agent_token: visit.token ?? undefined,
    agent_type_name: visit.type ?? undefined,
    operator_name: visit.operator ?? undefined,
  },
  isLikelyAutomated: visit.isLikelyAutomated,
  clientAddress: visit.address,
  method: visit.method,
  host: visit.host,
  path: visit.path,
});

/** Adds a visit to the counts. */
function addVisit(
  counts: Pick<Rule, 'outcomes' | 'bytes' | 'milliseconds'>,
  { bytes, milliseconds }: ReplayedVisit,
  outcome: PolicyOutcome,
): void {
  counts.outcomes[outcome] += 1;
  if (outcome === 'allowed') return;
  counts.bytes += bytes;
  counts.milliseconds += milliseconds;
}

/** Returns zero for each outcome. */
export const noOutcomes = (): OutcomeCounts =>
  Object.fromEntries(POLICY_OUTCOMES.map((outcome) => [outcome, 0])) as OutcomeCounts;

/** Returns the number of visits with another outcome than `allowed`. */
export const countActed = ({ allowed: _allowed, ...acted }: OutcomeCounts): number =>
  Object.values(acted).reduce((sum, count) => sum + count, 0);

const increment = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

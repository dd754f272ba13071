import { AutomationJudge } from '#libs/agents';
import type { Agent } from '#libs/catalog';
import type { Visit } from '#libs/contracts';
import {
  DECISION_HEADER,
  formatDecisions,
  getAllowanceKey,
  OUTCOMES,
  parseDecisions,
  Policy,
  type PolicyMatch,
  type PolicyRequest,
  type RecordedDecision,
} from '#libs/policy';
import { PRICE } from './demo-payments.js';
import { demoPolicyVersions } from './demo-policy.js';

/** Networks that only impostors, people and agents without published addresses use. */
const UNPUBLISHED_ADDRESS = /^(?:(?:192\.0\.2|198\.51\.100|203\.0\.113)\.|2001:db8:(?:7|64|99):)/;
/** Age from which stored visits can no longer be refuted by their address, so decisions on them couldn't be replayed. */
const REFUTABLE_MS = 7 * 86_400_000;
/** Headers of responses after a payment. */
const RECEIPTS = ['crawler-charged', 'payment-response'];
const PAYMENT_REQUIRED = 402;
const FORBIDDEN = 403;
const TOO_MANY_REQUESTS = 429;
const MINUTE_MS = 60_000;

/** Adds the decisions of the shop's policy to visits, as a site does that asks the policy about each request. */
export class DemoDecisions {
  /** Newest first. */
  private readonly policies: readonly { from: number; policy: Policy }[];
  private readonly agents: ReadonlyMap<string, Agent>;
  private readonly judge = new AutomationJudge();
  private readonly refutableFrom: number;

  /** @param end End of the story, in milliseconds since the epoch. */
  constructor(agents: readonly Agent[], end: number) {
    this.policies = demoPolicyVersions(end)
      .map(({ from, rules }) => ({ from, policy: new Policy(rules) }))
      .toReversed();
    this.refutableFrom = end - REFUTABLE_MS;
    this.agents = new Map(
      agents.flatMap((agent) =>
        (agent.sample_user_agents ?? [agent.token]).map((userAgent) => [userAgent, agent] as const),
      ),
    );
  }

  /** @param visits Visits of an hour, oldest first. */
  record(visits: readonly Visit[]): Visit[] {
    const windows = new Map<string, number>();
    return visits.map((visit) => {
      const agent = this.agents.get(String(visit.request_headers['user-agent']));
      const at = Date.parse(visit.created!);
      const policy = this.policies.find(({ from }) => from <= at)?.policy;
      if (policy === undefined) return visit;
      const request: PolicyRequest = {
        visitor:
          agent === undefined
            ? { result: 'unknown_agent' }
            : {
                result: guessResult(visit, agent, at >= this.refutableFrom),
                agent_token: agent.token,
                agent_type_name: agent.type,
                operator_name: agent.operator ?? undefined,
              },
        isLikelyAutomated: agent === undefined && this.isLikelyAutomated(visit, at),
        clientAddress: visit.client_address ?? null,
        method: visit.request_method,
        host: String(visit.request_headers['host']),
        path: visit.request_path,
      };
      const { live, dryRun } = policy.decide(request);
      let decided = visit;
      const decisions = [live, dryRun].flatMap((match) => {
        if (match === null) return [];
        const { action, mode, id: ruleId } = match;
        const key = getAllowanceKey(match, request, request.clientAddress);
        const windowStart = windows.get(key) ?? -Infinity;
        const isWithinLimit = action.kind === 'slow_down' && at >= windowStart + MINUTE_MS;
        if (isWithinLimit) windows.set(key, at);
        const isPaid = action.kind === 'charge' && RECEIPTS.some((name) => name in (visit.response_headers ?? {}));
        const outcome = isWithinLimit || isPaid ? 'allowed' : getOutcome(match);
        if (mode === 'live' && outcome === 'slowed') decided = slowDown(visit, windowStart + MINUTE_MS - at);
        if (mode === 'live' && outcome === 'charged' && visit.response_status_code !== PAYMENT_REQUIRED)
          decided = { ...reject(visit, PAYMENT_REQUIRED), response_headers: { 'crawler-price': PRICE } };
        if (mode === 'live' && outcome === 'refused') decided = reject(visit, FORBIDDEN);
        return [{ ruleId, mode, outcome }];
      });
      if (decisions.length === 0) return visit;
      const response_headers = { ...decided.response_headers, [DECISION_HEADER]: formatDecisions(decisions) };
      return { ...decided, response_headers };
    });
  }

  private isLikelyAutomated({ request_headers: headers, request_path: path }: Visit, at: number): boolean {
    return this.judge.judge({ headers, path, at }).verdict === 'likely';
  }
}

/** Returns the visit with a response by the proxy, so the shop isn't asked. */
const reject = (visit: Visit, status: number): Visit => ({
  ...visit,
  response_status_code: status,
  response_size_in_bytes: 60,
  response_duration_in_milliseconds: 1,
  response_headers: {},
  response_cache: 'miss',
});

/** Returns the visit with the response of a rule that slows down to one request per minute. */
const slowDown = (visit: Visit, waitMs: number): Visit => ({
  ...reject(visit, TOO_MANY_REQUESTS),
  response_headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
});

const getOutcome = ({ action }: PolicyMatch) => OUTCOMES[action.kind];

/**
 * Predicts the result that the visit is stored with. The bundled address lists are too old to refute a claim, but the
 * unpublished addresses have no host name, either.
 */
function guessResult(
  { client_address: address, request_headers: headers }: Visit,
  { verification }: Agent,
  isRefutable: boolean,
) {
  if (headers['signature'] !== undefined) return 'verification_failed';
  if (UNPUBLISHED_ADDRESS.test(address ?? ''))
    return isRefutable && verification.reverse_dns_suffixes !== undefined ? 'verification_failed' : 'not_verifiable';
  return verification.ip_ranges?.some((block) => block.includes('.')) ? 'verified' : 'not_verifiable';
}

/** Decisions of one kind within an hour. */
export interface DemoDecisionCount extends RecordedDecision {
  /** Start of the hour in ISO 8601 format. */
  hour: string;
  decisions: number;
}

/** Counts the decisions in demo visits by hour. */
export function countDecisions(visits: readonly Visit[]): DemoDecisionCount[] {
  const counts = new Map<string, DemoDecisionCount>();
  for (const { created, response_headers: headers } of visits) {
    const hour = `${created!.slice(0, 13)}:00:00Z`;
    for (const decision of parseDecisions(String(headers?.[DECISION_HEADER] ?? ''))) {
      const key = `${hour} ${formatDecisions([decision])}`;
      const count = counts.get(key);
      if (count === undefined) counts.set(key, { ...decision, hour, decisions: 1 });
      else count.decisions += 1;
    }
  }
  return [...counts.values()];
}

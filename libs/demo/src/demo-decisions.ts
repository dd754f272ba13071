import { AutomationJudge } from '#libs/agents';
import type { Agent } from '#libs/catalog';
import type { Visit } from '#libs/contracts';
import {
  DECISION_HEADER,
  formatDecisions,
  OUTCOMES,
  parseDecisions,
  Policy,
  type PolicyMatch,
  type RecordedDecision,
} from '#libs/policy';
import { demoPolicyVersions } from './demo-policy.js';

/** Networks that only impostors, people and agents without published addresses use. */
const UNPUBLISHED_ADDRESS = /^(?:(?:192\.0\.2|198\.51\.100|203\.0\.113)\.|2001:db8:(?:7|64):)/;
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

  /** @param end End of the story, in milliseconds since the epoch. */
  constructor(agents: readonly Agent[], end: number) {
    this.policies = demoPolicyVersions(end)
      .map(({ from, rules }) => ({ from, policy: new Policy(rules) }))
      .toReversed();
    this.agents = new Map(
      agents.flatMap((agent) =>
        (agent.sample_user_agents ?? [agent.token]).map((userAgent) => [userAgent, agent] as const),
      ),
    );
  }

  /** @param visits Visits of an hour, oldest first. */
  record(visits: readonly Visit[]): Visit[] {
    const used = new Set<string>();
    return visits.map((visit) => {
      const agent = this.agents.get(String(visit.request_headers['user-agent']));
      const at = Date.parse(visit.created!);
      const policy = this.policies.find(({ from }) => from <= at)?.policy;
      if (policy === undefined) return visit;
      const { live, dryRun } = policy.decide({
        visitor:
          agent === undefined
            ? { result: 'unknown_agent' }
            : {
                result: guessResult(visit, agent),
                agent_token: agent.token,
                agent_type_name: agent.type,
                operator_name: agent.operator ?? undefined,
              },
        isLikelyAutomated: agent === undefined && this.isLikelyAutomated(visit, at),
        clientAddress: visit.client_address ?? null,
        method: visit.request_method,
        host: String(visit.request_headers['host']),
        path: visit.request_path,
      });
      let decided = visit;
      const decisions = [live, dryRun].flatMap((match) => {
        if (match === null) return [];
        const { action, mode, id: ruleId } = match;
        const key = `${ruleId} ${agent?.token} ${Math.floor(at / MINUTE_MS)}`;
        const isWithinLimit = action.kind === 'slow_down' && !used.has(key);
        used.add(key);
        const isPaid = action.kind === 'charge' && visit.response_status_code !== PAYMENT_REQUIRED;
        const outcome = isWithinLimit || isPaid ? 'allowed' : getOutcome(match);
        if (mode === 'live' && outcome === 'slowed') decided = slowDown(visit, at);
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

/** Returns the visit with the response of a rule that slows down to a number of requests per minute. */
const slowDown = (visit: Visit, at: number): Visit => ({
  ...reject(visit, TOO_MANY_REQUESTS),
  response_headers: { 'retry-after': String(Math.ceil((MINUTE_MS - (at % MINUTE_MS)) / 1_000)) },
});

const getOutcome = ({ action }: PolicyMatch) => OUTCOMES[action.kind];

/** Only an invalid signature refutes a claim when a request arrives. Some addresses are refuted later. */
function guessResult({ client_address: address, request_headers: headers }: Visit, { verification }: Agent) {
  if (headers['signature'] !== undefined) return 'verification_failed';
  const hasRanges = verification.ip_ranges?.some((block) => block.includes('.')) ?? false;
  return hasRanges && !UNPUBLISHED_ADDRESS.test(address ?? '') ? 'verified' : 'not_verifiable';
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

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
import { DEMO_POLICY } from './demo-policy.js';

/** Networks that only impostors, people and agents without published addresses use. */
const UNPUBLISHED_ADDRESS = /^(?:192\.0\.2|198\.51\.100|203\.0\.113|198\.18\.\d+)\./;
const PAYMENT_REQUIRED = 402;

/** Adds the decisions of the shop's policy to visits, as a site does that asks the policy about each request. */
export class DemoDecisions {
  private readonly policy = new Policy(DEMO_POLICY);
  private readonly agents: ReadonlyMap<string, Agent>;

  constructor(agents: readonly Agent[]) {
    this.agents = new Map(
      agents.flatMap((agent) =>
        (agent.sample_user_agents ?? [agent.token]).map((userAgent) => [userAgent, agent] as const),
      ),
    );
  }

  /** @param visits Visits of an hour, oldest first. */
  record(visits: readonly Visit[]): Visit[] {
    const slowed = new Set<string>();
    return visits.map((visit) => {
      const agent = this.agents.get(String(visit.request_headers['user-agent']));
      if (agent === undefined) return visit;
      const { live, dryRun } = this.policy.decide({
        visitor: {
          result: guessResult(visit, agent),
          agent_token: agent.token,
          agent_type_name: agent.type,
          operator_name: agent.operator ?? undefined,
        },
        isLikelyAutomated: false,
        clientAddress: visit.client_address ?? null,
        method: visit.request_method,
        host: String(visit.request_headers['host']),
        path: visit.request_path,
      });
      const decisions = [live, dryRun].flatMap((match) => {
        if (match === null) return [];
        const { mode, id: ruleId } = match;
        const isWithinLimit = match.action.kind === 'slow_down' && !slowed.has(getMinute(visit, agent));
        if (match.action.kind === 'slow_down') slowed.add(getMinute(visit, agent));
        const isPaid = match.action.kind === 'charge' && visit.response_status_code !== PAYMENT_REQUIRED;
        return [{ ruleId, mode, outcome: isWithinLimit || isPaid ? ('allowed' as const) : getOutcome(match) }];
      });
      if (decisions.length === 0) return visit;
      const response_headers = { ...visit.response_headers, [DECISION_HEADER]: formatDecisions(decisions) };
      return { ...visit, response_headers };
    });
  }
}

const getOutcome = ({ action }: PolicyMatch) => OUTCOMES[action.kind];

/** Key of an agent's requests within a minute, the unit of the policy's limits. */
const getMinute = ({ created }: Visit, { token }: Agent): string => `${token} ${created!.slice(0, 16)}`;

function guessResult({ client_address: address, request_headers: headers }: Visit, { verification }: Agent) {
  const hasRanges = verification.ip_ranges?.some((block) => block.includes('.')) ?? false;
  const isImpostor = hasRanges && UNPUBLISHED_ADDRESS.test(address ?? '');
  if (isImpostor || headers['signature'] !== undefined) return 'verification_failed';
  return hasRanges ? 'verified' : 'not_verifiable';
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

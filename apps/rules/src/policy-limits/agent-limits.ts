import type { Agent, CompiledCatalog } from '#libs/catalog';
import type { PolicyException, PolicyRule } from '#libs/contracts';
import { Policy } from '#libs/policy';

/** Requests per minute that an agent can send, from all addresses together. 0 means no limit. */
export interface AgentLimit {
  agent: Agent;
  /** Limit for visitors from the agent's published address ranges. */
  verified: number;
  /** Limit for other visitors with the agent's User-Agent. */
  unverified: number;
}

interface AgentLimits {
  limits: readonly AgentLimit[];
  /** Names of live rules that static limits ignore, entirely or in part, because they depend on more than the agent. */
  ignoredRules: readonly string[];
}

/**
 * Returns the limits that live rules set for agents, in catalog order. Only rules and exceptions that depend on nothing
 * but the agent and its verification are considered. The first match wins.
 */
export function agentLimits(rules: readonly PolicyRule[], catalog: CompiledCatalog): AgentLimits {
  const live = rules.filter(({ mode }) => mode === 'live');
  const policy = new Policy(
    live
      .filter(dependsOnlyOnAgent)
      .map(({ exceptions = [], ...rule }) => ({ ...rule, exceptions: exceptions.filter(dependsOnlyOnAgent) })),
  );
  const limits = [...catalog.byId.values()].flatMap((agent): AgentLimit[] => {
    const evidence = catalog.getAddressEvidence(agent);
    const limit = {
      agent,
      verified: evidence === null ? 0 : findLimit(policy, agent, 'verified'),
      unverified: findLimit(policy, agent, evidence?.isComplete === true ? 'verification_failed' : 'not_verifiable'),
    };
    return limit.verified + limit.unverified === 0 ? [] : [limit];
  });
  // Static limits can't refuse, redirect or charge anyway.
  const isIgnored = ({ visitors, requests, action }: PolicyRule | PolicyException): boolean =>
    (action.kind === 'slow_down' || action.kind === 'allow') &&
    (!dependsOnlyOnAgent({ requests }) || visitors?.likely_automated === true || visitors?.networks !== undefined);
  return {
    limits,
    ignoredRules: live.filter((rule) => [rule, ...(rule.exceptions ?? [])].some(isIgnored)).map(({ name }) => name),
  };
}

/** Returns the limits in ascending order, without 0. */
export const distinctLimits = (limits: readonly number[]): number[] =>
  [...new Set(limits)].filter((limit) => limit > 0).toSorted((one, other) => one - other);

const dependsOnlyOnAgent = ({ requests }: Pick<PolicyRule, 'requests'>): boolean =>
  requests === undefined || Object.keys(requests).length === 0;

function findLimit(
  policy: Policy,
  agent: Agent,
  result: 'verified' | 'verification_failed' | 'not_verifiable',
): number {
  const { live } = policy.decide({
    visitor: {
      result,
      agent_token: agent.token,
      agent_type_name: agent.type,
      operator_name: agent.operator ?? undefined,
    },
    isLikelyAutomated: false,
    clientAddress: null,
    method: 'GET',
    host: null,
    path: '/',
  });
  return live?.action.kind === 'slow_down' ? live.action.requests_per_minute : 0;
}

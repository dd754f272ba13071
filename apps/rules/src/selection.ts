import { findAgentType } from '#libs/contracts';
import type { Agent, CompiledCatalog } from '#libs/catalog';

/** Agent filter. A null field is equivalent to a missing one. */
export interface SelectionRequest {
  agent_types: readonly string[];
  agent_behaviors?: readonly string[];
  agent_tokens?: readonly string[];
  excluded_agent_tokens?: readonly string[] | null;
  excluded_operator_names?: readonly string[] | null;
}

/**
 * Returns the agents that have one of the requested types, behaviors or tokens, in catalog order. Tokens and exclusions
 * match an agent's token, robots.txt token or operator, ignoring case.
 */
export function selectAgents(catalog: CompiledCatalog, request: SelectionRequest): Agent[] {
  const types = new Set<string | null>(request.agent_types.map(findAgentType));
  const behaviors = new Set<string>(request.agent_behaviors);
  const tokens = toLowerCaseSet(request.agent_tokens);
  const excludedTokens = toLowerCaseSet(request.excluded_agent_tokens);
  const operators = toLowerCaseSet(request.excluded_operator_names);
  const isNamed = ({ token, robots_token }: Agent, names: ReadonlySet<string>): boolean =>
    names.has(token.toLowerCase()) || (robots_token !== null && names.has(robots_token.toLowerCase()));
  const isSelected = (agent: Agent): boolean =>
    types.has(agent.type) || agent.behaviors?.some((behavior) => behaviors.has(behavior)) || isNamed(agent, tokens);
  const isExcluded = (agent: Agent): boolean =>
    isNamed(agent, excludedTokens) || (agent.operator !== null && operators.has(agent.operator.toLowerCase()));
  return [...catalog.byId.values()].filter((agent) => isSelected(agent) && !isExcluded(agent));
}

const toLowerCaseSet = (names: readonly string[] | null | undefined): Set<string> =>
  new Set(names?.map((name) => name.toLowerCase()));

/** Sorts texts and removes duplicates, ignoring case. The result doesn't depend on the input order. */
export function sortUnique(texts: readonly string[]): string[] {
  const byLowerCase = new Map<string, string>();
  for (const text of texts.toSorted()) {
    const key = text.toLowerCase();
    if (!byLowerCase.has(key)) byLowerCase.set(key, text);
  }
  return [...byLowerCase].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
}

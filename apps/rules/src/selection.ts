import { findAgentType } from '#libs/contracts';
import type { Agent, CompiledCatalog } from '#libs/catalog';

/** Agent filter. A null field is equivalent to a missing one. */
export interface SelectionRequest {
  agent_types: readonly string[];
  agent_behaviors?: readonly string[];
  excluded_agent_tokens?: readonly string[] | null;
  excluded_operator_names?: readonly string[] | null;
}

/**
 * Returns the agents that have one of the requested types or behaviors, in catalog order. Exclusions match an agent's
 * token, robots.txt token or operator, ignoring case.
 */
export function selectAgents(catalog: CompiledCatalog, request: SelectionRequest): Agent[] {
  const types = new Set<string | null>(request.agent_types.map(findAgentType));
  const behaviors = new Set<string>(request.agent_behaviors);
  const tokens = toLowerCaseSet(request.excluded_agent_tokens);
  const operators = toLowerCaseSet(request.excluded_operator_names);
  const isSelected = ({ type, behaviors: agentBehaviors = [] }: Agent): boolean =>
    types.has(type) || agentBehaviors.some((behavior) => behaviors.has(behavior));
  const isExcluded = ({ token, robots_token, operator }: Agent): boolean =>
    tokens.has(token.toLowerCase()) ||
    (robots_token !== null && tokens.has(robots_token.toLowerCase())) ||
    (operator !== null && operators.has(operator.toLowerCase()));
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

import { agentTypeNamed } from '#libs/contracts';
import type { Agent, CompiledCatalog } from '#libs/catalog';

/** Filter for agents. Null means the same as a missing field. */
export interface SelectionRequest {
  agent_types: readonly string[];
  agent_behaviors?: readonly string[];
  excluded_agent_tokens?: readonly string[] | null;
  excluded_operator_names?: readonly string[] | null;
}

/**
 * Returns agents with one of the types or behaviors, in catalog order. Excludes agents by token, robots.txt token or
 * operator, ignoring case.
 */
export function selectAgents(catalog: CompiledCatalog, request: SelectionRequest): Agent[] {
  const types = new Set<string | null>(request.agent_types.map(agentTypeNamed));
  const behaviors = new Set<string>(request.agent_behaviors);
  const tokens = lowerCased(request.excluded_agent_tokens);
  const operators = lowerCased(request.excluded_operator_names);
  const isSelected = ({ type, behaviors: own = [] }: Agent): boolean =>
    types.has(type) || own.some((behavior) => behaviors.has(behavior));
  const isExcluded = ({ token, robots_token, operator }: Agent): boolean =>
    tokens.has(token.toLowerCase()) ||
    (robots_token !== null && tokens.has(robots_token.toLowerCase())) ||
    (operator !== null && operators.has(operator.toLowerCase()));
  return [...catalog.byId.values()].filter((agent) => isSelected(agent) && !isExcluded(agent));
}

const lowerCased = (names: readonly string[] | null | undefined): Set<string> =>
  new Set(names?.map((name) => name.toLowerCase()));

/** Removes duplicates, ignoring case, and sorts. The result doesn't depend on the order of the input. */
export function sortedOnce(texts: readonly string[]): string[] {
  const byLowerCase = new Map<string, string>();
  for (const text of texts.toSorted()) {
    const key = text.toLowerCase();
    if (!byLowerCase.has(key)) byLowerCase.set(key, text);
  }
  return [...byLowerCase].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
}

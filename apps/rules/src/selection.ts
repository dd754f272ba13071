import { agentTypeNamed } from '#libs/contracts';
import type { Agent, CompiledCatalog } from '#libs/catalog';

/** Which agents a request is about; null is the same as absent. */
export interface SelectionRequest {
  agent_types: readonly string[];
  agent_behaviors?: readonly string[];
  excluded_agent_tokens?: readonly string[] | null;
  excluded_operator_names?: readonly string[] | null;
}

/**
 * Returns the agents of the types, or with one of the behaviors, that are not excluded, by their token or their robots.txt token, or by their operator, all
 * ignoring case. In catalog order.
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

/** Each of the texts once, ignoring case, in an order that depends on them alone. */
export function sortedOnce(texts: readonly string[]): string[] {
  const byLowerCase = new Map<string, string>();
  for (const text of texts.toSorted()) {
    const key = text.toLowerCase();
    if (!byLowerCase.has(key)) byLowerCase.set(key, text);
  }
  return [...byLowerCase].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
}

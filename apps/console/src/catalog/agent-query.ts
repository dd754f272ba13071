import type { AgentQuery } from '#libs/catalog';
import { AGENT_TYPES } from '#libs/contracts';
import { memberOf, ParameterReader, type Parameters } from '../parameters.js';

export type { Parameters } from '../parameters.js';

/** Reads the parameters of the list of agents. @throws ProblemError 422 that names those that don't fit. */
export function agentQuery(parameters: Parameters): AgentQuery {
  const reader = new ParameterReader(parameters);
  const search = reader.values('search')?.at(-1);
  const types = reader.members('type', AGENT_TYPES);
  const operators = reader.values('operator');
  const origin = reader.one('origin', 'must be bundled or own', memberOf(['bundled', 'own']));
  const cursor = reader.values('cursor')?.at(-1);
  const limit = reader.limit();
  reader.finish();
  return {
    limit,
    ...(search !== undefined && { search }),
    ...(types !== null && { types }),
    ...(operators !== null && { operators }),
    ...(origin !== null && { origin }),
    ...(cursor !== undefined && { cursor }),
  };
}

/** @throws ProblemError 422 */
export function exportedOrigin(parameters: Parameters): 'own' | 'all' {
  const reader = new ParameterReader(parameters);
  const origin = reader.one('origin', 'must be own or all', memberOf(['own', 'all']));
  reader.finish();
  return origin ?? 'own';
}

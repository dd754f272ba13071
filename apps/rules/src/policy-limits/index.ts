import type { CompiledCatalog } from '#libs/catalog';
import type { LimitServer, PolicyLimits, PolicyRule } from '#libs/contracts';
import { agentLimits } from './agent-limits.js';
import { haproxyLimits } from './haproxy.js';
import { limitParts } from './limit-parts.js';
import { nginxLimits } from './nginx.js';

/**
 * Renders the limits of rules that slow agents down, for servers that apply them without a request to the instance. The
 * files only change when the rules, the agents or their address ranges change.
 */
export function policyLimits(
  rules: readonly PolicyRule[],
  server: LimitServer,
  catalog: CompiledCatalog,
): PolicyLimits {
  const { limits, ignoredRules } = agentLimits(rules, catalog);
  const parts = limitParts(limits, catalog);
  const files = server === 'nginx' ? nginxLimits(limits, parts) : haproxyLimits(parts);
  return { agents: limits.length, files, ignored_rules: [...ignoredRules] };
}

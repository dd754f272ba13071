import type { CompiledCatalog } from '#libs/catalog';
import type { LimitFile, LimitServer, PolicyLimits, PolicyRule } from '#libs/contracts';
import { agentLimits, type AgentLimit } from './agent-limits.js';
import { caddyLimits } from './caddy.js';
import { haproxyLimits } from './haproxy.js';
import { limitParts, type LimitParts } from './limit-parts.js';
import { nginxLimits } from './nginx.js';

const RENDERERS: Record<LimitServer, (limits: readonly AgentLimit[], parts: LimitParts) => LimitFile[]> = {
  nginx: nginxLimits,
  haproxy: (_, parts) => haproxyLimits(parts),
  caddy: caddyLimits,
};

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
  return { agents: limits.length, files: RENDERERS[server](limits, parts), ignored_rules: [...ignoredRules] };
}

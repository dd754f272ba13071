import type { ComplianceAgent } from '../../api/compliance.js';
import type { PolicyRule } from '../../api/policy.js';
import { typesOf } from '../../rules/agent-response.js';
import { readControl, type SitePolicy } from '../../rules/controls.js';

/** Maximum number of agents per proof. */
export const MAX_PROOF_AGENTS = 10;
/** Maximum number of agents that are named in a rule and tested. */
const MAX_NAMED = 3;

/** Well-known agents, for types without visits. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'AI Data Scraper': 'GPTBot',
  'AI Search Crawler': 'OAI-SearchBot',
  'AI Assistant': 'ChatGPT-User',
  'Search Engine Crawler': 'Googlebot',
  'SEO Crawler': 'AhrefsBot',
};
/** Agents that sites usually want to let through. */
const WELCOME = ['Googlebot', 'bingbot', 'DuckDuckBot'];

const isRestrictive = ({ mode, action }: PolicyRule): boolean => mode === 'live' && action.kind !== 'allow';

/** Returns tokens of agents that the rules name, or the most frequent one of each type that they apply to. */
export function listAgents(rules: readonly PolicyRule[], agents: readonly ComplianceAgent[]): string[] {
  const tokens = rules.flatMap(({ visitors = {} }) => [
    ...(visitors.agent_tokens ?? []).slice(0, MAX_NAMED),
    ...typesOf({ visitors }).flatMap((type) => {
      const [visiting] = agents
        .filter((agent) => agent.agent_type_name === type && agent.agent_token !== null)
        .toSorted((one, other) => other.allowed + other.disallowed - one.allowed - one.disallowed);
      return visiting?.agent_token ?? EXAMPLES[type] ?? [];
    }),
  ]);
  return [...new Set(tokens)].slice(0, MAX_PROOF_AGENTS - 1);
}

/** Returns the restrictive live rules that were added or changed. */
export const findNewRules = (before: readonly PolicyRule[], after: readonly PolicyRule[]): PolicyRule[] =>
  after.filter(
    (rule) => isRestrictive(rule) && !before.some((other) => JSON.stringify(other) === JSON.stringify(rule)),
  );

interface ProofTarget {
  agents: string[];
  /** Path on the site. */
  path: string;
}

/**
 * Chooses what to prove: agents that live rules restrict, and one that must still get through.
 *
 * @param asked Agents that come first. They're followed by the agents that live rules restrict on all pages. If there
 * are none of either, agents that a rule restricts on some pages are chosen.
 */
export function chooseTarget(
  { rules, selection }: SitePolicy,
  agents: readonly ComplianceAgent[],
  asked: readonly string[] = [],
): ProofTarget {
  const restrictive = rules.filter(isRestrictive);
  const everywhere = listAgents(
    restrictive.filter(({ requests }) => requests === undefined),
    agents,
  );
  const partial = restrictive.find(({ requests }) => requests?.paths !== undefined);
  const isPartial = asked.length === 0 && everywhere.length === 0 && partial !== undefined;
  const restricted = isPartial ? listAgents([partial], agents) : [...new Set([...asked, ...everywhere])];
  const isAllowed = readControl({ rules, selection }, 'Search Engine Crawler').kind === 'allow';
  const taken = new Set(restricted);
  const other =
    (isAllowed ? WELCOME.find((token) => !taken.has(token)) : undefined) ??
    agents.find(({ agent_token: token }) => token !== null && !taken.has(token))?.agent_token ??
    'Googlebot';
  return {
    agents: [...new Set([...(restricted.length > 0 ? restricted : ['GPTBot']).slice(0, MAX_PROOF_AGENTS - 1), other])],
    path: isPartial ? toExamplePath(partial.requests!.paths![0]!) : '/',
  };
}

/** Returns a path that a pattern matches. */
function toExamplePath(pattern: string): string {
  const path = pattern.replaceAll('*', 'example').replace(/\$$/, '');
  return path.startsWith('/') ? path : `/${path}`;
}

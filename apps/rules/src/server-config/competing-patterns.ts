import { analyzePattern, parsePattern, getFixedRank, type PatternNode } from '#libs/agents';
import type { Agent, CompiledCatalog } from '#libs/catalog';

export interface RankedPattern {
  agent: Agent;
  source: string;
  /**
   * Parsed pattern, or null if its syntax is no longer supported. Earlier releases accepted some patterns that aren't
   * supported now.
   */
  tree: PatternNode | null;
  /** Text that the pattern matches in its sample User-Agent. Empty if the pattern has no sample. */
  matchedText: string;
  /**
   * Precedence if several patterns match. The highest rank wins. Longer patterns rank higher, as in `AgentMatcher`. If
   * lengths are equal, a pattern ranks higher if its sample also matches the other agent.
   */
  rank: number;
  /** Other agents that also match the pattern's sample. */
  rivals: ReadonlySet<Agent>;
}

const ranked = new WeakMap<CompiledCatalog, readonly RankedPattern[]>();

/** Returns all patterns in a catalog, in catalog order. The first call for a catalog is slow. */
export function rankedPatterns(catalog: CompiledCatalog): readonly RankedPattern[] {
  let patterns = ranked.get(catalog);
  if (patterns === undefined) {
    patterns = rankAll(catalog);
    ranked.set(catalog, patterns);
  }
  return patterns;
}

function rankAll(catalog: CompiledCatalog): RankedPattern[] {
  const agents = [...catalog.byId.values()];
  const patterns = agents.flatMap((agent) =>
    agent.user_agent_patterns.map((source, index) => {
      const tree = parsePattern(source);
      const sample = agent.sample_user_agents?.[index] ?? '';
      // Include agents that are only mentioned in a sentence. The expressions in server configurations match these,
      // too.
      const named = catalog.matcher.findAll(sample, { inProse: true }) as Agent[];
      const matchedText = new RegExp(source, 'i').exec(sample)?.[0] ?? '';
      const length =
        getFixedRank(agent, source) ?? (tree === null ? matchedText.length : analyzePattern(tree).shortest);
      return { agent, source, tree, matchedText, length, rivals: new Set(named.filter((other) => other !== agent)) };
    }),
  );
  const lengths = new Map<Agent, Set<number>>(agents.map((agent) => [agent, new Set()]));
  for (const { agent, length } of patterns) lengths.get(agent)!.add(length);
  return patterns.map(({ length, ...pattern }) => {
    const hasEqualRival = [...pattern.rivals].some((rival) => lengths.get(rival)!.has(length));
    return { ...pattern, rank: 2 * length + (hasEqualRival ? 1 : 0) };
  });
}

import { needsOf, parsePattern, rankOf, type PatternNode } from '#libs/agents';
import type { Agent, CompiledCatalog } from '#libs/catalog';

export interface RankedPattern {
  agent: Agent;
  source: string;
  /** `null` if an earlier release accepted the pattern, but it's no longer supported. */
  tree: PatternNode | null;
  /** Part of its sample that the pattern matches. Empty without a sample. */
  matchedText: string;
  /**
   * If several patterns match, the highest rank decides. It depends on the pattern's length, as in `AgentMatcher`. If
   * lengths are equal, a pattern that wins over the other one in its own sample ranks higher.
   */
  rank: number;
  /** Other agents that the pattern's sample also names. */
  rivals: ReadonlySet<Agent>;
}

const ranked = new WeakMap<CompiledCatalog, readonly RankedPattern[]>();

/** Returns all patterns of a catalog, in catalog order. Slow on the first call per catalog. */
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
      // Servers' expressions also match agents that are only mentioned in a sentence.
      const named = catalog.matcher.findAll(sample, { inProse: true }) as Agent[];
      const matchedText = new RegExp(source, 'i').exec(sample)?.[0] ?? '';
      const length = rankOf(agent, source) ?? (tree === null ? matchedText.length : needsOf(tree).shortest);
      return { agent, source, tree, matchedText, length, rivals: new Set(named.filter((other) => other !== agent)) };
    }),
  );
  const lengths = new Map<Agent, Set<number>>(agents.map((agent) => [agent, new Set()]));
  for (const { agent, length } of patterns) lengths.get(agent)!.add(length);
  return patterns.map(({ length, ...pattern }) => {
    const isAhead = [...pattern.rivals].some((rival) => lengths.get(rival)!.has(length));
    return { ...pattern, rank: 2 * length + (isAhead ? 1 : 0) };
  });
}

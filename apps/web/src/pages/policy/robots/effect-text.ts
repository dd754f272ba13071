import type { RulesTrial } from '../../../api/rules-queries.js';
import { formatCount } from '../../../format/count.js';

type Counts = Pick<RulesTrial, 'visits' | 'agents' | 'named_visits' | 'disregarding_agents' | 'user_triggered_agents'>;

/**
 * Returns the text before and after the visit count, as in "In the last 30 days, these rules would have disallowed 12
 * visits by 3 agents; …".
 */
export function effectText(counts: Counts): { before: string; after: string } {
  const { agents, named_visits: named, disregarding_agents: disregarding, user_triggered_agents: triggered } = counts;
  const before = 'In the last 30 days, these rules would have disallowed ';
  if (agents === 0) {
    const why = named === 0 ? 'none of the agents they name visited' : 'none of these agents’ visits match';
    return { before, after: `: ${why}.` };
  }
  const isOne = agents === 1;
  const clauses = [
    `by ${formatCount(agents)} ${isOne ? 'agent' : 'agents'}`,
    disregarding === null
      ? `it isn’t known yet whether ${isOne ? 'it obeys' : 'they obey'} robots.txt`
      : disregarding > 0
        ? `${isOne ? 'it' : `${formatCount(disregarding)} of them`} ${disregarding === 1 ? 'ignores' : 'ignore'} robots.txt`
        : // If the only agent fetches on behalf of people, the next clause covers it.
          isOne && triggered > 0
          ? null
          : `${isOne ? 'it' : 'none of the crawlers'} has ${isOne ? 'not ' : ''}ignored robots.txt`,
    triggered === 0
      ? null
      : `${isOne ? 'it' : formatCount(triggered)} ${triggered === 1 ? 'fetches' : 'fetch'} on behalf of people, and operators say that robots.txt doesn’t apply to such agents`,
  ];
  return { before, after: ` ${clauses.filter((clause) => clause !== null).join('; ')}.` };
}

/** Returns the literal prefix shared by all paths that a robots.txt rule matches. */
export function literalPrefix(disallow: string): string {
  const prefix = disallow.split(/[*$]/, 1)[0]!;
  return prefix.startsWith('/') ? prefix : `/${prefix}`;
}

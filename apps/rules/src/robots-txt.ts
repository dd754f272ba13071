import type { Agent } from '#libs/catalog';
import type { RobotsTxtFormat, UsageSignals } from '#libs/contracts';
import { rulePath } from '#libs/robots';
import { sortedOnce } from './selection.js';
import { licenseLine, usageLines } from './usage-signals.js';

/**
 * Lines for robots.txt (RFC 9309) with which the agents are told not to fetch a path. Agents without a token of their
 * own for it are left out; those that share one are told once.
 *
 * How content may be used is stated for everybody, and again for the agents: an agent with a group of its own does not read
 * the one for everybody (RFC 9309 section 2.2.1). Agents that may fetch nothing are not told: they have nothing to use.
 *
 * @param disallow a path, or `''` for none, which allows everything.
 * @returns LF line ends, one of them at the end; empty for no agents and no signals.
 */
export function robotsTxt(
  agents: readonly Agent[],
  disallow: string,
  format: RobotsTxtFormat,
  signals: UsageSignals = {},
): string {
  const tokens = sortedOnce(agents.flatMap(({ robots_token: token }) => token ?? []));
  const usage = usageLines(signals);
  const path = rulePath(disallow);
  const userAgents = tokens.map((token) => `User-agent: ${token}\n`);
  const rules = (isEverything(path) ? '' : usage) + `Disallow: ${path}`.trimEnd() + '\n';
  return [
    licenseLine(signals),
    // A rule ends the group; without one, the user agents of the next group would be in it, too.
    usage && `User-agent: *\n${usage}Disallow:\n`,
    ...(format === 'grouped' ? [userAgents.join('')] : userAgents).map((lines) => lines && lines + rules),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const isEverything = (path: string): boolean => /^\/\**$/.test(path);

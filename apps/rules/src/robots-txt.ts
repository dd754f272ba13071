import type { Agent } from '#libs/catalog';
import type { RobotsTxtFormat, UsageSignals } from '#libs/contracts';
import { rulePath } from '#libs/robots';
import { sortedOnce } from './selection.js';
import { licenseLine, usageLines } from './usage-signals.js';

/**
 * Returns robots.txt lines (RFC 9309) that disallow a path for agents. Leaves out agents without a robots.txt token,
 * and lists shared tokens once.
 *
 * Usage signals come in a group for everyone, and again in the agents' groups: an agent with its own group ignores the
 * one for everyone (section 2.2.1). Agents that aren't allowed to fetch anything don't get them.
 *
 * @param disallow Path. `''` allows everything.
 * @returns Text with LF line endings, including a final one. Empty without agents and signals.
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
    // Without a rule, the group would include the user agents of the next one.
    usage && `User-agent: *\n${usage}Disallow:\n`,
    ...(format === 'grouped' ? [userAgents.join('')] : userAgents).map((lines) => lines && lines + rules),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const isEverything = (path: string): boolean => /^\/\**$/.test(path);

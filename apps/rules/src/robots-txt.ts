import type { Agent } from '#libs/catalog';
import type { RobotsTxtFormat, UsageSignals } from '#libs/contracts';
import { toRulePath } from '#libs/robots';
import { sortUnique } from './selection.js';
import { licenseLine, usageLines } from './usage-signals.js';

/**
 * Returns robots.txt lines (RFC 9309) that disallow a path for agents. Omits agents without a robots.txt token and
 * lists shared tokens once.
 *
 * Usage signals are in the group for everyone and repeated in the agents' groups, because an agent with its own group
 * ignores the one for everyone (section 2.2.1). They are left out for agents that aren't allowed to fetch anything.
 *
 * @param disallow Path to disallow. An empty path allows everything.
 * @returns Text with LF line endings, including a final one. Empty if there are neither tokens nor signals.
 */
export function robotsTxt(
  agents: readonly Agent[],
  disallow: string,
  format: RobotsTxtFormat,
  signals: UsageSignals = {},
): string {
  const tokens = sortUnique(agents.flatMap(({ robots_token: token }) => token ?? []));
  const usage = usageLines(signals);
  const path = toRulePath(disallow);
  const userAgents = tokens.map((token) => `User-agent: ${token}\n`);
  const rules = (disallowsEverything(path) ? '' : usage) + `Disallow: ${path}`.trimEnd() + '\n';
  return [
    licenseLine(signals),
    // An empty Disallow rule allows everything. It's needed because parsers merge a group that has no rules with the
    // next group.
    usage && `User-agent: *\n${usage}Disallow:\n`,
    ...(format === 'grouped' ? [userAgents.join('')] : userAgents).map((lines) => lines && lines + rules),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const disallowsEverything = (path: string): boolean => /^\/\**$/.test(path);

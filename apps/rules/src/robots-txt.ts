import type { Agent } from '#libs/catalog';
import type { RobotsTxtFormat } from '#libs/contracts';
import { sortedOnce } from './selection.js';

/**
 * Lines for robots.txt (RFC 9309) with which the agents are told not to fetch a path. Agents without a token of their
 * own for it are left out; those that share one are told once.
 *
 * @param disallow a path, or `''` for none, which allows everything.
 * @returns LF line ends, one of them at the end; empty for no agents.
 */
export function robotsTxt(agents: readonly Agent[], disallow: string, format: RobotsTxtFormat): string {
  const tokens = sortedOnce(agents.flatMap(({ robots_token: token }) => token ?? []));
  if (tokens.length === 0) return '';
  const userAgents = tokens.map((token) => `User-agent: ${token}\n`);
  const rule = `Disallow: ${pathPattern(disallow)}`.trimEnd() + '\n';
  if (format === 'grouped') return userAgents.join('') + rule;
  return userAgents.map((line) => line + rule).join('\n');
}

/**
 * A path as RFC 9309 section 2.2.2 wants it: it starts with a slash, and holds neither spaces nor `#`, which would
 * begin a comment. Every path starts with a slash, so `/*` means the same as a leading `*`.
 */
function pathPattern(disallow: string): string {
  const path = disallow.trim().replaceAll('#', '%23').replaceAll(/\s/g, encodeURIComponent);
  return path === '' || path.startsWith('/') ? path : `/${path}`;
}

import type { Agent } from '#libs/catalog';
import { ANYBODY } from '#libs/robots';
import { trouble } from './robots-trouble.js';

/** Whom rules are looked up for. */
export interface RobotsAgent {
  /** Its name in robots.txt; `*` for anybody, and for an agent that has none. */
  token: string;
  /** How a User-Agent was understood, in words; `null` where a token was given. */
  takenFor: string | null;
}

/** The product that a User-Agent begins with, if robots.txt can name it. Some products have spaces in their names. */
const FIRST_PRODUCT = /^([A-Za-z_ -]+)(?:\/|$)/;

/**
 * Finds out whom a User-Agent, or a part of it, stands for in robots.txt, by the catalog of this release.
 *
 * @param text a token as it is in robots.txt or in the catalog, a whole User-Agent, or `*`.
 * @throws CliError with exit code 2 when a User-Agent is nobody's that is known, and begins as browsers' do.
 */
export async function robotsAgent(text: string): Promise<RobotsAgent> {
  const name = text.trim();
  if (name === ANYBODY) return { token: ANYBODY, takenFor: null };
  if (name === '') throw trouble('--user-agent is empty.', "Use a robots.txt token, a whole User-Agent, or '*'.");
  if (/^[A-Za-z_-]+$/.test(name)) return { token: name, takenFor: null };
  // Only here: what it stands on takes longer to load than a file to read.
  const { bundledCatalog, compileCatalog } = await import('#libs/catalog');
  const catalog = compileCatalog(bundledCatalog());
  const isSame = (other: string | null): boolean => other?.toLowerCase() === name.toLowerCase();
  // Agents' own names may have spaces and slashes, too.
  if ([...catalog.byId.values()].some((agent) => isSame(agent.robots_token))) return { token: name, takenFor: null };
  const named = catalog.byToken.get(name.toLowerCase());
  if (named !== undefined) return known(named);
  if (!/[/ ()]/.test(name)) return { token: name, takenFor: null };
  const match = catalog.matcher.match(name);
  if (match !== null) return known(catalog.byId.get(match.agent.id)!);
  const [, product] = FIRST_PRODUCT.exec(name) ?? [];
  if (product === name) return { token: name, takenFor: null };
  if (product === undefined || product === 'Mozilla') {
    throw trouble(
      `No agent that this release knows sends the User-Agent "${name}".`,
      "Use the agent's robots.txt token, such as GPTBot, or '*' for any.",
    );
  }
  return { token: product, takenFor: `${product}, which it begins with; this release knows no agent that sends it` };
}

function known({ token, robots_token: robotsToken }: Agent): RobotsAgent {
  if (robotsToken === null) return { token: ANYBODY, takenFor: `${token}, which has no name of its own in robots.txt` };
  const isSame = robotsToken.toLowerCase() === token.toLowerCase();
  return { token: robotsToken, takenFor: isSame ? token : `${token}, which is ${robotsToken} in robots.txt` };
}

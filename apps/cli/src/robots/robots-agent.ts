import type { Agent } from '#libs/catalog';
import { ANYBODY } from '#libs/robots';
import { trouble } from './robots-trouble.js';

export interface RobotsAgent {
  /** robots.txt token, or `*` for any agent and for agents without a token. */
  token: string;
  /** Describes how a User-Agent was interpreted. Null for a token. */
  takenFor: string | null;
}

/** First product of a User-Agent, if it can be a robots.txt token. Some product names contain spaces. */
const FIRST_PRODUCT = /^([A-Za-z_ -]+)(?:\/|$)/;

/**
 * Finds the agent that a token or User-Agent stands for in robots.txt, using the catalog of this release.
 *
 * @param text Token from robots.txt or the catalog, an entire User-Agent, or `*`.
 * @throws CliError with exit code 2 if the text is empty, or a User-Agent matches no agent and starts like a browser's.
 */
export async function robotsAgent(text: string): Promise<RobotsAgent> {
  const name = text.trim();
  if (name === ANYBODY) return { token: ANYBODY, takenFor: null };
  if (name === '') throw trouble('--user-agent is empty.', "Use a robots.txt token, a whole User-Agent, or '*'.");
  if (/^[A-Za-z_-]+$/.test(name)) return { token: name, takenFor: null };
  // Loaded on demand, because it's slow to load.
  const { bundledCatalog, compileCatalog } = await import('#libs/catalog');
  const catalog = compileCatalog(bundledCatalog());
  const isSame = (other: string | null): boolean => other?.toLowerCase() === name.toLowerCase();
  // robots.txt tokens can contain spaces and slashes, too.
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

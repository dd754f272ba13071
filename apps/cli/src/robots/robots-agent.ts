import type { Agent } from '#libs/catalog';
import { ANY_AGENT } from '#libs/robots';
import { robotsError } from './robots-error.js';

export interface RobotsAgent {
  /** robots.txt token, or `*` if the agent doesn't have one. */
  token: string;
  /** Agent that a User-Agent was interpreted as, or null if the input was a token. */
  takenFor: string | null;
}

/** Matches the first product name in a User-Agent, if it can be a robots.txt token. Some names contain spaces. */
const FIRST_PRODUCT = /^([A-Za-z_ -]+)(?:\/|$)/;

/**
 * Finds the robots.txt token for an agent in this release's bundled catalog.
 *
 * @param text Token from robots.txt or the catalog, a full User-Agent, or `*`.
 * @throws {CliError} with exit code 2 if the text is empty, or if it's a User-Agent that matches no agent and has no
 * product name other than `Mozilla`.
 */
export async function resolveRobotsAgent(text: string): Promise<RobotsAgent> {
  const name = text.trim();
  if (name === ANY_AGENT) return { token: ANY_AGENT, takenFor: null };
  if (name === '') throw robotsError('--user-agent is empty.', "Use a robots.txt token, a full User-Agent, or '*'.");
  if (/^[A-Za-z_-]+$/.test(name)) return { token: name, takenFor: null };
  // Imported lazily because it loads slowly.
  const { getBundledCatalog: bundledCatalog, compileCatalog } = await import('#libs/catalog');
  const catalog = compileCatalog(bundledCatalog());
  const isSame = (other: string | null): boolean => other?.toLowerCase() === name.toLowerCase();
  // Even text with spaces or slashes counts as a robots.txt token if an agent in the catalog has it.
  if ([...catalog.byId.values()].some((agent) => isSame(agent.robots_token))) return { token: name, takenFor: null };
  const named = catalog.byToken.get(name.toLowerCase());
  if (named !== undefined) return toRobotsAgent(named);
  if (!/[/ ()]/.test(name)) return { token: name, takenFor: null };
  const match = catalog.matcher.match(name);
  if (match !== null) return toRobotsAgent(catalog.byId.get(match.agent.id)!);
  const [, product] = FIRST_PRODUCT.exec(name) ?? [];
  if (product === name) return { token: name, takenFor: null };
  if (product === undefined || product === 'Mozilla') {
    throw robotsError(
      `No bundled agent sends the User-Agent "${name}".`,
      "Use the agent's robots.txt token, such as GPTBot, or '*' for any.",
    );
  }
  return { token: product, takenFor: `${product}, its first product token, because it matches no bundled agent` };
}

function toRobotsAgent({ token, robots_token: robotsToken }: Agent): RobotsAgent {
  if (robotsToken === null) return { token: ANY_AGENT, takenFor: `${token}, which has no robots.txt token` };
  const isSame = robotsToken.toLowerCase() === token.toLowerCase();
  return { token: robotsToken, takenFor: isSame ? token : `${token}, whose robots.txt token is ${robotsToken}` };
}

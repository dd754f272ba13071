import { ANY_AGENT } from '#libs/robots';
import { queryOptions } from '@tanstack/react-query';
import { agentQuery, explanationQuery } from '../../../api/catalog-queries.js';

interface RobotsName {
  token: string;
  /** Explains how a User-Agent was interpreted, or null for tokens. */
  note: string | null;
}

/** Matches the product token at the start of a User-Agent (RFC 9110 section 10.1.5) if it's a valid robots.txt token. */
const FIRST_PRODUCT = /^([A-Za-z_-]+)(?:\/|$)/;

/**
 * Resolves an agent's robots.txt token.
 *
 * @param text A token, `*`, or a full User-Agent, which is looked up in the catalog
 */
export const robotsNameQuery = (text: string) =>
  queryOptions({
    queryKey: ['robots-name', text],
    staleTime: 60_000,
    queryFn: async ({ client: queryClient }): Promise<RobotsName> => {
      if (text === ANY_AGENT || /^[A-Za-z_-]+$/.test(text)) return { token: text, note: null };
      const { identification } = await queryClient.fetchQuery(explanationQuery(text));
      const claimedToken = identification.evidence.user_agent_token;
      if (typeof claimedToken !== 'string') return resolveUnknown(text);
      const { token, robots_token: name } = await queryClient.fetchQuery(agentQuery(claimedToken));
      if (name === null)
        return { token: ANY_AGENT, note: `This is ${token}, which has no robots.txt token of its own.` };
      return {
        token: name,
        note: name === token ? `This is ${token}.` : `This is ${token}. Its robots.txt token is ${name}.`,
      };
    },
  });

function resolveUnknown(text: string): RobotsName {
  // Accept characters that RFC 9309 doesn't allow in tokens, because some agents use them.
  if (!/[/()]/.test(text)) return { token: text, note: null };
  const [, product] = FIRST_PRODUCT.exec(text) ?? [];
  if (product === undefined || product === 'Mozilla') {
    return { token: ANY_AGENT, note: 'No agent in the catalog sends this User-Agent, so the rules for * apply.' };
  }
  return { token: product, note: `No agent in the catalog sends this User-Agent. Its first product is ${product}.` };
}

import { ANYBODY } from '#libs/robots';
import { queryOptions } from '@tanstack/react-query';
import { agentQuery, explanationQuery } from '../../api/catalog-queries.js';

interface RobotsName {
  token: string;
  /** Explains how a User-Agent was interpreted, or null for tokens. */
  note: string | null;
}

/** Product token at the start of a User-Agent (RFC 9110 section 10.1.5), if it is a valid robots.txt token. */
const FIRST_PRODUCT = /^([A-Za-z_-]+)(?:\/|$)/;

/** @param text Token, `*`, or a full User-Agent, which is looked up in the catalog. */
export const robotsNameQuery = (text: string) =>
  queryOptions({
    queryKey: ['robots-name', text],
    staleTime: 60_000,
    queryFn: async ({ client: queryClient }): Promise<RobotsName> => {
      if (text === ANYBODY || /^[A-Za-z_-]+$/.test(text)) return { token: text, note: null };
      const { identification } = await queryClient.fetchQuery(explanationQuery(text));
      const claimed = identification.evidence.user_agent_token;
      if (typeof claimed !== 'string') return unknown(text);
      const { token, robots_token: name } = await queryClient.fetchQuery(agentQuery(claimed));
      if (name === null)
        return { token: ANYBODY, note: `This is ${token}, which has no name of its own in robots.txt.` };
      return { token: name, note: name === token ? `This is ${token}.` : `This is ${token}, in robots.txt ${name}.` };
    },
  });

function unknown(text: string): RobotsName {
  // Agents may have tokens with characters that RFC 9309 does not allow.
  if (!/[/()]/.test(text)) return { token: text, note: null };
  const [, product] = FIRST_PRODUCT.exec(text) ?? [];
  if (product === undefined || product === 'Mozilla') {
    return { token: ANYBODY, note: 'No agent in the catalog sends this, so the rules for * apply.' };
  }
  return { token: product, note: `No agent in the catalog sends this. Its first product is ${product}.` };
}

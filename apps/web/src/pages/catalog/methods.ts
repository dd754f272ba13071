import type { Agent } from '../../api/catalog-queries.js';

/** How an agent can be proven, in words. */
export function methodsOf({ verification }: Pick<Agent, 'verification'>): string[] {
  const methods: string[] = [];
  if (verification.signature_agents?.length) methods.push('Web Bot Auth');
  if (verification.ip_list_urls?.length || verification.ip_ranges?.length) methods.push('published ranges');
  if (verification.reverse_dns_suffixes?.length) methods.push('DNS');
  return methods;
}

/** Where an agent came from, in words. */
export const originOf = ({ origin, is_edited: isEdited }: Pick<Agent, 'origin' | 'is_edited'>): string =>
  origin === 'own' ? 'added here' : isEdited ? 'changed here' : 'came with the release';

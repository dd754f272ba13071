import { METHODS, methodsOfAgent } from '#libs/agents/vocabulary';
import type { Agent } from '../../api/catalog-queries.js';

/** Returns how an agent can be verified, in words. */
export const methodsOf = ({ verification }: Pick<Agent, 'verification'>): string[] =>
  methodsOfAgent(verification).map((method) => METHODS[method]);

/** Where an agent came from, in words. */
export const originOf = ({ origin, is_edited: isEdited }: Pick<Agent, 'origin' | 'is_edited'>): string =>
  origin === 'own' ? 'added here' : isEdited ? 'changed here' : 'came with the release';

import { AGENT_TYPES as DECLARED } from '../api/constants.js';

/** Agent types in API order. */
export const AGENT_TYPES: string[] = [...DECLARED];

export const AI_TYPES: string[] = AGENT_TYPES.filter((type) => type.split(' ').includes('AI'));

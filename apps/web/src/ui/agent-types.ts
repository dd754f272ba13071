import { AGENT_TYPES as DECLARED } from '../api/constants.js';

/** In the order of the interface. */
export const AGENT_TYPES: string[] = [...DECLARED];

/** Of what people call AI: assistants, agents, and who collects for models and answers. */
export const AI_TYPES: string[] = AGENT_TYPES.filter((type) => type.split(' ').includes('AI'));

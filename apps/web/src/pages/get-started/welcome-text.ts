import { RESULTS } from '#libs/agents/vocabulary';
import type { Visit } from '../../api/client.js';

/** Returns a sentence about a project's first visitor, such as "Your first visitor: GPTBot, verified". */
export function welcomeText({ agent_token: token, result }: Visit['identification']): string {
  if (token === null) return 'Your first visitor: a person or an unknown agent';
  return `Your first visitor: ${token}, ${RESULTS[result].label.toLowerCase()}`;
}

import { toAgentFields, type AgentFields } from './agent-record.js';

/** Browser product names and other words that don't identify an agent. */
const NON_AGENT_NAMES =
  /^(?:Mozilla|AppleWebKit|KHTML|Gecko|Chrome|Chromium|Safari|Version|Mobile|Firefox|Edge?|OPR|Opera|Trident|MSIE|compatible)$/i;
const COMPATIBLE_NAME = /\bcompatible; ?\+?([A-Za-z][\w.-]*)/g;
const PRODUCT_NAME = /(?:^|[\s;(])([A-Za-z][\w.-]*)/g;
const LINK = /https?:\/\/[^\s;,()'"<>]+/i;
const REGEX_CHARACTERS = /[\\^$.*+?()[\]{}|/]/g;
/** Minimum pattern length, which the server also enforces. Shorter patterns match too much. */
const MIN_PATTERN_LENGTH = 3;

/**
 * Suggests an agent based on a user agent. The result contains a name, a matching pattern, the user agent as a sample,
 * and its first link as the URL. Fields that can't be derived are empty.
 */
export function suggestAgent(userAgent: string): AgentFields {
  const name = findAgentName(userAgent);
  const pattern = escapePattern(name);
  return {
    ...toAgentFields(null),
    token: name,
    robots_token: name.includes(' ') ? '' : name,
    url: LINK.exec(userAgent)?.[0] ?? '',
    user_agent_patterns: name.length < MIN_PATTERN_LENGTH ? '' : pattern,
    sample_user_agents: name.length < MIN_PATTERN_LENGTH ? '' : userAgent,
  };
}

/** Escapes characters that have a meaning in patterns. */
export const escapePattern = (text: string): string => text.replaceAll(REGEX_CHARACTERS, '\\$&');

function findAgentName(userAgent: string): string {
  const names = [COMPATIBLE_NAME, PRODUCT_NAME].flatMap((pattern) =>
    [...userAgent.matchAll(pattern)].map(([, name]) => name!),
  );
  return names.find((name) => !NON_AGENT_NAMES.test(name)) ?? '';
}

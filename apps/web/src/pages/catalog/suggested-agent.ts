import { agentFields, type AgentFields } from './agent-record.js';

/** Product names of browsers, and other words that don't identify an agent. */
const BROWSERS =
  /^(?:Mozilla|AppleWebKit|KHTML|Gecko|Chrome|Chromium|Safari|Version|Mobile|Firefox|Edge?|OPR|Opera|Trident|MSIE|compatible)$/i;
const INTRODUCED = /\bcompatible; ?\+?([A-Za-z][\w.-]*)/g;
const PRODUCT = /(?:^|[\s;(])([A-Za-z][\w.-]*)/g;
const LINK = /https?:\/\/[^\s;,()'"<>]+/i;
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;
/** Minimum length of a pattern. The server also requires it, because shorter ones match too much. */
const MIN_PATTERN = 3;

/**
 * Suggests an agent based on a user agent. The result contains a name, a pattern for it, the user agent as a sample,
 * and the first link. Fields that can't be derived are empty.
 */
export function suggestedAgent(userAgent: string): AgentFields {
  const name = nameIn(userAgent);
  const pattern = name.replaceAll(SPECIAL, '\\$&');
  return {
    ...agentFields(null),
    token: name,
    robots_token: name.includes(' ') ? '' : name,
    url: LINK.exec(userAgent)?.[0] ?? '',
    user_agent_patterns: name.length < MIN_PATTERN ? '' : pattern,
    sample_user_agents: name.length < MIN_PATTERN ? '' : userAgent,
  };
}

function nameIn(userAgent: string): string {
  const names = [INTRODUCED, PRODUCT].flatMap((pattern) => [...userAgent.matchAll(pattern)].map(([, name]) => name!));
  return names.find((name) => !BROWSERS.test(name)) ?? '';
}

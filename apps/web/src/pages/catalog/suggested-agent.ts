import { agentFields, type AgentFields } from './agent-record.js';

/** Products of browsers, and what stands for one in a user agent that names none. */
const BROWSERS =
  /^(?:Mozilla|AppleWebKit|KHTML|Gecko|Chrome|Chromium|Safari|Version|Mobile|Firefox|Edge?|OPR|Opera|Trident|MSIE|compatible)$/i;
const INTRODUCED = /\bcompatible; ?\+?([A-Za-z][\w.-]*)/g;
const PRODUCT = /(?:^|[\s;(])([A-Za-z][\w.-]*)/g;
const LINK = /https?:\/\/[^\s;,()'"<>]+/i;
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;
/** Characters without which a pattern would match too much; the server wants as many. */
const MIN_PATTERN = 3;

/**
 * Returns the fields of an agent that a user agent seems to name: its name, a pattern for it, the user agent as a sample,
 * and the first link in it. What can't be told is empty.
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

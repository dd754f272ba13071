import { joinLimited, truncate, escapeInvisible } from '../terminal-text.js';
import type { RobotsAgent } from './robots-agent.js';
import { ANY_AGENT, MAX_ROBOTS_BYTES, type NamedGroup, type RobotsDecision, type RobotsLine } from '#libs/robots';
import type { RobotsSource } from './robots-source.js';

/** Maximum length of a quoted line, in characters. This is enough to find the line in the file. */
const MAX_LINE_LENGTH = 200;

/** Returns a sentence that describes a decision and the lines it's based on. */
export function describeDecision(token: string, path: string, decision: RobotsDecision, source: RobotsSource): string {
  const subject = token === ANY_AGENT ? 'An agent without its own group' : escapeInvisible(token);
  return `${subject} ${decision.isAllowed ? 'may' : 'may not'} fetch ${escapeInvisible(path)}: ${explainDecision(decision, source)}`;
}

function explainDecision(decision: RobotsDecision, { missing }: RobotsSource): string {
  switch (decision.reason) {
    case 'robots_txt':
      return 'robots.txt itself is always allowed';
    case 'no_group':
      return missing === null
        ? 'no group applies, so everything is allowed'
        : `there is no robots.txt (status ${missing}), so everything is allowed`;
    case 'no_rule':
      return `no rule matches, ${formatGroups(decision.groups)}`;
    case 'rule':
      return `${formatLine(decision.rule)}, in the group at ${formatLine(decision.userAgent, false)}`;
  }
}

/** Returns a reference such as `line 14, "Disallow: /private/"`. */
export function formatLine({ line, text }: RobotsLine, comma = true): string {
  return `line ${line}${comma ? ',' : ''} ${quoteLine({ text })}`;
}

export function quoteLine({ text }: Pick<RobotsLine, 'text'>): string {
  return `"${truncate(escapeInvisible(text), MAX_LINE_LENGTH)}"`;
}

/** Returns a phrase such as `in the group at line 12 "User-agent: GPTBot"`. */
export function formatGroups(groups: readonly NamedGroup[]): string {
  const lines = joinLimited(groups, ({ userAgent }) => formatLine(userAgent, false), ' and ');
  return `in the ${groups.length === 1 ? 'group' : 'groups'} at ${lines}`;
}

/** Describes how a User-Agent was interpreted. Returns null if the input was a robots.txt token. */
export function describeAgent(input: string, { takenFor }: RobotsAgent): string | null {
  return takenFor === null
    ? null
    : `"${truncate(escapeInvisible(input), MAX_LINE_LENGTH)}" is treated as ${escapeInvisible(takenFor)}.`;
}

/** Returns a warning if the file was truncated, or null otherwise. */
export function describeTruncation({ name, file }: RobotsSource): string | null {
  if (!file.isTruncated) return null;
  const limit = `${MAX_ROBOTS_BYTES / 1_024} KiB`;
  return `Only the first ${limit} of ${escapeInvisible(name)} were read. Crawlers may ignore the rest.`;
}

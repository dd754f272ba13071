import { listed, shortened, visible } from '../terminal-text.js';
import type { RobotsAgent } from './robots-agent.js';
import { ANYBODY, MAX_ROBOTS_BYTES, type NamedGroup, type RobotsDecision, type RobotsLine } from '#libs/robots';
import type { RobotsSource } from './robots-source.js';

/** Maximum length of a quoted line: enough to find it in the file. */
const LONGEST_LINE = 200;

/** Describes a decision, and the lines that it's based on, in one sentence. */
export function describeDecision(token: string, path: string, decision: RobotsDecision, source: RobotsSource): string {
  const who = token === ANYBODY ? 'An agent that no group names' : visible(token);
  return `${who} ${decision.isAllowed ? 'may' : 'may not'} fetch ${visible(path)}: ${because(decision, source)}`;
}

function because(decision: RobotsDecision, { missing }: RobotsSource): string {
  switch (decision.reason) {
    case 'robots_txt':
      return 'robots.txt itself is always allowed';
    case 'no_group':
      return missing === null
        ? 'no group is for it, so everything is allowed'
        : `there is no robots.txt (status ${missing}), so everything is allowed`;
    case 'no_rule':
      return `no rule matches, ${inGroups(decision.groups)}`;
    case 'rule':
      return `${lineText(decision.rule)}, in the group of ${lineText(decision.userAgent, false)}`;
  }
}

/** Returns e.g. `line 14, "Disallow: /private/"`. User-agent lines have no comma. */
export function lineText({ line, text }: RobotsLine, comma = true): string {
  return `line ${line}${comma ? ',' : ''} ${quoted({ text })}`;
}

export function quoted({ text }: Pick<RobotsLine, 'text'>): string {
  return `"${shortened(visible(text), LONGEST_LINE)}"`;
}

/** Returns e.g. `in the group of line 12 "User-agent: GPTBot"`. */
export function inGroups(groups: readonly NamedGroup[]): string {
  const lines = listed(groups, ({ userAgent }) => lineText(userAgent, false), ' and ');
  return `in the ${groups.length === 1 ? 'group' : 'groups'} of ${lines}`;
}

/** Describes how a User-Agent was interpreted, or returns null for a token. */
export function describeAgent(given: string, { takenFor }: RobotsAgent): string | null {
  return takenFor === null ? null : `"${shortened(visible(given), LONGEST_LINE)}" is taken for ${visible(takenFor)}.`;
}

/** Returns a warning if the file was truncated, or null. */
export function describeCut({ name, file }: RobotsSource): string | null {
  if (!file.isCut) return null;
  const limit = `${MAX_ROBOTS_BYTES / 1_024} KiB`;
  return `Only the first ${limit} of ${visible(name)} were read: crawlers need not read more.`;
}

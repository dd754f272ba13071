import { compilePattern, type PathPattern } from './path-pattern.js';

/** A line of the file, counted from 1. */
export interface RobotsLine {
  line: number;
  /** Without comment and the white space around it. From whoever wrote the file: not safe for a terminal. */
  text: string;
}

export interface UserAgentLine extends RobotsLine {
  /** What stands behind the colon; may be empty, and then names nobody. */
  name: string;
}

export interface RobotsRule extends RobotsLine {
  isAllow: boolean;
  /** Not empty. */
  path: string;
  pattern: PathPattern;
}

/** Rules, and the user agents that they are for. */
export interface RobotsGroup {
  userAgents: UserAgentLine[];
  rules: RobotsRule[];
}

export interface RobotsFile {
  groups: RobotsGroup[];
  /** It is longer than {@link MOST_ROBOTS_BYTES}, and what comes later was not read. */
  isCut: boolean;
}

/** A group that counts for somebody. */
export interface NamedGroup {
  /** The first of its lines that names the agent, or everybody. */
  userAgent: UserAgentLine;
  rules: RobotsRule[];
}

/** Crawlers read as much at least, and need not read more (RFC 9309 section 2.5). */
export const MOST_ROBOTS_BYTES = 500 * 1_024;

/** The user agent of the groups for everybody whom no other group names. */
export const ANYBODY = '*';

const PRODUCT_TOKEN = /^[A-Za-z_-]+/;

/**
 * Reads a robots.txt by RFC 9309 section 2.2. What it doesn't know changes nothing, so there is no file that can't be
 * read.
 */
export function readRobotsFile(bytes: Uint8Array): RobotsFile {
  const groups: RobotsGroup[] = [];
  let group: RobotsGroup | undefined;
  let hasRule = false;
  for (const [index, wholeLine] of linesOf(bytes).entries()) {
    const text = trimmed(wholeLine.split('#', 1)[0]!);
    const colon = text.indexOf(':');
    const kind = trimmed(text.slice(0, Math.max(colon, 0))).toLowerCase();
    const value = trimmed(text.slice(colon + 1));
    if (kind === 'user-agent') {
      // Only a rule ends the list of a group's user agents: other lines, such as Sitemap, don't.
      if (group === undefined || hasRule) groups.push((group = { userAgents: [], rules: [] }));
      hasRule = false;
      group.userAgents.push({ line: index + 1, text, name: value });
    } else if (group !== undefined && (kind === 'allow' || kind === 'disallow')) {
      hasRule = true;
      // One without a path matches nothing.
      if (value === '') continue;
      const pattern = compilePattern(value);
      group.rules.push({ line: index + 1, text, isAllow: kind === 'allow', path: value, pattern });
    }
  }
  return { groups, isCut: bytes.length > MOST_ROBOTS_BYTES };
}

/**
 * The groups that an agent has to obey (RFC 9309 section 2.2.1): all those that name it count as one, and those for
 * anybody only where none does.
 *
 * @param token the agent's product token, or {@link ANYBODY}.
 * @returns none where everything is allowed for want of a group.
 */
export function groupsFor({ groups }: RobotsFile, token: string): NamedGroup[] {
  const named = token === ANYBODY ? [] : groupsNaming(groups, (name) => isNameOf(name, token));
  return named.length > 0 ? named : groupsNaming(groups, isAnybody);
}

/** Whether a user agent line is for everybody whom no other names. */
export const isAnybody = (name: string): boolean => /^\*(?:\s|$)/.test(name);

/**
 * A product token ends at the first character that it can't have, so that `GPTBot/1.2` names GPTBot. Agents whose own
 * name has such characters ("360Spider") look for all of it.
 */
export function isNameOf(name: string, token: string): boolean {
  const wanted = token.toLowerCase();
  return name.toLowerCase() === wanted || PRODUCT_TOKEN.exec(name)?.[0].toLowerCase() === wanted;
}

function groupsNaming(groups: readonly RobotsGroup[], isWanted: (name: string) => boolean): NamedGroup[] {
  return groups.flatMap(({ userAgents, rules }) => {
    const userAgent = userAgents.find(({ name }) => isWanted(name));
    return userAgent === undefined ? [] : { userAgent, rules };
  });
}

/** What is half a line after a cut is left out: half a path would be another one. */
function linesOf(bytes: Uint8Array): string[] {
  const lines = new TextDecoder().decode(bytes.subarray(0, MOST_ROBOTS_BYTES)).split(/\r\n|\r|\n/);
  return bytes.length > MOST_ROBOTS_BYTES ? lines.slice(0, -1) : lines;
}

/** Without white space as RFC 9309 has it (no `trim`, which takes more for white space) at its ends. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text, start)) start++;
  while (end > start && isSpace(text, end - 1)) end--;
  return text.slice(start, end);
}

const isSpace = (text: string, index: number): boolean => text[index] === ' ' || text[index] === '\t';

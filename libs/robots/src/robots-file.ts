import { compilePattern, type PathPattern } from './path-pattern.js';

/** A line of the file, counted from 1. */
export interface RobotsLine {
  line: number;
  /** Without comment and the white space around it. Written by the author of the file: not safe for a terminal. */
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
  /** Groups by what they are looked up with: names and product tokens in lower case, and {@link ANYBODY}. */
  byName: ReadonlyMap<string, NamedGroup[]>;
  /** It is longer than what is read at most, and what comes later was not read. */
  isCut: boolean;
}

/** A group that counts for somebody. */
export interface NamedGroup {
  /** The first of its lines that names the agent, or everybody. */
  userAgent: UserAgentLine;
  rules: RobotsRule[];
}

/** Crawlers read as much at least, and need not read more (RFC 9309 section 2.5). */
export const MAX_ROBOTS_BYTES = 500 * 1_024;

/** The user agent of the groups for everybody whom no other group names. */
export const ANYBODY = '*';

/** Finds what ends a product token. */
const NO_PRODUCT_TOKEN = /[^A-Za-z_-]/;

/**
 * Reads a robots.txt by RFC 9309 section 2.2. What it doesn't know changes nothing, so there is no file that can't be
 * read.
 *
 * @param most bytes that are read at most.
 */
export function readRobotsFile(bytes: Uint8Array, most = MAX_ROBOTS_BYTES): RobotsFile {
  const groups: RobotsGroup[] = [];
  for (const { line, text, kind, value, startsGroup } of recordsOf(bytes, most)) {
    if (startsGroup) groups.push({ userAgents: [], rules: [] });
    const group = groups.at(-1);
    if (kind === 'user-agent') group!.userAgents.push({ line, text, name: value });
    // One without a path matches nothing.
    else if (group !== undefined && isRule(kind) && value !== '') {
      group.rules.push({ line, text, isAllow: kind === 'allow', path: value, pattern: compilePattern(value) });
    }
  }
  return { groups, byName: indexed(groups), isCut: bytes.length > most };
}

/** A line with a colon or without. */
interface RobotsRecord extends RobotsLine {
  /** What stands before the colon, in lower case. */
  kind: string;
  /** What stands behind it. */
  value: string;
  /** A user agent line that doesn't belong to the group before. */
  startsGroup: boolean;
}

const isRule = (kind: string): boolean => kind === 'allow' || kind === 'disallow';

/** @param most bytes that are read at most. */
export function* recordsOf(bytes: Uint8Array, most: number): Generator<RobotsRecord> {
  let hasGroup = false;
  let hasRule = false;
  let line = 0;
  for (const wholeLine of linesOf(bytes, most)) {
    line += 1;
    const comment = wholeLine.indexOf('#');
    const text = trimmed(comment === -1 ? wholeLine : wholeLine.slice(0, comment));
    const colon = text.indexOf(':');
    const kind = trimmed(text.slice(0, Math.max(colon, 0))).toLowerCase();
    const isUserAgent = kind === 'user-agent';
    // Only a rule ends the list of a group's user agents: other lines, such as Sitemap, don't.
    const startsGroup = isUserAgent && (!hasGroup || hasRule);
    hasGroup ||= isUserAgent;
    hasRule = !isUserAgent && (hasRule || (hasGroup && isRule(kind)));
    yield { line, text, kind, value: trimmed(text.slice(colon + 1)), startsGroup };
  }
}

/**
 * Returns what counts of a robots.txt as a text that PostgreSQL can store: read again, it has the same lines and rules.
 *
 * @param most bytes that are read at most; half a line is left out.
 */
export function robotsText(bytes: Uint8Array, most = MAX_ROBOTS_BYTES): string {
  if (bytes.length <= most) return stored(bytes);
  const end = Math.max(bytes.lastIndexOf(LINE_FEED, most - 1), bytes.lastIndexOf(CARRIAGE_RETURN, most - 1)) + 1;
  return stored(bytes.subarray(0, end));
}

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** No URL has a NUL. */
const stored = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replaceAll('\0', '\uFFFD');

/**
 * The groups that an agent has to obey (RFC 9309 section 2.2.1): all those that name it count as one, and those for
 * anybody only where none does.
 *
 * @param token the agent's product token, or {@link ANYBODY}.
 * @returns none where everything is allowed for want of a group.
 */
export function groupsFor({ byName }: RobotsFile, token: string): NamedGroup[] {
  return byName.get(token.toLowerCase()) ?? byName.get(ANYBODY) ?? [];
}

/**
 * What a user agent line is looked up with. A product token ends at the first character that it can't have, so that
 * `GPTBot/1.2` names GPTBot; agents whose own name has such characters ("360Spider") look for all of it.
 */
export function keysOf(name: string): string[] {
  if (/^\*(?:\s|$)/.test(name)) return [ANYBODY];
  const end = name.search(NO_PRODUCT_TOKEN);
  const key = name.toLowerCase();
  if (end === -1) return key === '' ? [] : [key];
  return end === 0 ? [key] : [key, name.slice(0, end).toLowerCase()];
}

function indexed(groups: readonly RobotsGroup[]): Map<string, NamedGroup[]> {
  const byName = new Map<string, NamedGroup[]>();
  for (const { userAgents, rules } of groups) {
    for (const userAgent of userAgents) {
      const group = { userAgent, rules };
      for (const key of keysOf(userAgent.name)) {
        const named = byName.get(key);
        if (named === undefined) byName.set(key, [group]);
        // Once, also where a group names somebody twice.
        else if (named.at(-1)!.rules !== rules) named.push(group);
      }
    }
  }
  return byName;
}

/** What is half a line after a cut is left out: half a path would be another one. */
function linesOf(bytes: Uint8Array, most: number): string[] {
  const lines = new TextDecoder().decode(bytes.subarray(0, most)).split(/\r\n|\r|\n/);
  return bytes.length > most ? lines.slice(0, -1) : lines;
}

/** Without white space as RFC 9309 has it (no `trim`, which takes more for white space) at its ends. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text, start)) start++;
  while (end > start && isSpace(text, end - 1)) end--;
  return text.slice(start, end);
}

const isSpace = (text: string, index: number): boolean => text[index] === ' ' || text[index] === '\t';

import { compilePattern, type PathPattern } from './path-pattern.js';

/** A line of the file. Line numbers start at 1. */
export interface RobotsLine {
  line: number;
  /**
   * Text without comments and surrounding whitespace. Untrusted, so it must be escaped before it is printed to a
   * terminal.
   */
  text: string;
}

export interface UserAgentLine extends RobotsLine {
  /** Value of the line. If empty, it matches no agent. */
  name: string;
}

export interface RobotsRule extends RobotsLine {
  isAllow: boolean;
  /** Never empty. */
  path: string;
  pattern: PathPattern;
}

export interface RobotsGroup {
  userAgents: UserAgentLine[];
  rules: RobotsRule[];
}

export interface RobotsFile {
  groups: RobotsGroup[];
  /** Groups by lookup key: name or product token in lower case, or {@link ANYBODY}. */
  byName: ReadonlyMap<string, NamedGroup[]>;
  /** True if the file exceeds the size limit and the rest was not read. */
  isCut: boolean;
}

export interface NamedGroup {
  /** First line of the group that names the agent or {@link ANYBODY}. */
  userAgent: UserAgentLine;
  rules: RobotsRule[];
}

/** Maximum size in bytes. Crawlers must read at least this much (RFC 9309 section 2.5). */
export const MAX_ROBOTS_BYTES = 500 * 1_024;

/** User agent of groups for all agents that no other group names. */
export const ANYBODY = '*';

/** Matches the first character that a product token can't contain. */
const NO_PRODUCT_TOKEN = /[^A-Za-z_-]/;

/**
 * Parses a robots.txt (RFC 9309 section 2.2). Unknown lines are ignored, so parsing never fails.
 *
 * @param most Maximum number of bytes to read.
 */
export function readRobotsFile(bytes: Uint8Array, most = MAX_ROBOTS_BYTES): RobotsFile {
  const groups: RobotsGroup[] = [];
  for (const { line, text, kind, value, startsGroup } of recordsOf(bytes, most)) {
    if (startsGroup) groups.push({ userAgents: [], rules: [] });
    const group = groups.at(-1);
    if (kind === 'user-agent') group!.userAgents.push({ line, text, name: value });
    // A rule without a path matches nothing.
    else if (group !== undefined && isRule(kind) && value !== '') {
      group.rules.push({ line, text, isAllow: kind === 'allow', path: value, pattern: compilePattern(value) });
    }
  }
  return { groups, byName: indexed(groups), isCut: bytes.length > most };
}

interface RobotsRecord extends RobotsLine {
  /** Text before the colon, in lower case. Empty if the line has no colon. */
  kind: string;
  /** Text after the colon, or the entire line if it has no colon. */
  value: string;
  /** True for a user-agent line that starts a new group. */
  startsGroup: boolean;
}

const isRule = (kind: string): boolean => kind === 'allow' || kind === 'disallow';

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
    // Only a rule ends a group's list of user agents. Other lines, such as Sitemap, don't.
    const startsGroup = isUserAgent && (!hasGroup || hasRule);
    hasGroup ||= isUserAgent;
    hasRule = !isUserAgent && (hasRule || (hasGroup && isRule(kind)));
    yield { line, text, kind, value: trimmed(text.slice(colon + 1)), startsGroup };
  }
}

/**
 * Returns the part of a robots.txt that crawlers read, as text that PostgreSQL can store. Parsing the text gives the
 * same lines and rules.
 *
 * @param most Maximum number of bytes to read. An incomplete last line is dropped.
 */
export function robotsText(bytes: Uint8Array, most = MAX_ROBOTS_BYTES): string {
  if (bytes.length <= most) return stored(bytes);
  const end = Math.max(bytes.lastIndexOf(LINE_FEED, most - 1), bytes.lastIndexOf(CARRIAGE_RETURN, most - 1)) + 1;
  return stored(bytes.subarray(0, end));
}

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** Replaces NUL, which PostgreSQL can't store and URLs never contain. */
const stored = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replaceAll('\0', '\uFFFD');

/**
 * Returns the groups that apply to an agent (RFC 9309 section 2.2.1). These are all groups that name it, or else the
 * groups for {@link ANYBODY}.
 *
 * @param token Product token of the agent, or {@link ANYBODY}.
 * @returns An empty array if no group applies, which allows everything.
 */
export function groupsFor({ byName }: RobotsFile, token: string): NamedGroup[] {
  return byName.get(token.toLowerCase()) ?? byName.get(ANYBODY) ?? [];
}

/**
 * Returns the lookup keys of a user-agent line. A product token ends at the first character it can't contain, so
 * `GPTBot/1.2` names GPTBot. The full name is also a key, because some agents have such characters in their names
 * ("360Spider").
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
        // A group that names an agent twice is added once.
        else if (named.at(-1)!.rules !== rules) named.push(group);
      }
    }
  }
  return byName;
}

/** Splits the file into lines. Drops an incomplete last line, because part of a path is a different path. */
function linesOf(bytes: Uint8Array, most: number): string[] {
  const lines = new TextDecoder().decode(bytes.subarray(0, most)).split(/\r\n|\r|\n/);
  return bytes.length > most ? lines.slice(0, -1) : lines;
}

/** Trims spaces and tabs, the only whitespace in RFC 9309. `String.trim` would remove more. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text, start)) start++;
  while (end > start && isSpace(text, end - 1)) end--;
  return text.slice(start, end);
}

const isSpace = (text: string, index: number): boolean => text[index] === ' ' || text[index] === '\t';

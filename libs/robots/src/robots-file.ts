import { compilePattern, type PathPattern } from './path-pattern.js';
import { PURPOSE_TOKENS } from './purpose-tokens.js';

/** A line in the file. Line numbers start at 1. */
export interface RobotsLine {
  line: number;
  /**
   * Text without comments and surrounding whitespace. It is untrusted, so escape it before printing it to a terminal.
   */
  text: string;
}

export interface UserAgentLine extends RobotsLine {
  /** Value of the line. If it is empty, the line matches no agent. */
  name: string;
}

export interface RobotsRule extends RobotsLine {
  isAllow: boolean;
  path: string;
  pattern: PathPattern;
}

export interface RobotsGroup {
  userAgents: UserAgentLine[];
  rules: RobotsRule[];
}

export interface RobotsFile {
  groups: RobotsGroup[];
  /** Groups by lookup key: lowercase name, lowercase product token, or {@link ANY_AGENT}. */
  byName: ReadonlyMap<string, NamedGroup[]>;
  /** True if the file exceeded the size limit and was truncated. */
  isTruncated: boolean;
}

export interface NamedGroup {
  /** First line in the group that names the agent or {@link ANY_AGENT}. */
  userAgent: UserAgentLine;
  rules: RobotsRule[];
}

/** Maximum size in bytes. Crawlers must read at least this much (RFC 9309, section 2.5). */
export const MAX_ROBOTS_BYTES = 500 * 1_024;

/** User agent that stands for all agents that no other group names. */
export const ANY_AGENT = '*';

const NON_TOKEN_CHARACTER = /[^A-Za-z_-]/;

/**
 * Parses a robots.txt file (RFC 9309, section 2.2). Parsing never fails because unknown lines are ignored.
 *
 * @param maxBytes Maximum number of bytes to read.
 */
export function parseRobotsFile(bytes: Uint8Array, maxBytes = MAX_ROBOTS_BYTES): RobotsFile {
  const groups: RobotsGroup[] = [];
  for (const { line, text, kind, value, startsGroup } of parseRecords(bytes, maxBytes)) {
    if (startsGroup) groups.push({ userAgents: [], rules: [] });
    const group = groups.at(-1);
    if (kind === 'user-agent') group!.userAgents.push({ line, text, name: value });
    // A rule without a path matches nothing.
    else if (group !== undefined && isRule(kind) && value !== '') {
      group.rules.push({ line, text, isAllow: kind === 'allow', path: value, pattern: compilePattern(value) });
    }
  }
  return { groups, byName: indexByName(groups), isTruncated: bytes.length > maxBytes };
}

export interface RobotsRecord extends RobotsLine {
  /** Lowercase text before the colon, or an empty string if the line has no colon. */
  kind: string;
  /** Text after the colon, or the entire line if it has no colon. */
  value: string;
  /** True for a user-agent line that starts a new group. */
  startsGroup: boolean;
}

const isRule = (kind: string): boolean => kind === 'allow' || kind === 'disallow';

/** Parses the lines that aren't empty after removing comments and whitespace. */
export function* parseRecords(bytes: Uint8Array, maxBytes: number): Generator<RobotsRecord> {
  let hasGroup = false;
  let hasRule = false;
  let line = 0;
  for (const fullLine of splitLines(bytes, maxBytes)) {
    line += 1;
    const comment = fullLine.indexOf('#');
    const text = trimSpaces(comment === -1 ? fullLine : fullLine.slice(0, comment));
    if (text === '') continue;
    const colon = text.indexOf(':');
    const kind = trimSpaces(text.slice(0, Math.max(colon, 0))).toLowerCase();
    const isUserAgent = kind === 'user-agent';
    // Only a rule ends a group's list of user agents. Other lines, such as Sitemap, don't.
    const startsGroup = isUserAgent && (!hasGroup || hasRule);
    hasGroup ||= isUserAgent;
    hasRule = !isUserAgent && (hasRule || (hasGroup && isRule(kind)));
    yield { line, text, kind, value: trimSpaces(text.slice(colon + 1)), startsGroup };
  }
}

/**
 * Returns the part of a robots.txt file that crawlers read, as text that PostgreSQL can store. Parsing the text yields
 * the same lines and rules.
 *
 * @param maxBytes Maximum number of bytes to read. An incomplete last line is dropped.
 */
export function decodeRobotsText(bytes: Uint8Array, maxBytes = MAX_ROBOTS_BYTES): string {
  if (bytes.length <= maxBytes) return toPostgresText(bytes);
  const end =
    Math.max(bytes.lastIndexOf(LINE_FEED, maxBytes - 1), bytes.lastIndexOf(CARRIAGE_RETURN, maxBytes - 1)) + 1;
  return toPostgresText(bytes.subarray(0, end));
}

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** Replaces NUL, which PostgreSQL can't store and URLs never contain. */
const toPostgresText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replaceAll('\0', '\uFFFD');

/**
 * Returns the groups that apply to an agent (RFC 9309, section 2.2.1): all groups that name it or, if there are none,
 * the groups for {@link ANY_AGENT}.
 *
 * @param token The agent's product token, or {@link ANY_AGENT}.
 * @returns An empty array if no group applies, so all paths are allowed.
 */
export function findGroups({ byName }: RobotsFile, token: string): NamedGroup[] {
  return byName.get(token.toLowerCase()) ?? byName.get(ANY_AGENT) ?? [];
}

/**
 * Returns the lookup keys for a user-agent line, or none if it names a purpose. A product token ends at the first invalid character, so `GPTBot/1.2`
 * names GPTBot. The full name is also a key because some agent names contain such characters ("360Spider").
 */
export function getLookupKeys(name: string): string[] {
  if (isPurposeToken(name)) return [];
  if (/^\*(?:\s|$)/.test(name)) return [ANY_AGENT];
  const end = name.search(NON_TOKEN_CHARACTER);
  const key = name.toLowerCase();
  if (end === -1) return key === '' ? [] : [key];
  return end === 0 ? [key] : [key, name.slice(0, end).toLowerCase()];
}

/** Returns whether a user-agent line names a purpose rather than an agent. */
const isPurposeToken = (name: string): boolean => PURPOSE_TOKENS.some(({ token }) => token === name.toLowerCase());

/**
 * Returns the groups for a purpose, which apply in addition to those for agents.
 *
 * @param token One of {@link PURPOSE_TOKENS}.
 */
export const findPurposeGroups = ({ groups }: RobotsFile, token: string): NamedGroup[] =>
  groups.flatMap(({ userAgents, rules }) => {
    const userAgent = userAgents.find(({ name }) => name.toLowerCase() === token);
    return userAgent === undefined ? [] : [{ userAgent, rules }];
  });

function indexByName(groups: readonly RobotsGroup[]): Map<string, NamedGroup[]> {
  const byName = new Map<string, NamedGroup[]>();
  for (const { userAgents, rules } of groups) {
    for (const userAgent of userAgents) {
      const group = { userAgent, rules };
      for (const key of getLookupKeys(userAgent.name)) {
        const namedGroups = byName.get(key);
        if (namedGroups === undefined) byName.set(key, [group]);
        // If the group names the same agent more than once, it is added only once for this agent.
        else if (namedGroups.at(-1)!.rules !== rules) namedGroups.push(group);
      }
    }
  }
  return byName;
}

/** Drops an incomplete last line because part of a path is a different path. */
function splitLines(bytes: Uint8Array, maxBytes: number): string[] {
  const lines = new TextDecoder().decode(bytes.subarray(0, maxBytes)).split(/\r\n|\r|\n/);
  return bytes.length > maxBytes ? lines.slice(0, -1) : lines;
}

/** Trims spaces and tabs, the only whitespace in RFC 9309. `String.trim` would remove more characters. */
function trimSpaces(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text, start)) start++;
  while (end > start && isSpace(text, end - 1)) end--;
  return text.slice(start, end);
}

const isSpace = (text: string, index: number): boolean => text[index] === ' ' || text[index] === '\t';

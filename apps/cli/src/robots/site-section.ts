import { CliError } from '../cli-error.js';
import { count, truncate, escapeInvisible } from '../terminal-text.js';
import { formatLine } from './decision-text.js';
import { ANY_AGENT, findGroups, MAX_ROBOTS_BYTES, parseRobotsFile, type RobotsFile } from '#libs/robots';

const BEGIN = '# agent-traffic begin';
const END = '# agent-traffic end';

/** UTF-8 byte order mark, decoded as Latin-1. */
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

const MAX_LISTED_AGENTS = 10;

interface SiteFile {
  content: Buffer;
  notes: string[];
}

/**
 * Inserts rules into a site's robots.txt. Replaces the section between the markers, or appends a new section. All other
 * bytes remain unchanged.
 *
 * @param rules Lines that end with LF. Can be empty.
 * @throws {CliError} if the markers aren't a pair, or if the section would merge with one of the site's groups.
 */
export function insertSection(name: string, site: Buffer, rules: Buffer): SiteFile {
  // Latin-1 maps each byte to one character, so files in any encoding are preserved.
  const text = site.toString('latin1');
  const [before, after] = splitAtSection(name, text);
  const section = `${BEGIN}\n${rules.toString('latin1')}${END}\n`;
  const content = Buffer.from(before + section + after, 'latin1');
  const file = parseRobotsFile(content, Infinity);
  const first = lineCount(before) + 1;
  const isOurs = (line: number): boolean => line >= first && line < first + lineCount(section);
  assertNotMerged(name, file, isOurs);
  return {
    content,
    notes: [...duplicateWarnings(file, isOurs), ...exemptionWarnings(file, isOurs), ...sizeWarnings(content)],
  };
}

function splitAtSection(name: string, text: string): [before: string, after: string] {
  const [begins, ends] = [findMarkers(text, BEGIN), findMarkers(text, END)];
  if (begins.length === 0 && ends.length === 0) {
    const gap = text === '' ? '' : /[\r\n]$/.test(text) ? '\n' : '\n\n';
    return [text + gap, ''];
  }
  const [begin, end] = [begins[0], ends[0]];
  if (begins.length !== 1 || ends.length !== 1 || begin!.start > end!.start) {
    throw new CliError(
      `${name} must contain exactly one "${BEGIN}" line, followed by one "${END}" line. The file was not changed.`,
      {
        hint: 'Remove all of these lines, or leave one of each in this order.',
      },
    );
  }
  return [text.slice(0, begin!.start), text.slice(end!.end)];
}

/** Finds lines that consist of a marker. Their ranges include the line ending, but not a byte order mark. */
function findMarkers(text: string, mark: string): { start: number; end: number }[] {
  return [...text.matchAll(/([^\r\n]*)(?:\r\n|\r|\n|$)/g)].flatMap(({ index, 0: whole, 1: line = '' }) => {
    const start = line.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
    const isMark = line.startsWith(mark, start) && /^[ \t]*$/.test(line.slice(start + mark.length));
    return isMark ? [{ start: index + start, end: index + whole.length }] : [];
  });
}

const lineCount = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/**
 * Rejects sections that would merge with the site's groups. If a group without rules comes directly before the section,
 * our rules would apply to it. If rules come directly after the section, they would be added to our last group.
 */
function assertNotMerged(name: string, { groups }: RobotsFile, isOurs: (line: number) => boolean): void {
  for (const { userAgents, rules } of groups) {
    const lines = [...userAgents, ...rules];
    const siteLine = lines.find(({ line }) => !isOurs(line));
    if (siteLine === undefined || !lines.some(({ line }) => isOurs(line))) continue;
    throw new CliError(
      `The section would merge with the group that contains ${formatLine(siteLine, false)} in ${name}. The file was not changed.`,
      {
        hint:
          `If a group contains neither Allow nor Disallow, add the line "Disallow:", which allows everything and ends the group. ` +
          `The lines "${BEGIN}" and "${END}" must be between two complete groups or after the last group.`,
      },
    );
  }
}

/**
 * Warns about agents that the site's own groups also name. All groups that name an agent apply, so the site's rules can
 * override ours.
 */
function duplicateWarnings(file: RobotsFile, isOurs: (line: number) => boolean): string[] {
  const both = file.groups
    .flatMap(({ userAgents }) => userAgents.filter(({ line }) => isOurs(line)))
    .flatMap(({ name }) => {
      const siteGroup = findGroups(file, name).find(({ userAgent }) => !isOurs(userAgent.line));
      return siteGroup === undefined ? [] : `${truncate(escapeInvisible(name), 80)} (line ${siteGroup.userAgent.line})`;
    });
  if (both.length === 0) return [];
  const named = both.slice(0, MAX_LISTED_AGENTS).join(', ') + (both.length > MAX_LISTED_AGENTS ? ', …' : '');
  return [
    `Other groups in the file also name ${count(both.length)} of these agents, so the rules of both groups apply: ${named}`,
  ];
}

/**
 * Warns if our group exempts agents from the site's rules for `*`, which only apply to agents without their own group.
 * These agents may then be allowed more than before.
 */
function exemptionWarnings(file: RobotsFile, isOurs: (line: number) => boolean): string[] {
  const ours = file.groups.find(({ userAgents }) => userAgents.some(({ line }) => isOurs(line)));
  const lost = findGroups(file, ANY_AGENT).find(({ userAgent, rules }) => {
    return !isOurs(userAgent.line) && rules.some(({ isAllow }) => !isAllow);
  });
  if (ours === undefined || lost === undefined) return [];
  if (ours.rules.some(({ isAllow, pattern }) => !isAllow && /^(?:\/|\*)\**$/.test(pattern.text))) return [];
  return [
    `These agents no longer follow the group at ${formatLine(lost.userAgent, false)}, because they now have their own group.`,
  ];
}

function sizeWarnings({ length }: Buffer): string[] {
  if (length <= MAX_ROBOTS_BYTES) return [];
  return [`The file is longer than ${MAX_ROBOTS_BYTES / 1_024} KiB. Crawlers may ignore the rest.`];
}

import { CliError } from '../cli-error.js';
import { count, shortened, visible } from '../terminal-text.js';
import { lineText } from './decision-text.js';
import { ANYBODY, groupsFor, MAX_ROBOTS_BYTES, readRobotsFile, type RobotsFile } from '#libs/robots';

const BEGIN = '# agent-traffic begin';
const END = '# agent-traffic end';

/** UTF-8 byte order mark, read as Latin-1. */
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

const MAX_NAMED = 10;

interface SiteFile {
  content: Buffer;
  notes: string[];
}

/**
 * Puts rules into a site's robots.txt. Replaces the section between the markers, or appends a section. All other bytes
 * stay the same.
 *
 * @param rules Lines that end in LF. Can be empty.
 * @throws CliError if the markers aren't a pair, or if the section would be merged with one of the site's groups.
 */
export function withSection(name: string, site: Buffer, rules: Buffer): SiteFile {
  // Latin-1 maps each byte to a character, so any encoding is preserved.
  const text = site.toString('latin1');
  const [before, after] = around(name, text);
  const section = `${BEGIN}\n${rules.toString('latin1')}${END}\n`;
  const content = Buffer.from(before + section + after, 'latin1');
  const file = readRobotsFile(content, Infinity);
  const first = lineCount(before) + 1;
  const isOurs = (line: number): boolean => line >= first && line < first + lineCount(section);
  assertApart(name, file, isOurs);
  return { content, notes: [...namedTwice(file, isOurs), ...setFree(file, isOurs), ...tooLong(content)] };
}

function around(name: string, text: string): [before: string, after: string] {
  const [begins, ends] = [marks(text, BEGIN), marks(text, END)];
  if (begins.length === 0 && ends.length === 0) {
    const gap = text === '' ? '' : /[\r\n]$/.test(text) ? '\n' : '\n\n';
    return [text + gap, ''];
  }
  const [begin, end] = [begins[0], ends[0]];
  if (begins.length !== 1 || ends.length !== 1 || begin!.start > end!.start) {
    throw new CliError(`${name} has lines "${BEGIN}" and "${END}" that are not a pair; the file was not changed.`, {
      hint: 'Remove both, or keep one of each, in this order.',
    });
  }
  return [text.slice(0, begin!.start), text.slice(end!.end)];
}

/** Finds lines that consist of a marker. Ranges include the line ending, but not a byte order mark. */
function marks(text: string, mark: string): { start: number; end: number }[] {
  return [...text.matchAll(/([^\r\n]*)(?:\r\n|\r|\n|$)/g)].flatMap(({ index, 0: whole, 1: line = '' }) => {
    const start = line.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
    const isMark = line.startsWith(mark, start) && /^[ \t]*$/.test(line.slice(start + mark.length));
    return isMark ? [{ start: index + start, end: index + whole.length }] : [];
  });
}

const lineCount = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/**
 * Rejects sections that would be merged with the site's groups. A group without rules right before the section would
 * get our rules. Rules right after it would belong to our last group.
 */
function assertApart(name: string, { groups }: RobotsFile, isOurs: (line: number) => boolean): void {
  for (const { userAgents, rules } of groups) {
    const lines = [...userAgents, ...rules];
    const theirs = lines.find(({ line }) => !isOurs(line));
    if (theirs === undefined || !lines.some(({ line }) => isOurs(line))) continue;
    throw new CliError(
      `The section would be one group with ${lineText(theirs, false)} of ${name}; the file was not changed.`,
      {
        hint:
          `Only a rule ends a group: give one that has neither Allow nor Disallow the line "Disallow:", which allows all, ` +
          `and let the lines "${BEGIN}" and "${END}" stand between two whole groups, or after the last.`,
      },
    );
  }
}

/**
 * Warns about agents that the site's own groups name, too. All groups of an agent apply, so the site's rules can
 * override ours.
 */
function namedTwice(file: RobotsFile, isOurs: (line: number) => boolean): string[] {
  const both = file.groups
    .flatMap(({ userAgents }) => userAgents.filter(({ line }) => isOurs(line)))
    .flatMap(({ name }) => {
      const own = groupsFor(file, name).find(({ userAgent }) => !isOurs(userAgent.line));
      return own === undefined ? [] : `${shortened(visible(name), 80)} (line ${own.userAgent.line})`;
    });
  if (both.length === 0) return [];
  const named = both.slice(0, MAX_NAMED).join(', ') + (both.length > MAX_NAMED ? ', …' : '');
  return [
    `The file's own groups name ${count(both.length)} of these agents as well, and the rules of both count: ${named}`,
  ];
}

/**
 * Warns if agents lose the rules for `*`, which don't apply to agents with their own group. If our group disallows
 * less, they may be allowed more than before.
 */
function setFree(file: RobotsFile, isOurs: (line: number) => boolean): string[] {
  const ours = file.groups.find(({ userAgents }) => userAgents.some(({ line }) => isOurs(line)));
  const lost = groupsFor(file, ANYBODY).find(({ userAgent, rules }) => {
    return !isOurs(userAgent.line) && rules.some(({ isAllow }) => !isAllow);
  });
  if (ours === undefined || lost === undefined) return [];
  if (ours.rules.some(({ isAllow, pattern }) => !isAllow && /^(?:\/|\*)\**$/.test(pattern.text))) return [];
  return [
    `These agents no longer obey the group of ${lineText(lost.userAgent, false)}: being named, they obey their own only.`,
  ];
}

function tooLong({ length }: Buffer): string[] {
  if (length <= MAX_ROBOTS_BYTES) return [];
  return [`The file is longer than ${MAX_ROBOTS_BYTES / 1_024} KiB, and crawlers need not read more of it.`];
}

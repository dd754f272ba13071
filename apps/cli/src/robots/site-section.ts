import { CliError } from '../cli-error.js';
import { count, shortened, visible } from '../terminal-text.js';
import { lineText } from './decision-text.js';
import { ANYBODY, groupsFor, MAX_ROBOTS_BYTES, readRobotsFile, type RobotsFile } from '#libs/robots';

const BEGIN = '# agent-traffic begin';
const END = '# agent-traffic end';

/** In UTF-8, its bytes read as latin1. */
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

const MAX_NAMED = 10;

/** A site's own robots.txt with the rules in a section of it. */
interface SiteFile {
  content: Buffer;
  /** What is to be known of it, in words. */
  notes: string[];
}

/**
 * Puts rules into a site's robots.txt: between the marks of an earlier time, or with marks at its end. All else stays
 * as it is, byte by byte.
 *
 * @param rules lines that end in LF, or none.
 * @throws CliError when the marks are not a pair, or when the rules would be part of one of the site's own groups.
 */
export function withSection(name: string, site: Buffer, rules: Buffer): SiteFile {
  // Each octet a character, so that it doesn't matter what they stand for.
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

/** Whole lines, also behind a byte order mark, with what ends them. */
function marks(text: string, mark: string): { start: number; end: number }[] {
  return [...text.matchAll(/([^\r\n]*)(?:\r\n|\r|\n|$)/g)].flatMap(({ index, 0: whole, 1: line = '' }) => {
    const start = line.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
    const isMark = line.startsWith(mark, start) && /^[ \t]*$/.test(line.slice(start + mark.length));
    return isMark ? [{ start: index + start, end: index + whole.length }] : [];
  });
}

const lineCount = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** A group of the site without rules just before would get ours, and rules just after would be our last group's. */
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

/** Groups of one agent count as one, so a rule of the site's may undo one of ours. */
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

/** An agent with a group of its own ignores the rules for `*`, so one that disallows less may allow more than before. */
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

import { mergeGroups, readGroups, type MergedGroups, type SiteDecision } from './merge-groups.js';
import { isUsage, mergeSignals, type ChangedValue } from './merge-signals.js';
import { ANY_AGENT, parseRecords, parseRobotsFile, type RobotsRecord } from './robots-file.js';
import { getGap, getLineEnding, SECTION_BEGIN, SECTION_END, splitAtSection, trimLineEnding } from './robots-section.js';

/** Line of a merged file or, if removed, of the site's file. */
export interface MergedLine {
  text: string;
  change: 'added' | 'removed' | null;
}

/** Line numbers are those in the merged file. */
export interface MergedRobots extends Omit<MergedGroups, 'groups'> {
  content: Uint8Array;
  /** All lines of both files. */
  lines: MergedLine[];
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Merges rendered rules into a site's robots.txt. The rules go into a section between two comment lines, which is
 * replaced each time. All other bytes stay the same, except for the usage preferences and the license that the rules
 * change.
 *
 * For each agent in the rules, the result has the effect of the site's rules and the new rules combined. It doesn't
 * change the effect on other agents.
 *
 * @param site The site's file. Can be empty and in any encoding.
 * @param rules Rendered robots.txt, in UTF-8. Can be empty.
 * @throws {RobotsSectionError} if the lines that enclose the section aren't a pair.
 */
export function mergeRobots(site: Uint8Array, rules: Uint8Array): MergedRobots {
  const bomLength = BYTE_ORDER_MARK.every((byte, index) => site[index] === byte) ? BYTE_ORDER_MARK.length : 0;
  const { before, after, section: oldSection } = splitAtSection(site.subarray(bomLength));
  const previous = [...before, ...after];
  const previousRecords = parseLines(previous);
  const wanted = readRules(rules);
  const { changed, usage, license } = mergeSignals(previousRecords, wanted);
  const own = changeValues(previous, changed);
  const { groups, ...decisions } = mergeGroups(
    wanted.groups,
    parseRobotsFile(joinLines(own), Infinity),
    parseLines(own),
  );
  const content = [
    ...(license === null ? [] : [[license.text]]),
    // An empty Disallow rule allows everything. Parsers merge a group that has no rules with the next group.
    ...(usage.length === 0 ? [] : [[`User-agent: ${ANY_AGENT}`, ...usage.map(({ text }) => text), 'Disallow:']]),
    ...groups,
  ];
  const position = canSeparate(before, after) ? before.length : previous.length;
  const eol = getLineEnding(own);
  const gap = oldSection === null || position !== before.length ? getGap(own, eol) : 0;
  const section =
    content.length === 0 && oldSection === null
      ? []
      : [
          ...Array.from({ length: gap }, () => ''),
          SECTION_BEGIN,
          // Otherwise, our rules would also apply to the site's last group.
          ...(content.length > 0 && isOpen(own.slice(0, position)) ? ['Disallow:'] : []),
          ...content.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines])),
          SECTION_END,
        ];
  // The first line ending completes the site's last line.
  const newLines = gap === 2 ? section.slice(1) : section;
  const move = ({ name, line }: SiteDecision): SiteDecision => ({
    name,
    line: line.line <= position ? line : { ...line, line: line.line + newLines.length },
  });
  return {
    content: concat([
      site.subarray(0, bomLength),
      ...own.slice(0, position),
      new TextEncoder().encode(section.map((line) => line + eol).join('')),
      ...own.slice(position),
    ]),
    lines: [
      ...compareLines(previous.slice(0, position), own.slice(0, position)),
      ...compareSections(oldSection ?? [], newLines),
      ...compareLines(previous.slice(position), own.slice(position)),
    ],
    covered: decisions.covered.map(move),
    named: decisions.named.map(move),
    contradictions: decisions.contradictions.map(move),
  };
}

function readRules(rules: Uint8Array) {
  const records = [...parseRecords(rules, Infinity)];
  const [shared, groups] = [[], []] as [RobotsRecord[], ReturnType<typeof readGroups>];
  for (const group of readGroups(records)) {
    if (group.names.includes(ANY_AGENT)) shared.push(...group.records.filter(({ kind }) => isUsage(kind)));
    else groups.push(group);
  }
  return { groups, usage: shared, license: records.find(({ kind }) => kind === 'license') ?? null };
}

/** Joins lines with the same line ending. Otherwise, lines that end with CR and start with LF would count as one. */
const joinLines = (lines: readonly Uint8Array[]): Uint8Array =>
  concat(lines.flatMap((line) => [trimLineEnding(line), LINE_FEED]));

const LINE_FEED = Uint8Array.of(10);

const parseLines = (lines: readonly Uint8Array[]): RobotsRecord[] => [...parseRecords(joinLines(lines), Infinity)];

/** Replaces the values of lines. Their spelling, comments and line endings stay the same. */
function changeValues(lines: readonly Uint8Array[], changed: readonly ChangedValue[]): Uint8Array[] {
  const result = [...lines];
  for (const { record, value } of changed) {
    const text = new TextDecoder().decode(result[record.line - 1]);
    const start = text.indexOf(record.value, text.indexOf(':') + 1);
    const updated = text.slice(0, start) + value + text.slice(start + record.value.length);
    result[record.line - 1] = new TextEncoder().encode(updated);
  }
  return result;
}

/** Returns true if lines end with a group that has no rules yet. */
function isOpen(lines: readonly Uint8Array[]): boolean {
  let hasOpenGroup = false;
  for (const { kind } of parseLines(lines)) {
    if (kind === 'user-agent') hasOpenGroup = true;
    else if (kind === 'allow' || kind === 'disallow') hasOpenGroup = false;
  }
  return hasOpenGroup;
}

/** Returns true if a section between the lines wouldn't take any of them from one of the site's groups. */
function canSeparate(before: readonly Uint8Array[], after: readonly Uint8Array[]): boolean {
  const next = parseLines(after).find(({ kind }) => isGroupMember(kind));
  return next === undefined || (next.kind === 'user-agent' && !isOpen(before));
}

const isGroupMember = (kind: string): boolean =>
  ['user-agent', 'allow', 'disallow', 'crawl-delay'].includes(kind) || isUsage(kind);

function compareLines(before: readonly Uint8Array[], after: readonly Uint8Array[]): MergedLine[] {
  return after.flatMap((line, index): MergedLine[] =>
    line === before[index]
      ? [{ text: toText(line), change: null }]
      : [
          { text: toText(before[index]!), change: 'removed' },
          { text: toText(line), change: 'added' },
        ],
  );
}

/** Compares sections, ignoring the order of their lines. */
function compareSections(before: readonly Uint8Array[], after: readonly string[]): MergedLine[] {
  const removed = before.map(toText);
  const [oldLines, newLines] = [new Set(removed), new Set(after)];
  return [
    ...removed.filter((text) => !newLines.has(text)).map((text) => ({ text, change: 'removed' as const })),
    ...after.map((text) => ({ text, change: oldLines.has(text) || text === '' ? null : ('added' as const) })),
  ];
}

const toText = (line: Uint8Array): string => new TextDecoder().decode(trimLineEnding(line));

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

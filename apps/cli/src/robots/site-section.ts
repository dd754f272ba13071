import { MAX_ROBOTS_BYTES, mergeRobots, RobotsSectionError, type MergedRobots, type SiteDecision } from '#libs/robots';
import { CliError } from '../cli-error.js';
import { escapeInvisible, joinLimited, truncate } from '../terminal-text.js';
import { formatLine } from './decision-text.js';

interface SiteFile {
  content: Buffer;
  notes: string[];
}

/**
 * Merges rules into a site's robots.txt.
 *
 * @throws {CliError} if the lines that enclose the section aren't a pair.
 */
export function insertSection(name: string, site: Buffer, rules: Buffer): SiteFile {
  const merged = merge(name, site, rules);
  const content = Buffer.from(merged.content);
  return { content, notes: [...decisionNotes(merged), ...sizeNotes(content)] };
}

function merge(name: string, site: Buffer, rules: Buffer): MergedRobots {
  try {
    return mergeRobots(site, rules);
  } catch (error) {
    if (!(error instanceof RobotsSectionError)) throw error;
    throw new CliError(`${name} was not changed. ${error.message}`, {
      hint: 'Remove all of these lines, or leave one of each in this order.',
    });
  }
}

function decisionNotes({ covered, named, contradictions }: MergedRobots): string[] {
  const notes: [decisions: SiteDecision[], text: string][] = [
    [covered, 'Not added, because other groups already have the same effect'],
    [named, 'Also named by other groups, so the rules of both apply'],
  ];
  return [
    ...notes.flatMap(([decisions, text]) => {
      if (decisions.length === 0) return [];
      const names = joinLimited(
        decisions,
        ({ name, line }) => `${truncate(escapeInvisible(name), 80)} (line ${line.line})`,
        ', ',
      );
      return [`${text}: ${names}`];
    }),
    ...(contradictions.length === 0
      ? []
      : [
          `Lines that contradict these rules: ${joinLimited(contradictions, ({ name, line }) => `${formatLine(line)}, for ${truncate(escapeInvisible(name), 80)}`, '; ')}`,
        ]),
  ];
}

function sizeNotes({ length }: Buffer): string[] {
  if (length <= MAX_ROBOTS_BYTES) return [];
  return [`The file is longer than ${MAX_ROBOTS_BYTES / 1_024} KiB. Crawlers may ignore the rest.`];
}

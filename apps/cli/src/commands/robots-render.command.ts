import { RULE_FORMATS, type RuleFormat } from '#libs/contracts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CliError, EXIT } from '../cli-error.js';
import type { Connect } from '../instance.js';
import { readIfThere, replaceFile, type Replacement } from '../replaced-file.js';
import { isRobotsTxt, renderedRules } from '../robots/rendered-rules.js';
import { selectionOf, withSelection, type SelectionOptions } from '../robots/robots-options.js';
import { withSection } from '../robots/site-section.js';
import { count, plural } from '../terminal-text.js';
import { note, writeData } from '../output.js';

const HELP = `
Formats: blocks and grouped are lines for robots.txt; json and text are lists of
User-Agent tokens; nginx-map, apache, caddy and haproxy are parts of a server's
configuration that refuses these agents.

A file is written as a whole or not at all, and only when something changes;
standard error shows what changed.
--into keeps the rules between the lines "# agent-traffic begin" and
"# agent-traffic end" of a site's own robots.txt, and leaves the rest as it is.

Examples:
  agent-traffic robots render --type "AI Data Scraper" --type "Undocumented AI Agent"
  agent-traffic robots render --all-types --exclude-operator Google --disallow /private/
  agent-traffic robots render --type "AI Data Scraper" --into /var/www/html/robots.txt
  agent-traffic robots render --all-types --content-signal search=yes,ai-train=no
  agent-traffic robots render --type Scraper --format nginx-map --output /etc/nginx/conf.d/agent-traffic.conf`;

interface RenderOptions extends SelectionOptions {
  format: RuleFormat;
  output?: string;
  into?: string;
  contentSignal?: Record<string, boolean>;
  contentUsage?: Record<string, boolean>;
  license?: string;
}

export function renderCommand(connect: Connect): Command {
  return withSelection(new Command('render').description('render rules for agents of the chosen types'))
    .addOption(new Option('--format <format>', 'what for').choices(RULE_FORMATS).default('blocks'))
    .addOption(new Option('--output <file>', 'write to this file instead of standard output (-)').conflicts('into'))
    .option(
      '--content-signal <statements>',
      'state in robots.txt how content may be used: search, ai-input and ai-train, each yes or no',
      statements(['search', 'ai-input', 'ai-train']),
    )
    .option(
      '--content-usage <statements>',
      'the same in the terms of the IETF draft: train-ai and search, each yes or no',
      statements(['train-ai', 'search']),
    )
    .option('--license <url>', 'add the URL of the license of the content (RSL) to robots.txt')
    .option('--into <file>', "write into a site's own robots.txt, between two marked lines")
    .addHelpText('after', HELP)
    .action(async ({ format, output, into, contentSignal, contentUsage, license, ...options }: RenderOptions) => {
      const selection = {
        ...selectionOf(options),
        ...(contentSignal && { content_signal: contentSignal }),
        ...(contentUsage && { content_usage: contentUsage }),
        ...(license !== undefined && { license }),
      };
      if (!isRobotsTxt(format)) {
        assertFits(format, {
          '--disallow': options.disallow,
          '--into': into,
          '--content-signal': contentSignal,
          '--content-usage': contentUsage,
          '--license': license,
        });
      }
      const target = output === '-' ? undefined : (output ?? into);
      if (target === '') throw new CliError('The file has no name.', { exitCode: EXIT.usage });
      // Fails early if the file can't be read.
      if (target !== undefined) await readIfThere(target);
      const rules = await renderedRules(connect, options.project, selection, format);
      if (target === undefined) {
        writeData(rules);
        return;
      }
      // Read again after the request. Otherwise, an edit in the meantime would be lost.
      const previous = await readIfThere(target);
      const { content, notes } =
        into === undefined ? { content: rules, notes: [] } : withSection(into, previous ?? Buffer.alloc(0), rules);
      const replacement = await replaceFile(target, content);
      // Cron sends all output by mail, so an unattended run without changes prints nothing.
      if (replacement === 'unchanged' && !process.stderr.isTTY) return;
      note(described(target, replacement, previous, content));
      for (const each of notes) note(each);
    });
}

const YES_OR_NO: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['y', true],
  ['no', false],
  ['n', false],
]);

/** Returns a parser of statements such as `search=yes,ai-train=no`. Its results use the API's names. */
const statements =
  (names: readonly string[]) =>
  (text: string): Record<string, boolean> =>
    Object.fromEntries(
      text.split(',').map((statement) => {
        const [name = '', value = ''] = statement.split('=', 2).map((part) => part.trim().toLowerCase());
        const is = YES_OR_NO.get(value);
        if (!names.includes(name) || is === undefined) {
          throw new InvalidArgumentError(`Name any of ${names.join(', ')}, each with yes or no, such as search=yes.`);
        }
        return [name.replace('-', '_'), is] as const;
      }),
    );

function assertFits(format: RuleFormat, options: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    throw new CliError(`${name} is for robots.txt: it doesn't go with --format ${format}.`, { exitCode: EXIT.usage });
  }
}

function described(file: string, replacement: Replacement, previous: Buffer | null, content: Buffer): string {
  if (replacement === 'unchanged') return `${file} is up to date; it was left as it is.`;
  const [before, now] = [lineCounts(previous), lineCounts(content)];
  const [more, less] = [excess(now, before), excess(before, now)];
  const what = previous === null ? plural(more, 'line') : `${plural(more, 'line')} added, ${count(less)} removed`;
  return `${replacement === 'new' ? 'Wrote' : 'Changed'} ${file}: ${what}.`;
}

function lineCounts(content: Buffer | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of content?.toString('latin1').match(/[^\r\n]+/g) ?? [])
    counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Counts lines in `one` that are missing in `other`, in any order. Empty lines don't count. */
function excess(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let lines = 0;
  for (const [line, times] of one) lines += Math.max(0, times - (other.get(line) ?? 0));
  return lines;
}

import { ADDRESS_LIST_FORMATS, CONTENT_SIGNAL_USES, RULE_FORMATS } from '#libs/contracts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CliError, EXIT } from '../cli-error.js';
import type { Connect } from '../instance.js';
import { readIfExists, replaceFile, type Replacement } from '../replace-file.js';
import { isRobotsTxt, renderRules, type OutputFormat } from '../robots/render-rules.js';
import { parseSelection, addSelectionOptions, type SelectionOptions } from '../robots/robots-options.js';
import { insertSection } from '../robots/site-section.js';
import { count, plural } from '../terminal-text.js';
import { note, writeData } from '../output.js';

const HELP = `
Formats: blocks and grouped are for robots.txt. json and text are lists of
User-Agent tokens. nginx-map, apache, caddy and haproxy are server configuration
snippets that block these agents. nginx-geo, haproxy-addresses, nftables,
aws-ip-sets, crowdsec and anubis list the address ranges that these agents are
verified by, for example to exempt them from a challenge.

Files are replaced atomically, and only if their content changes. A summary of the
changes goes to standard error.
--into merges the rules into a site's existing robots.txt, between the lines
"# agent-traffic begin" and "# agent-traffic end". Your other lines stay, and
agents that they already keep out aren't named again.

Examples:
  agent-traffic robots render --type "AI Data Scraper" --type "Undocumented AI Agent"
  agent-traffic robots render --all-types --exclude-operator Google --disallow /private/
  agent-traffic robots render --type "AI Data Scraper" --into /var/www/html/robots.txt
  agent-traffic robots render --all-types --content-signal search=yes,ai-train=no
  agent-traffic robots render --type Scraper --format nginx-map --output /etc/nginx/conf.d/agent-traffic.conf
  agent-traffic robots render --type "Search Engine Crawler" --format nginx-geo --output /etc/nginx/conf.d/agents-geo.conf`;

interface RenderOptions extends SelectionOptions {
  format: OutputFormat;
  output?: string;
  into?: string;
  contentSignal?: Record<string, boolean | string>;
  contentUsage?: Record<string, boolean | string>;
  license?: string;
}

export function renderCommand(connect: Connect): Command {
  return addSelectionOptions(new Command('render').description('render rules for the selected agents'))
    .addOption(
      new Option('--format <format>', 'output format')
        .choices([...RULE_FORMATS, ...ADDRESS_LIST_FORMATS])
        .default('blocks'),
    )
    .addOption(
      new Option('--output <file>', 'output file; - for standard output (default: standard output)').conflicts('into'),
    )
    .option(
      '--content-signal <statements>',
      'permitted content uses to declare in robots.txt: search, ai-input and ai-train, each yes or no, and use (immediate, reference or full)',
      statementParser(['search', 'ai-input', 'ai-train'], CONTENT_SIGNAL_USES),
    )
    .option(
      '--content-usage <statements>',
      'like --content-signal, with the terms of the IETF draft: train-ai, ai-use and search, each yes or no',
      statementParser(['train-ai', 'ai-use', 'search']),
    )
    .option('--license <url>', 'URL of the content license (RSL) to declare in robots.txt')
    .option('--into <file>', "site's existing robots.txt to merge the rules into")
    .addHelpText('after', HELP)
    .action(async ({ format, output, into, contentSignal, contentUsage, license, ...options }: RenderOptions) => {
      const selection = {
        ...parseSelection(options),
        ...(contentSignal && { content_signal: contentSignal }),
        ...(contentUsage && { content_usage: contentUsage }),
        ...(license !== undefined && { license }),
      };
      if (!isRobotsTxt(format)) {
        assertRobotsTxtOnly(format, {
          '--disallow': options.disallow,
          '--into': into,
          '--content-signal': contentSignal,
          '--content-usage': contentUsage,
          '--license': license,
        });
      }
      const target = output === '-' ? undefined : (output ?? into);
      if (target === '') throw new CliError('The file name is empty.', { exitCode: EXIT.usage });
      // Fail before the request if the file can't be read.
      if (target !== undefined) await readIfExists(target);
      const rules = await renderRules(connect, options.project, selection, format);
      if (target === undefined) {
        writeData(rules);
        return;
      }
      // Read the file again after the request, so that edits made during the request aren't lost.
      const previous = await readIfExists(target);
      const { content, notes } =
        into === undefined ? { content: rules, notes: [] } : insertSection(into, previous ?? Buffer.alloc(0), rules);
      const replacement = await replaceFile(target, content);
      // Cron emails all output, so an unattended run without changes prints nothing.
      if (replacement === 'unchanged' && !process.stderr.isTTY) return;
      note(describeReplacement(target, replacement, previous, content));
      for (const text of notes) note(text);
    });
}

const YES_OR_NO: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['y', true],
  ['no', false],
  ['n', false],
]);

/** Returns a parser for statements such as `search=yes,ai-train=no`. The parsed keys are the API's field names. */
const statementParser =
  (names: readonly string[], uses: readonly string[] = []) =>
  (text: string): Record<string, boolean | string> =>
    Object.fromEntries(
      text.split(',').map((statement) => {
        const [name = '', value = ''] = statement.split('=', 2).map((part) => part.trim().toLowerCase());
        if (name === 'use' && uses.includes(value)) return [name, value] as const;
        const isAllowed = YES_OR_NO.get(value);
        if (!names.includes(name) || isAllowed === undefined) {
          throw new InvalidArgumentError(`Use any of ${names.join(', ')}, each with yes or no, such as search=yes.`);
        }
        return [name.replace('-', '_'), isAllowed] as const;
      }),
    );

function assertRobotsTxtOnly(format: OutputFormat, options: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    throw new CliError(`${name} only applies to robots.txt and can't be combined with --format ${format}.`, {
      exitCode: EXIT.usage,
    });
  }
}

function describeReplacement(file: string, replacement: Replacement, previous: Buffer | null, content: Buffer): string {
  if (replacement === 'unchanged') return `${file} is up to date.`;
  const [before, now] = [lineCounts(previous), lineCounts(content)];
  const [added, removed] = [countMissing(now, before), countMissing(before, now)];
  const what = previous === null ? plural(added, 'line') : `${plural(added, 'line')} added, ${count(removed)} removed`;
  return `${replacement === 'new' ? 'Wrote' : 'Changed'} ${file}: ${what}.`;
}

function lineCounts(content: Buffer | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of content?.toString('latin1').match(/[^\r\n]+/g) ?? [])
    counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Counts the lines in `one` that are missing from `other`, regardless of their order. */
function countMissing(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let lines = 0;
  for (const [line, times] of one) lines += Math.max(0, times - (other.get(line) ?? 0));
  return lines;
}

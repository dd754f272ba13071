import { Command } from 'commander';
import { EXIT } from '../cli-error.js';
import type { Connect } from '../instance.js';
import { describeComparison } from '../robots/comparison-text.js';
import { describeTruncation } from '../robots/decision-text.js';
import { renderRules } from '../robots/render-rules.js';
import { compareRobots } from '../robots/robots-comparison.js';
import { parseRobotsFile } from '#libs/robots';
import {
  allowPrivateOption,
  parseSelection,
  addSelectionOptions,
  type SelectionOptions,
} from '../robots/robots-options.js';
import { readRobots } from '../robots/robots-source.js';
import { rethrowAsRobotsError } from '../robots/robots-error.js';
import { note, print } from '../output.js';

const HELP = `
Compares the rules that apply to each agent, not the text of the files. For a
site's URL, compares the robots.txt on that site.

Exit codes: 0 no differences, 1 differences found, 2 usage error or unknown
result.

Examples:
  agent-traffic robots diff https://example.com --type "AI Data Scraper"
  agent-traffic robots diff /var/www/html/robots.txt --all-types --exclude-agent Googlebot
  ssh web cat /var/www/html/robots.txt | agent-traffic robots diff - --all-types --disallow /private/`;

interface DiffOptions extends SelectionOptions {
  allowPrivate?: boolean;
}

export function diffCommand(connect: Connect, exit: (code: number) => void): Command {
  return addSelectionOptions(
    new Command('diff').description('compare a robots.txt with the rules that would be rendered'),
  )
    .argument('<file|url|->', 'robots.txt to compare; - for standard input')
    .addOption(allowPrivateOption())
    .addHelpText('after', HELP)
    .action(async (from: string, { allowPrivate = false, ...options }: DiffOptions) => {
      const selection = parseSelection(options);
      const [source, rules] = await rethrowAsRobotsError(async () => [
        await readRobots(from, allowPrivate),
        await renderRules(connect, options.project, selection, 'blocks'),
      ]);
      const truncation = describeTruncation(source);
      if (truncation !== null) note(truncation);
      const comparison = compareRobots(parseRobotsFile(rules, Infinity), source.file);
      for (const line of describeComparison(comparison, source)) print(line);
      if (comparison.differences.length > 0) exit(EXIT.failure);
    });
}

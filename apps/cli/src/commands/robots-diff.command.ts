import { Command } from 'commander';
import { EXIT } from '../cli-error.js';
import type { Connect } from '../instance.js';
import { describeComparison } from '../robots/comparison-text.js';
import { describeCut } from '../robots/decision-text.js';
import { renderedRules } from '../robots/rendered-rules.js';
import { compareRobots } from '../robots/robots-comparison.js';
import { readRobotsFile } from '#libs/robots';
import { allowPrivateOption, selectionOf, withSelection, type SelectionOptions } from '../robots/robots-options.js';
import { readRobots } from '../robots/robots-source.js';
import { answering } from '../robots/robots-trouble.js';
import { note, print } from '../output.js';

const HELP = `
Compares meaning, not text: for each agent, the rules that apply to it. A site's
address stands for its robots.txt.

Exit codes: 0 no difference, 1 a difference, 2 wrong usage, or it cannot be
told.

Examples:
  agent-traffic robots diff https://example.com --type "AI Data Scraper"
  agent-traffic robots diff /var/www/html/robots.txt --all-types --exclude-agent Googlebot
  ssh web cat /var/www/html/robots.txt | agent-traffic robots diff - --all-types --disallow /private/`;

interface DiffOptions extends SelectionOptions {
  allowPrivate?: boolean;
}

export function diffCommand(connect: Connect, exit: (code: number) => void): Command {
  return withSelection(
    new Command('diff').description('show how a robots.txt differs from the rules that would be rendered'),
  )
    .argument('<file|url|->', 'the robots.txt')
    .addOption(allowPrivateOption())
    .addHelpText('after', HELP)
    .action(async (from: string, { allowPrivate = false, ...options }: DiffOptions) => {
      const selection = selectionOf(options);
      const [source, rules] = await answering(async () => [
        await readRobots(from, allowPrivate),
        await renderedRules(connect, options.project, selection, 'blocks'),
      ]);
      const cut = describeCut(source);
      if (cut !== null) note(cut);
      const comparison = compareRobots(readRobotsFile(rules, Infinity), source.file);
      for (const line of describeComparison(comparison, source)) print(line);
      if (comparison.differences.length > 0) exit(EXIT.failure);
    });
}

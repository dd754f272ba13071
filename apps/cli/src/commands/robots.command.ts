import { Command } from 'commander';
import type { Connect } from '../instance.js';
import { checkCommand } from './robots-check.command.js';
import { diffCommand } from './robots-diff.command.js';
import { recordCommand } from './robots-record.command.js';
import { renderCommand } from './robots-render.command.js';

const HELP = `
Examples:
  agent-traffic robots render --type "AI Data Scraper" --into /var/www/html/robots.txt
  agent-traffic robots diff https://example.com --type "AI Data Scraper"
  agent-traffic robots check https://example.com/private/a --user-agent GPTBot
  agent-traffic robots record /var/www/html/robots.txt`;

export function robotsCommand(connect: Connect, exit: (code: number) => void): Command {
  return new Command('robots')
    .summary('render, check, compare and record robots.txt')
    .description('render rules for agents, and compare, check or record a robots.txt')
    .addHelpText('after', HELP)
    .addCommand(renderCommand(connect))
    .addCommand(diffCommand(connect, exit))
    .addCommand(checkCommand(exit))
    .addCommand(recordCommand(connect));
}

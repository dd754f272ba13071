import { Command } from 'commander';
import { checkCommand } from './robots-check.command.js';

const HELP = `
Examples:
  agent-traffic robots check https://example.com/private/a --user-agent GPTBot`;

/** @param exit is told the exit code when it isn't 0. */
export function robotsCommand(exit: (code: number) => void): Command {
  return new Command('robots')
    .description('what agents may fetch: rules for robots.txt and for servers, and what a robots.txt says')
    .addHelpText('after', HELP)
    .addCommand(checkCommand(exit));
}

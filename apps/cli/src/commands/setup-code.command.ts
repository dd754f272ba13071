import { Command } from 'commander';
import type { Connect } from '../instance.js';
import { jsonOption } from '../options.js';
import { localTime } from '../terminal-text.js';
import { note, print, printJson } from '../output.js';

export function setupCodeCommand(connect: Connect): Command {
  return new Command('setup-code')
    .description('create a setup code for the first administrator, in place of any earlier one')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: boolean }) => {
      const { client } = await connect();
      const made = await client.post('/api/setup-codes', { body: {} });
      if (json) {
        printJson(made);
        return;
      }
      note(`The first administrator opens ${client.url}/setup#${made.code} before ${localTime(made.expires_at)}`);
      print(made.code);
    });
}

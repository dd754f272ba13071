import { Command } from 'commander';
import type { Connect } from '../instance.js';
import { jsonOption } from '../options.js';
import { localTime } from '../terminal-text.js';
import { note, print, printJson } from '../output.js';

export function setupCodeCommand(connect: Connect): Command {
  return new Command('setup-code')
    .summary('create a setup code for the first administrator')
    .description('create a setup code for the first administrator and invalidate any earlier code')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: boolean }) => {
      const { client } = await connect();
      const setupCode = await client.post('/api/setup-codes', { body: {} });
      if (json) {
        printJson(setupCode);
        return;
      }
      note(
        `To create the first administrator, open ${client.url}/setup#${setupCode.code} before ${localTime(setupCode.expires_at)}`,
      );
      print(setupCode.code);
    });
}

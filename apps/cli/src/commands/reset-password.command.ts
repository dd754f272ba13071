import { Command } from 'commander';
import type { Connect } from '../instance.js';
import { jsonOption } from '../options.js';
import { localTime } from '../terminal-text.js';
import { note, print, printJson } from '../output.js';

export function resetPasswordCommand(connect: Connect): Command {
  return new Command('reset-password')
    .description('create a one-time link to choose a new password, which ends all sessions of the account')
    .argument('<email>', 'address of the account')
    .addOption(jsonOption())
    .action(async (email: string, { json }: { json?: boolean }) => {
      const { client } = await connect();
      const made = await client.post('/api/password-resets', { body: { email } });
      if (json) {
        printJson(made);
        return;
      }
      note(`For ${made.email}, until ${localTime(made.expires_at)}:`);
      print(made.url);
    });
}

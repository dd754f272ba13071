import { Command } from 'commander';
import type { Connect } from '../instance.js';
import { jsonOption } from '../options.js';
import { localTime } from '../terminal-text.js';
import { note, print, printJson } from '../output.js';

export function resetPasswordCommand(connect: Connect): Command {
  return new Command('reset-password')
    .summary('create a one-time link for setting a new password')
    .description('create a one-time link to set a new password; using it ends all sessions of the account')
    .argument('<email>', "account's email address")
    .addOption(jsonOption())
    .action(async (email: string, { json }: { json?: boolean }) => {
      const { client } = await connect();
      const resetLink = await client.post('/api/password-resets', { body: { email } });
      if (json) {
        printJson(resetLink);
        return;
      }
      note(`Password reset link for ${resetLink.email}, valid until ${localTime(resetLink.expires_at)}:`);
      print(resetLink.url);
    });
}

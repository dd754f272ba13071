import { Command } from 'commander';
import type { Account } from '#libs/contracts';
import { CliError } from '../cli-error.js';
import type { Connect } from '../instance.js';
import { note } from '../output.js';
import { visible } from '../terminal-text.js';

export function removeSecondFactorCommand(connect: Connect): Command {
  return new Command('remove-second-factor')
    .description(
      'remove the second factor of somebody who lost it; their password is enough until they set one up again, and passkeys stay',
    )
    .argument('<email>', 'address of the account')
    .action(async (email: string) => {
      const { client } = await connect();
      const { users } = await client.get<{ users: Account[] }>('/api/users');
      const user = users.find((account) => account.email === email.trim().toLowerCase());
      if (user === undefined) throw new CliError(`There is no account with the address ${visible(email)}.`);
      await client.delete(`/api/users/${user.id}/second-factor`);
      note(`${user.email} signs in without a second factor from now on. Make sure that they asked for it.`);
    });
}

import { Command } from 'commander';
import { CliError } from '../cli-error.js';
import type { Connect } from '../instance.js';
import { note } from '../output.js';
import { visible } from '../terminal-text.js';

interface Removal {
  name: string;
  description: string;
  path: '/api/users/{userId}/second-factor' | '/api/users/{userId}/passkeys';
  done(email: string): string;
}

export const removeSecondFactorCommand = (connect: Connect): Command =>
  removalCommand(connect, {
    name: 'remove-second-factor',
    description:
      'remove the second factor of somebody who lost it; their password is enough until they set one up again, and passkeys stay',
    path: '/api/users/{userId}/second-factor',
    done: (email) => `${email} signs in without a second factor from now on. Make sure that they asked for it.`,
  });

export const removePasskeysCommand = (connect: Connect): Command =>
  removalCommand(connect, {
    name: 'remove-passkeys',
    description:
      'remove all passkeys of somebody, such as one of a lost device, and end the sessions that passkeys opened; the password and the second factor stay',
    path: '/api/users/{userId}/passkeys',
    done: (email) => `${email} signs in with the password from now on. Make sure that they asked for it.`,
  });

function removalCommand(connect: Connect, { name, description, path, done }: Removal): Command {
  return new Command(name)
    .description(description)
    .argument('<email>', 'address of the account')
    .action(async (email: string) => {
      const { client } = await connect();
      const { users } = await client.get('/api/users');
      const user = users.find((account) => account.email === email.trim().toLowerCase());
      if (user === undefined) throw new CliError(`There is no account with the address ${visible(email)}.`);
      await client.delete(path, { params: { path: { userId: user.id } } });
      note(done(user.email));
    });
}

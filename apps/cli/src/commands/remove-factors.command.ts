import { Command } from 'commander';
import { CliError } from '../cli-error.js';
import type { Connect } from '../instance.js';
import { note } from '../output.js';
import { escapeInvisible } from '../terminal-text.js';

interface Removal {
  name: string;
  summary: string;
  description: string;
  path: '/api/users/{userId}/second-factor' | '/api/users/{userId}/passkeys';
  done(email: string): string;
}

export const removeSecondFactorCommand = (connect: Connect): Command =>
  removalCommand(connect, {
    name: 'remove-second-factor',
    summary: 'remove a lost second factor from an account',
    description:
      "remove the second factor of an account whose owner lost it; the password is enough until a new one is set up, and passkeys aren't affected",
    path: '/api/users/{userId}/second-factor',
    done: (email) =>
      `${email} can now sign in without a second factor. Make sure that this person asked you to remove it.`,
  });

export const removePasskeysCommand = (connect: Connect): Command =>
  removalCommand(connect, {
    name: 'remove-passkeys',
    summary: 'remove all passkeys from an account',
    description:
      "remove all passkeys of an account, for example after a device was lost, and end sessions started with them; the password and second factor aren't affected",
    path: '/api/users/{userId}/passkeys',
    done: (email) =>
      `${email} now has to sign in with a password. Make sure that this person asked you to remove the passkeys.`,
  });

function removalCommand(connect: Connect, { name, summary, description, path, done }: Removal): Command {
  return new Command(name)
    .summary(summary)
    .description(description)
    .argument('<email>', "account's email address")
    .action(async (email: string) => {
      const { client } = await connect();
      const { users } = await client.get('/api/users');
      const user = users.find((account) => account.email === email.trim().toLowerCase());
      if (user === undefined) throw new CliError(`No account has the email address ${escapeInvisible(email)}.`);
      await client.delete(path, { params: { path: { userId: user.id } } });
      note(done(user.email));
    });
}

import { Command } from 'commander';
import type { Account, RevealedPasswordReset } from '#libs/contracts';
import { CliError } from '../cli-error.js';
import type { InstanceClient } from '../client.js';
import type { Connect } from '../instance.js';
import { jsonOption } from '../options.js';
import { localTime, table, visible } from '../terminal-text.js';

const HELP = `
Example, for somebody who forgot their password; the link goes to standard output:
  agent-traffic users reset-password ada@example.com`;

export function usersCommand(connect: Connect): Command {
  const users = new Command('users').description('the people who have an account').addHelpText('after', HELP);
  users
    .command('list')
    .description('list everybody who has an account')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: boolean }) => {
      const all = await listUsers((await connect()).client);
      if (json) console.log(JSON.stringify(all, null, 2));
      else console.log(table(['E-MAIL', 'NAME', 'RIGHTS', 'LAST SEEN'], all.map(row)));
    });
  users
    .command('reset-password')
    .description('make a link by which somebody chooses a new password, once and within a day')
    .argument('<email>', 'the address of their account')
    .addOption(jsonOption())
    .action(async (email: string, { json }: { json?: boolean }) => {
      const { client } = await connect();
      const all = await listUsers(client);
      const user = all.find((one) => one.email === email.toLowerCase());
      if (user === undefined) {
        const known = all.map((one) => visible(one.email)).join(', ') || 'nobody';
        throw new CliError(`Nobody has an account of ${visible(email)}.`, { hint: `There is ${known}.` });
      }
      const made = await client.post<RevealedPasswordReset>(`/api/users/${user.id}/password-resets`, {});
      if (json) {
        console.log(JSON.stringify(made, null, 2));
        return;
      }
      console.error(`${visible(user.email)} opens this before ${localTime(made.expires_at)}:`);
      console.log(made.url);
    });
  return users;
}

const listUsers = async (client: InstanceClient): Promise<Account[]> =>
  (await client.get<{ users: Account[] }>('/api/users')).users;

const row = ({ email, name, is_admin: isAdmin, projects, last_seen_at: lastSeenAt }: Account): string[] => [
  visible(email),
  visible(name),
  isAdmin ? 'administrator' : `${projects} project${projects === 1 ? '' : 's'}`,
  lastSeenAt ? localTime(lastSeenAt) : '-',
];

import { Command } from 'commander';
import type { ApiKey, NewApiKey, RevealedApiKey } from '#libs/contracts';
import type { Connect } from '../instance.js';
import { collect, jsonOption, parseExpiry } from '../options.js';
import { chooseProject, listProjects } from '../project.js';
import { localTime, table, visible } from '../terminal-text.js';
import { note, print, printJson } from '../output.js';

const HELP = `
Examples:
  agent-traffic api-keys create --name laptop
  agent-traffic api-keys create --name reporting --project "My site" --project "My shop"`;

interface CreateOptions {
  name?: string;
  project?: string[];
  expires?: string;
  readOnly?: boolean;
  json?: boolean;
}

export function apiKeysCommand(connect: Connect): Command {
  const keys = new Command('api-keys')
    .description('list, create and revoke the keys of programs, including this one')
    .addHelpText('after', HELP);
  keys
    .command('create')
    .description('create an API key, shown only once; standard output shows nothing else')
    .option('--name <name>', 'a name for it')
    .option(
      '-p, --project <name|id>',
      'limit the key to this project, repeatable; without it the key has admin rights',
      collect,
    )
    .option('--expires <time>', 'when it stops working: a date, a date-time, or in how many days (90d)', parseExpiry)
    .option('--read-only', 'let the key only read, as an assistant needs it')
    .addOption(jsonOption())
    .action(async ({ name, project, expires, readOnly, json }: CreateOptions) => {
      const { client } = await connect();
      const body: NewApiKey = name === undefined ? {} : { name };
      if (readOnly) body.is_read_only = true;
      if (expires !== undefined) body.expires_at = expires;
      if (project !== undefined) {
        const all = await listProjects(client);
        body.project_ids = [...new Set(project.map((wanted) => chooseProject(all, wanted).id))];
      }
      const created = await client.post<RevealedApiKey>('/api/api-keys', body);
      if (json) {
        printJson(created);
        return;
      }
      const projects = created.admin ? 'all projects' : `${created.project_ids.length} of the projects`;
      const reach = created.is_read_only
        ? `that only reads, for ${projects}`
        : created.admin
          ? 'with admin rights'
          : `for ${projects}`;
      note(`Created API key "${visible(created.name)}" ${created.id} ${reach}`);
      print(created.key);
    });
  keys
    .command('list')
    .description('list the API keys')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: boolean }) => {
      const { client } = await connect();
      const { api_keys: all } = await client.get<{ api_keys: ApiKey[] }>('/api/api-keys');
      if (json) printJson(all);
      else print(table(['ID', 'NAME', 'RIGHTS', 'CREATED', 'BY', 'LAST USED', 'REVOKED'], all.map(row)));
    });
  keys
    .command('revoke')
    .description('revoke an API key')
    .argument('<id>', "the key's id")
    .action(async (id: string) => {
      const { client } = await connect();
      await client.delete(`/api/api-keys/${encodeURIComponent(id)}`);
      print(`Revoked API key ${visible(id)}`);
    });
  return keys;
}

function rightsOf({ acts_as: person, admin, is_read_only: isReadOnly, project_ids: projects }: ApiKey): string {
  const ofProjects = `${projects.length} project${projects.length === 1 ? '' : 's'}`;
  const rights = person !== null ? `those of ${visible(person)}` : admin ? 'admin' : ofProjects;
  return isReadOnly ? `${rights}, read-only` : rights;
}

const row = (key: ApiKey): string[] => [
  key.id,
  visible(key.name),
  rightsOf(key),
  localTime(key.created_at),
  key.created_by === null ? '-' : visible(key.created_by),
  key.last_used_at === null ? 'never' : localTime(key.last_used_at),
  key.revoked_at ? localTime(key.revoked_at) : '-',
];

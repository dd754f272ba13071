import { Command } from 'commander';
import { API_KEY_SCOPES, type ApiKey, type ApiKeyScope, type NewApiKey } from '#libs/contracts';
import type { Connect } from '../instance.js';
import { collect, jsonOption, oneOf, parseExpiry } from '../options.js';
import { chooseProject, listProjects } from '../project.js';
import { localTime, table, visible } from '../terminal-text.js';
import { note, print, printJson } from '../output.js';

const HELP = `
Examples:
  agent-traffic api-keys create --name laptop
  agent-traffic api-keys create --name reporting --scope read --project "My site" --project "My shop"
  agent-traffic api-keys create --name deploy --scope write --project "My site" --expires 90d`;

interface CreateOptions {
  name?: string;
  project?: string[];
  expires?: string;
  scope?: string[];
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
      'limit the key to this project, repeatable; without it the key reaches all',
      collect,
    )
    .option(
      '--scope <scope>',
      `what it may be used for, repeatable: ${API_KEY_SCOPES.join(', ')}; without it all of them`,
      oneOf(API_KEY_SCOPES),
    )
    .option('--expires <time>', 'when it stops working: a date, a date-time, or in how many days (90d)', parseExpiry)
    .addOption(jsonOption())
    .action(async ({ name, project, scope, expires, json }: CreateOptions) => {
      const { client } = await connect();
      const body: NewApiKey = name === undefined ? {} : { name };
      if (scope !== undefined) body.scopes = [...new Set(scope)] as ApiKeyScope[];
      if (expires !== undefined) body.expires_at = expires;
      if (project !== undefined) {
        const all = await listProjects(client);
        body.project_ids = [...new Set(project.map((wanted) => chooseProject(all, wanted).id))];
      }
      const created = await client.post('/api/api-keys', { body });
      if (json) {
        printJson(created);
        return;
      }
      const scopes = created.scopes.join(', ');
      note(`Created API key "${visible(created.name)}" ${created.id} for ${projectsOf(created)} (${scopes})`);
      print(created.key);
    });
  keys
    .command('list')
    .description('list the API keys')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: boolean }) => {
      const { client } = await connect();
      const { api_keys: all } = await client.get('/api/api-keys');
      if (json) printJson(all);
      else
        print(
          table(
            ['ID', 'NAME', 'SCOPES', 'PROJECTS', 'ACTS AS', 'CREATED', 'BY', 'LAST USED', 'EXPIRES', 'REVOKED'],
            all.map(row),
          ),
        );
    });
  keys
    .command('revoke')
    .description('revoke an API key')
    .argument('<id>', "the key's id")
    .action(async (id: string) => {
      const { client } = await connect();
      await client.delete('/api/api-keys/{id}', { params: { path: { id } } });
      print(`Revoked API key ${visible(id)}`);
    });
  return keys;
}

function projectsOf({ acts_as: person, project_ids: projects }: ApiKey): string {
  if (projects !== null) return `${projects.length} project${projects.length === 1 ? '' : 's'}`;
  return person === null ? 'all projects' : 'all of theirs';
}

const row = (key: ApiKey): string[] => [
  key.id,
  visible(key.name),
  key.scopes.join(', '),
  projectsOf(key),
  key.acts_as === null ? '-' : visible(key.acts_as),
  localTime(key.created_at),
  key.created_by === null ? '-' : visible(key.created_by),
  key.last_used_at === null ? 'never' : localTime(key.last_used_at),
  key.expires_at === null ? '-' : localTime(key.expires_at),
  key.revoked_at ? localTime(key.revoked_at) : '-',
];

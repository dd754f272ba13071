import { Command } from 'commander';
import { API_KEY_SCOPES, type ApiKey, type ApiKeyScope, type NewApiKey } from '#libs/contracts';
import type { Connect } from '../instance.js';
import { collect, jsonOption, oneOf, parseExpiry } from '../options.js';
import { selectProject, listProjects } from '../project.js';
import { localTime, renderTable, escapeInvisible } from '../terminal-text.js';
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
  const keys = new Command('api-keys').description('list, create and revoke API keys').addHelpText('after', HELP);
  keys
    .command('create')
    .description('create an API key and print it once; standard output contains only the key')
    .option('--name <name>', 'name for the key')
    .option('-p, --project <name|id>', 'project that the key can access, repeatable (default: all projects)', collect)
    .option(
      '--scope <scope>',
      `scope of the key, repeatable: ${API_KEY_SCOPES.join(', ')} (default: all scopes)`,
      oneOf(API_KEY_SCOPES),
    )
    .option(
      '--expires <time>',
      'expiry: a date, a date-time, or a number of days from now, such as 90d (default: never)',
      parseExpiry,
    )
    .addOption(jsonOption())
    .action(async ({ name, project, scope, expires, json }: CreateOptions) => {
      const { client } = await connect();
      const body: NewApiKey = name === undefined ? {} : { name };
      if (scope !== undefined) body.scopes = [...new Set(scope)] as ApiKeyScope[];
      if (expires !== undefined) body.expires_at = expires;
      if (project !== undefined) {
        const all = await listProjects(client);
        body.project_ids = [...new Set(project.map((nameOrId) => selectProject(all, nameOrId).id))];
      }
      const createdKey = await client.post('/api/api-keys', { body });
      if (json) {
        printJson(createdKey);
        return;
      }
      const scopes = createdKey.scopes.join(', ');
      note(
        `Created API key "${escapeInvisible(createdKey.name)}" ${createdKey.id} for ${formatProjects(createdKey)} (${scopes})`,
      );
      print(createdKey.key);
    });
  keys
    .command('list')
    .description('list API keys')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: boolean }) => {
      const { client } = await connect();
      const { api_keys: all } = await client.get('/api/api-keys');
      if (json) printJson(all);
      else
        print(
          renderTable(
            ['ID', 'NAME', 'SCOPES', 'PROJECTS', 'ACTS AS', 'CREATED', 'BY', 'LAST USED', 'EXPIRES', 'REVOKED'],
            all.map(toRow),
          ),
        );
    });
  keys
    .command('revoke')
    .description('revoke an API key')
    .argument('<id>', 'API key ID')
    .action(async (id: string) => {
      const { client } = await connect();
      await client.delete('/api/api-keys/{id}', { params: { path: { id } } });
      print(`Revoked API key ${escapeInvisible(id)}`);
    });
  return keys;
}

function formatProjects({ acts_as: person, project_ids: projects }: ApiKey): string {
  if (projects !== null) return `${projects.length} project${projects.length === 1 ? '' : 's'}`;
  return person === null ? 'all projects' : 'all of their projects';
}

const toRow = (key: ApiKey): string[] => [
  key.id,
  escapeInvisible(key.name),
  key.scopes.join(', '),
  formatProjects(key),
  key.acts_as === null ? '-' : escapeInvisible(key.acts_as),
  localTime(key.created_at),
  key.created_by === null ? '-' : escapeInvisible(key.created_by),
  key.last_used_at === null ? 'never' : localTime(key.last_used_at),
  key.expires_at === null ? '-' : localTime(key.expires_at),
  key.revoked_at ? localTime(key.revoked_at) : '-',
];

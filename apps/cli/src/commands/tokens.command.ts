import { Command, Option } from 'commander';
import { TOKEN_PURPOSES, type AccessToken, type RevealedAccessToken, type TokenPurpose } from '#libs/contracts';
import { CliError, EXIT } from '../cli-error.js';
import type { InstanceClient } from '../client.js';
import type { Connect } from '../instance.js';
import { collect, jsonOption, parseExpiry, projectOption } from '../options.js';
import { findProject, listProjects, listTokens, revealToken } from '../project.js';
import { localTime, renderTable, escapeInvisible } from '../terminal-text.js';
import { note, print, printJson } from '../output.js';

const HELP = `
Examples:
  agent-traffic tokens list --reveal
  agent-traffic tokens create --project "My site" --name "web server"
  agent-traffic tokens create --name cdn --expires 90d --network 192.0.2.0/24
  agent-traffic tokens create --name logs --purpose drain
  agent-traffic tokens revoke 018f3c1e-5d7a-7c3b-9a51-0c6a2f5f1f10`;

interface Options {
  project?: string;
  json?: boolean;
}

interface CreateOptions extends Options {
  name?: string;
  expires?: string;
  network?: string[];
  purpose?: TokenPurpose[];
}

export function tokensCommand(connect: Connect): Command {
  const tokens = new Command('tokens')
    .description("list, create and revoke projects' access tokens")
    .addHelpText('after', HELP);
  tokens
    .command('list')
    .description("list a project's access tokens")
    .addOption(projectOption())
    .option('--reveal', 'show the complete tokens')
    .addOption(jsonOption())
    .action(async ({ project: projectName, reveal, json }: Options & { reveal?: boolean }) => {
      const { client } = await connect();
      const project = await findProject(client, projectName);
      let all: (AccessToken | RevealedAccessToken)[] = await listTokens(client, project.id);
      if (reveal) all = await Promise.all(all.map((token) => (token.revoked_at ? token : revealToken(client, token))));
      if (json) printJson(all);
      else
        print(
          renderTable(['ID', 'NAME', 'TOKEN', 'CREATED', 'REVOKED', 'EXPIRES', 'NETWORKS', 'PURPOSES'], all.map(toRow)),
        );
    });
  tokens
    .command('create')
    .description('create an access token and print it; standard output contains only the token')
    .addOption(projectOption())
    .option('--name <name>', 'name for the token')
    .option(
      '--expires <time>',
      'expiry: a date, a date-time, or a number of days from now, such as 90d (default: never)',
      parseExpiry,
    )
    .option('--network <cidr>', 'IP address or network that may use the token, repeatable (default: any)', collect)
    .addOption(
      new Option('--purpose <purpose...>', 'purposes that the token can be used for (default: all)').choices(
        TOKEN_PURPOSES,
      ),
    )
    .addOption(jsonOption())
    .action(async ({ project: projectName, name, expires, network, purpose, json }: CreateOptions) => {
      const { client } = await connect();
      const project = await findProject(client, projectName);
      const created = await client.post('/api/projects/{id}/tokens', {
        params: { path: { id: project.id } },
        body: {
          ...(name !== undefined && { name }),
          ...(expires !== undefined && { expires_at: expires }),
          ...(network !== undefined && { allowed_networks: network }),
          ...(purpose !== undefined && { purposes: [...new Set(purpose)] }),
        },
      });
      if (json) {
        printJson(created);
        return;
      }
      note(
        `Created token "${escapeInvisible(created.name)}" ${created.id} for project "${escapeInvisible(project.name)}"`,
      );
      print(created.token);
    });
  tokens
    .command('revoke')
    .description('revoke an access token, effective immediately')
    .argument('<id>', 'token ID, token hint, or the token itself')
    .addOption(projectOption())
    .action(async (idOrHint: string, { project }: Options) => {
      const { client } = await connect();
      const token = await findToken(client, idOrHint, project);
      await client.delete('/api/projects/{id}/tokens/{tokenId}', {
        params: { path: { id: token.project_id, tokenId: token.id } },
      });
      print(`Revoked token "${escapeInvisible(token.name)}" ${token.id}`);
    });
  return tokens;
}

async function findToken(
  client: InstanceClient,
  idOrHint: string,
  projectName: string | undefined,
): Promise<AccessToken> {
  const projects = projectName === undefined ? await listProjects(client) : [await findProject(client, projectName)];
  const all = (await Promise.all(projects.map(({ id }) => listTokens(client, id)))).flat();
  const found = all.find(({ id }) => id === idOrHint.toLowerCase());
  if (found) return found;
  const byHint = all.filter((token) => !token.revoked_at && token.hint !== '' && idOrHint.endsWith(token.hint));
  if (byHint.length === 1) return byHint[0]!;
  const problem = byHint.length > 1 ? 'Several tokens match' : 'No token matches';
  throw new CliError(`${problem} ${escapeInvisible(idOrHint)}.`, {
    hint: 'To list the tokens: agent-traffic tokens list',
    exitCode: EXIT.usage,
  });
}

const toRow = (token: AccessToken | RevealedAccessToken): string[] => [
  token.id,
  escapeInvisible(token.name),
  'token' in token ? token.token : `…${escapeInvisible(token.hint)}`,
  localTime(token.created_at),
  token.revoked_at ? localTime(token.revoked_at) : '-',
  token.expires_at ? localTime(token.expires_at) : '-',
  token.allowed_networks.join(', ') || '-',
  token.purposes.length === TOKEN_PURPOSES.length ? 'all' : escapeInvisible(token.purposes.join(', ')),
];

import { Command, Option } from 'commander';
import { TOKEN_PURPOSES, type AccessToken, type RevealedAccessToken, type TokenPurpose } from '#libs/contracts';
import { CliError, EXIT } from '../cli-error.js';
import type { InstanceClient } from '../client.js';
import type { Connect } from '../instance.js';
import { collect, jsonOption, parseExpiry, projectOption } from '../options.js';
import { findProject, listProjects, listTokens, revealToken } from '../project.js';
import { localTime, table, visible } from '../terminal-text.js';
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
    .description('list, create and revoke the access tokens of sites')
    .addHelpText('after', HELP);
  tokens
    .command('list')
    .description("list a project's tokens")
    .addOption(projectOption())
    .option('--reveal', 'show the tokens themselves')
    .addOption(jsonOption())
    .action(async ({ project: wanted, reveal, json }: Options & { reveal?: boolean }) => {
      const { client } = await connect();
      const project = await findProject(client, wanted);
      let all: (AccessToken | RevealedAccessToken)[] = await listTokens(client, project.id);
      if (reveal) all = await Promise.all(all.map((token) => (token.revoked_at ? token : revealToken(client, token))));
      if (json) printJson(all);
      else print(table(['ID', 'NAME', 'TOKEN', 'CREATED', 'REVOKED', 'EXPIRES', 'NETWORKS', 'PURPOSES'], all.map(row)));
    });
  tokens
    .command('create')
    .description('create a token; standard output shows nothing else')
    .addOption(projectOption())
    .option('--name <name>', 'a name for it')
    .option('--expires <time>', 'when it stops working: a date, a date-time, or in how many days (90d)', parseExpiry)
    .option('--network <cidr>', 'an address or network that it may be used from, repeatable', collect)
    .addOption(
      new Option(
        '--purpose <purpose...>',
        'what it may be used for: report visits, send log lines, ask, or forward',
      ).choices(TOKEN_PURPOSES),
    )
    .addOption(jsonOption())
    .action(async ({ project: wanted, name, expires, network, purpose, json }: CreateOptions) => {
      const { client } = await connect();
      const project = await findProject(client, wanted);
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
      note(`Created token "${visible(created.name)}" ${created.id} of project "${visible(project.name)}"`);
      print(created.token);
    });
  tokens
    .command('revoke')
    .description('revoke a token; the instance refuses it from then on')
    .argument('<id>', "the token's id, its hint or the token itself")
    .addOption(projectOption())
    .action(async (wanted: string, { project }: Options) => {
      const { client } = await connect();
      const token = await findToken(client, wanted, project);
      await client.delete('/api/projects/{id}/tokens/{tokenId}', {
        params: { path: { id: token.project_id, tokenId: token.id } },
      });
      print(`Revoked token "${visible(token.name)}" ${token.id}`);
    });
  return tokens;
}

async function findToken(
  client: InstanceClient,
  wanted: string,
  projectName: string | undefined,
): Promise<AccessToken> {
  const projects = projectName === undefined ? await listProjects(client) : [await findProject(client, projectName)];
  const all = (await Promise.all(projects.map(({ id }) => listTokens(client, id)))).flat();
  const found = all.find(({ id }) => id === wanted.toLowerCase());
  if (found) return found;
  const byHint = all.filter((token) => !token.revoked_at && token.hint !== '' && wanted.endsWith(token.hint));
  if (byHint.length === 1) return byHint[0]!;
  const fault = byHint.length > 1 ? 'Several tokens end in' : 'There is no token';
  throw new CliError(`${fault} ${visible(wanted)}.`, { hint: 'See: agent-traffic tokens list', exitCode: EXIT.usage });
}

const row = (token: AccessToken | RevealedAccessToken): string[] => [
  token.id,
  visible(token.name),
  'token' in token ? token.token : `…${visible(token.hint)}`,
  localTime(token.created_at),
  token.revoked_at ? localTime(token.revoked_at) : '-',
  token.expires_at ? localTime(token.expires_at) : '-',
  token.allowed_networks.join(', ') || '-',
  token.purposes.length === TOKEN_PURPOSES.length ? 'all' : visible(token.purposes.join(', ')),
];

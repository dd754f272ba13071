import { Command, Option } from 'commander';
import { CliError, EXIT } from '../cli-error.js';
import { UNKNOWN_VISITORS, type NewProject, type Project, type UnknownVisitors } from '#libs/contracts';
import type { Connect } from '../instance.js';
import { jsonOption } from '../options.js';
import { findProject, listProjects } from '../project.js';
import { localTime, renderTable, escapeInvisible } from '../terminal-text.js';
import { print, printJson } from '../output.js';

const HELP = `
Examples:
  agent-traffic projects list
  agent-traffic projects create "My site" --site-address https://example.com --time-zone Europe/Berlin
  agent-traffic projects delete "My site" --confirm "My site"`;

interface CreateOptions {
  siteAddress?: string;
  timeZone?: string;
  unknownVisitors?: UnknownVisitors;
  hostName?: string[];
  behind?: string[];
  json?: boolean;
}

export function projectsCommand(connect: Connect): Command {
  const projects = new Command('projects').description('list, create and delete projects').addHelpText('after', HELP);
  projects
    .command('list')
    .description('list projects')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: boolean }) => {
      const { client } = await connect();
      const all = await listProjects(client);
      if (json) printJson(all);
      else if (all.length === 0) print('No projects yet. Create one: agent-traffic projects create "My site"');
      else print(renderTable(['ID', 'NAME', 'SITE', 'TIME ZONE', 'CREATED'], all.map(toRow)));
    });
  projects
    .command('create')
    .description('create a project')
    .argument('<name>', 'project name')
    .option('--site-address <url>', 'URL of the site')
    .option('--host-name <name...>', 'host names of the site; signatures must be made for one of them')
    .option(
      '--behind <network...>',
      'proxies in front of the site: "directly" for none, "own-proxy", or networks such as Cloudflare (default: detected)',
    )
    .option('--time-zone <zone>', 'IANA time zone for charts, such as Europe/Berlin')
    .addOption(
      new Option('--unknown-visitors <mode>', 'data to store about unknown visitors').choices(UNKNOWN_VISITORS),
    )
    .addOption(jsonOption())
    .action(async (name: string, options: CreateOptions) => {
      const { client } = await connect();
      const body: NewProject = {
        name,
        ...(options.siteAddress === undefined ? {} : { site_address: options.siteAddress }),
        ...(options.hostName === undefined ? {} : { host_names: options.hostName }),
        ...(options.behind === undefined ? {} : { trusted_proxies: toTrustedProxies(options.behind) }),
        ...(options.timeZone === undefined ? {} : { time_zone: options.timeZone }),
        ...(options.unknownVisitors === undefined ? {} : { unknown_visitors: options.unknownVisitors }),
      };
      const project = await client.post('/api/projects', { body });
      if (options.json) {
        printJson(project);
        return;
      }
      print(`Created project "${escapeInvisible(project.name)}" ${project.id}`);
      print(`To create an access token for it: agent-traffic tokens create --project ${project.id}`);
    });
  projects
    .command('delete')
    .description('permanently delete a project and its settings, tokens and visits')
    .argument('<name|id>', 'project name or ID')
    .requiredOption('--confirm <name>', 'project name, to confirm the deletion')
    .action(async (nameOrId: string, { confirm }: { confirm: string }) => {
      const { client } = await connect();
      const project = await findProject(client, nameOrId);
      if (confirm !== project.name) {
        throw new CliError(
          `Nothing was deleted: --confirm doesn't match the project name "${escapeInvisible(project.name)}".`,
          {
            hint: 'Repeat the exact name with --confirm.',
            exitCode: EXIT.usage,
          },
        );
      }
      await client.delete('/api/projects/{id}', { params: { path: { id: project.id } } });
      print(`Deleted project "${escapeInvisible(project.name)}". Its visits are being deleted in the background.`);
    });
  return projects;
}

const toRow = (project: Project): string[] => [
  project.id,
  escapeInvisible(project.name),
  escapeInvisible(project.site_address ?? '-'),
  project.time_zone,
  localTime(project.created_at),
];

/** Converts `--behind` values to the `trusted_proxies` setting. */
function toTrustedProxies(behind: readonly string[]): NonNullable<NewProject['trusted_proxies']> {
  if (behind.includes('directly')) {
    if (behind.length > 1)
      throw new CliError("--behind directly can't be combined with proxies.", { exitCode: EXIT.usage });
    return { mode: 'none' };
  }
  return { networks: behind.filter((name) => name !== 'own-proxy') };
}

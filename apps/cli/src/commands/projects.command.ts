import { Command, Option } from 'commander';
import { CliError, EXIT } from '../cli-error.js';
import { UNKNOWN_VISITORS, type NewProject, type Project, type UnknownVisitors } from '#libs/contracts';
import type { Connect } from '../instance.js';
import { jsonOption } from '../options.js';
import { findProject, listProjects } from '../project.js';
import { localTime, table, visible } from '../terminal-text.js';
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
    .description('list the projects')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: boolean }) => {
      const { client } = await connect();
      const all = await listProjects(client);
      if (json) printJson(all);
      else if (all.length === 0) print('No projects yet. Create one: agent-traffic projects create "My site"');
      else print(table(['ID', 'NAME', 'SITE', 'TIME ZONE', 'CREATED'], all.map(row)));
    });
  projects
    .command('create')
    .description('create a project')
    .argument('<name>', "the project's name")
    .option('--site-address <url>', "the site's address")
    .option('--host-name <name...>', "the site's host names, for which signatures count")
    .option(
      '--behind <network...>',
      'how visitors reach the site: "directly", "own-proxy", or networks such as Cloudflare (default: detected)',
    )
    .option('--time-zone <zone>', 'IANA time zone of the charts, such as Europe/Berlin')
    .addOption(
      new Option('--unknown-visitors <mode>', 'what is kept of visits of unknown visitors').choices(UNKNOWN_VISITORS),
    )
    .addOption(jsonOption())
    .action(async (name: string, options: CreateOptions) => {
      const { client } = await connect();
      const body: NewProject = {
        name,
        ...(options.siteAddress === undefined ? {} : { site_address: options.siteAddress }),
        ...(options.hostName === undefined ? {} : { host_names: options.hostName }),
        ...(options.behind === undefined ? {} : { trusted_proxies: pathOf(options.behind) }),
        ...(options.timeZone === undefined ? {} : { time_zone: options.timeZone }),
        ...(options.unknownVisitors === undefined ? {} : { unknown_visitors: options.unknownVisitors }),
      };
      const project = await client.post('/api/projects', { body });
      if (options.json) {
        printJson(project);
        return;
      }
      print(`Created project "${visible(project.name)}" ${project.id}`);
      print(`It has no access token yet: agent-traffic tokens create --project ${project.id}`);
    });
  projects
    .command('delete')
    .description('permanently delete a project with its settings, tokens and visits')
    .argument('<name|id>', 'the project')
    .requiredOption('--confirm <name>', "the project's name once more")
    .action(async (wanted: string, { confirm }: { confirm: string }) => {
      const { client } = await connect();
      const project = await findProject(client, wanted);
      if (confirm !== project.name) {
        throw new CliError(`The project's name is "${visible(project.name)}", nothing was deleted.`, {
          hint: 'Repeat its name exactly with --confirm.',
          exitCode: EXIT.usage,
        });
      }
      await client.delete('/api/projects/{id}', { params: { path: { id: project.id } } });
      print(`Deleted project "${visible(project.name)}"; its visits are deleted in the background.`);
    });
  return projects;
}

const row = (project: Project): string[] => [
  project.id,
  visible(project.name),
  visible(project.site_address ?? '-'),
  project.time_zone,
  localTime(project.created_at),
];

/** Returns the `trusted_proxies` setting for the values of `--behind`. */
function pathOf(behind: readonly string[]): NonNullable<NewProject['trusted_proxies']> {
  if (behind.includes('directly')) {
    if (behind.length > 1)
      throw new CliError('--behind directly cannot be combined with proxies.', { exitCode: EXIT.usage });
    return { mode: 'none' };
  }
  return { networks: behind.filter((name) => name !== 'own-proxy') };
}

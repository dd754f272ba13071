import { Command } from 'commander';
import type { Sitemap, SitemapList } from '#libs/contracts';
import { CliError, EXIT } from '../cli-error.js';
import { readInputBytes } from '../input-file.js';
import type { Connect } from '../instance.js';
import { jsonOption, projectOption } from '../options.js';
import { print, printJson } from '../output.js';
import { findProject } from '../project.js';
import { count, escapeInvisible, plural, renderTable } from '../terminal-text.js';

const HELP = `
The instance reads the sitemaps in robots.txt, or /sitemap.xml, every six hours.

Examples:
  agent-traffic sitemaps list
  agent-traffic sitemaps refresh
  agent-traffic sitemaps record /var/www/html/sitemap.xml
  agent-traffic sitemaps record sitemap.xml.gz --host shop.example`;

/** First bytes of a gzip file. */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

interface Options {
  project?: string;
  host?: string;
  json?: boolean;
}

export function sitemapsCommand(connect: Connect): Command {
  const sitemaps = new Command('sitemaps')
    .description("list, read or record a site's sitemaps")
    .addHelpText('after', HELP);
  sitemaps
    .command('list')
    .description('list sitemaps and their problems')
    .addOption(projectOption())
    .addOption(jsonOption())
    .action(async ({ project, json }: Options) => {
      const { client } = await connect();
      const { id } = await findProject(client, project);
      printList(await client.get('/api/projects/{id}/sitemaps', { params: { path: { id } } }), json);
    });
  sitemaps
    .command('refresh')
    .description('read the sitemaps now')
    .addOption(projectOption())
    .addOption(jsonOption())
    .action(async ({ project, json }: Options) => {
      const { client } = await connect();
      const { id } = await findProject(client, project);
      const params = { path: { id } };
      printList(await client.post('/api/projects/{id}/sitemaps/refresh', { params, body: {} }), json);
    });
  sitemaps
    .command('record')
    .description("record a host's sitemap, for sites that the instance can't reach")
    .argument(
      '[file|-]',
      'XML sitemap or list of URLs, also compressed with gzip; an empty file removes it (default: standard input)',
    )
    .addOption(projectOption())
    .option('--host <name>', "one of the project's host names (default: the first)")
    .addOption(jsonOption())
    .action(async (file: string | undefined, { project, host, json }: Options) => {
      const bytes = await readInputBytes(file ?? '-');
      const isCompressed = bytes.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC);
      const content = isCompressed ? { compressed_text: bytes.toString('base64') } : { text: bytes.toString() };
      if (file === undefined && content.text?.trim() === '') {
        throw new CliError('Standard input is empty, so nothing was recorded.', {
          exitCode: EXIT.usage,
          hint: 'The command that writes to it may have failed. To remove the recorded sitemap, pass an empty file.',
        });
      }
      const { client } = await connect();
      const { id } = await findProject(client, project);
      const body = { ...content, ...(host !== undefined && { host }) };
      printList(await client.post('/api/projects/{id}/sitemaps', { params: { path: { id } }, body }), json);
    });
  return sitemaps;
}

function printList(list: SitemapList, json = false): void {
  if (json) return printJson(list);
  if (list.sitemaps.length === 0) {
    return print(
      list.checked_at === null
        ? 'No sitemaps have been read yet. Run `agent-traffic sitemaps refresh`.'
        : "Found no sitemaps: robots.txt lists none, and /sitemap.xml doesn't exist.",
    );
  }
  print(`${plural(list.pages, 'page')} in sitemaps.`);
  print('');
  print(renderTable(['SITEMAP', 'URLS', 'IGNORED', 'PROBLEM'], list.sitemaps.map(toRow)));
}

function toRow({ url, is_recorded: isRecorded, entries, ignored, fault, line }: Sitemap): string[] {
  const problem = fault === null ? '-' : `${fault}${line === null ? '' : ` (line ${line})`}`;
  const name = isRecorded ? `recorded for ${url}` : url;
  return [escapeInvisible(name), count(entries), count(ignored), escapeInvisible(problem)];
}

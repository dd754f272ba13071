import { Command } from 'commander';
import type { InstanceClient } from '../client.js';
import type { IdentificationResponse } from '../identify/identification-response.js';
import { readInput } from '../input-file.js';
import type { Connect } from '../instance.js';
import { collect, jsonOption } from '../options.js';
import { selectProject, listProjects } from '../project.js';
import { print, printJson } from '../output.js';

const HELP = `
Pass the headers as your site received them. As with visits, the client address
is taken only from these headers. If you captured the request in front of your
proxy, add the headers that the proxy adds, such as -H 'X-Forwarded-For: …'.

A file can contain a raw request head, header lines, a curl command, or headers
or a visit as JSON.

Examples:
  agent-traffic identify -H 'User-Agent: GPTBot/1.2' -H 'X-Forwarded-For: 20.171.206.1'
  agent-traffic identify curl https://example.com/x -A GPTBot/1.2
  agent-traffic identify --curl "curl 'https://example.com/x' -H 'user-agent: GPTBot/1.2'"
  agent-traffic identify --file request.txt --project "My site"
  agent-traffic visits tail --last 1 --json | head -1 | agent-traffic identify --file -`;

interface Options {
  header?: string[];
  method?: string;
  path?: string;
  project?: string;
  file?: string;
  curl?: string;
  json?: boolean;
}

export function identifyCommand(connect: Connect): Command {
  return new Command('identify')
    .summary('identify and verify the agent behind a request')
    .description('identify and verify the agent that sent a request, and show the evidence')
    .argument('[curl...]', 'curl command that sends the request')
    .option('-H, --header <header>', 'additional request header ("Name: value"), repeatable', collect)
    .option('--method <method>', 'request method')
    .option('--path <path>', 'request path, including the query string')
    .option('--file <file>', 'file that contains the request; - for standard input')
    .option('--curl <command>', 'curl command that sends the request, quoted as one argument')
    .option('-p, --project <name|id>', 'project whose proxies and host names apply (default: the only project)')
    .addOption(jsonOption())
    .passThroughOptions()
    .addHelpText('after', HELP)
    .action(async (words: string[], options: Options) => {
      // Imported lazily so other commands start faster.
      const [{ gatherRequest }, { renderIdentification }] = await Promise.all([
        import('../identify/gather-request.js'),
        import('../identify/identification-text.js'),
      ]);
      const request = await gatherRequest({ words, ...options }, (file) => readInput(file, '--file'));
      const { client } = await connect();
      const projectId = await findProjectId(client, options.project ?? request.projectId);
      const body = {
        ...(projectId === undefined ? {} : { project_id: projectId }),
        ...(request.method === undefined ? {} : { request_method: request.method }),
        ...(request.path === undefined ? {} : { request_path: request.path }),
        ...(request.clientAddress === undefined ? {} : { client_address: request.clientAddress }),
        request_headers: request.headers,
      };
      const response = await client.post('/api/identifications', { body });
      if (options.json) printJson(response);
      else print(renderIdentification(response as IdentificationResponse));
    });
}

/** Returns the requested or only project. Returns undefined to identify the request without a project's settings. */
async function findProjectId(client: InstanceClient, nameOrId: string | undefined): Promise<string | undefined> {
  const projects = await listProjects(client);
  if (nameOrId !== undefined) return selectProject(projects, nameOrId).id;
  return projects.length === 1 ? projects[0]!.id : undefined;
}

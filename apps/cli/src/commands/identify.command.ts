import { Command } from 'commander';
import type { InstanceClient } from '../client.js';
import type { IdentificationAnswer } from '../identify/identification-answer.js';
import { readInput } from '../input-file.js';
import type { Connect } from '../instance.js';
import { collect, jsonOption } from '../options.js';
import { chooseProject, listProjects } from '../project.js';
import { print, printJson } from '../output.js';

const HELP = `
Give the headers as they arrived at the site. The address is read from them
only, as it is for visits. If you copied them before your proxy saw them,
add what the proxy adds: -H 'X-Forwarded-For: …'.

A file contains the head of a raw request, header lines, headers or a visit as
JSON, or a curl command.

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
    .description('identify the agent that sent a request and verify it, with the evidence')
    .argument('[curl...]', 'a curl command that makes the request')
    .option('-H, --header <header>', 'a header, "Name: value", repeatable; added to the others', collect)
    .option('--method <method>', "the request's method")
    .option('--path <path>', "the request's path, with its query")
    .option('--file <file>', 'read the request from a file; - is standard input')
    .option('--curl <command>', 'read the request from a curl command, quoted as one argument')
    .option(
      '-p, --project <name|id>',
      'the project whose proxies and host names count; not needed when there is only one',
    )
    .addOption(jsonOption())
    .passThroughOptions()
    .addHelpText('after', HELP)
    .action(async (words: string[], options: Options) => {
      // Loaded lazily, so other commands start faster.
      const [{ gatherRequest }, { renderIdentification }] = await Promise.all([
        import('../identify/gather-request.js'),
        import('../identify/identification-text.js'),
      ]);
      const request = await gatherRequest({ words, ...options }, readInput);
      const { client } = await connect();
      const projectId = await projectIdOf(client, options.project ?? request.projectId);
      const body = {
        ...(projectId === undefined ? {} : { project_id: projectId }),
        ...(request.method === undefined ? {} : { request_method: request.method }),
        ...(request.path === undefined ? {} : { request_path: request.path }),
        ...(request.clientAddress === undefined ? {} : { client_address: request.clientAddress }),
        request_headers: request.headers,
      };
      const answer = await client.post('/api/identifications', { body });
      if (options.json) printJson(answer);
      else print(renderIdentification(answer as IdentificationAnswer));
    });
}

/** Returns the ID of the requested or only project. Otherwise undefined: no project's settings apply. */
async function projectIdOf(client: InstanceClient, wanted: string | undefined): Promise<string | undefined> {
  const projects = await listProjects(client);
  if (wanted !== undefined) return chooseProject(projects, wanted).id;
  return projects.length === 1 ? projects[0]!.id : undefined;
}

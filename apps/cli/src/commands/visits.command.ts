import { Command, InvalidArgumentError, Option } from 'commander';
import { IDENTIFICATION_RESULTS } from '#libs/contracts';
import type { TestVisit } from '../catalogue-interface.js';
import type { Connect } from '../instance.js';
import { onInterrupt } from '../interrupt.js';
import { collect, jsonOption, projectOption, wholeNumber } from '../options.js';
import { findProject } from '../project.js';
import { describeTestVisit, sendTestVisit } from '../test-visit.js';
import { tailVisits, type TailOptions } from '../visit-tail.js';

const TEST_HELP = `
The instance signs the request as its test agent (Web Bot Auth); this machine
sends it, once, and follows no redirect. Use it to see whether a site reports
its visits, and whether what stands before the site leaves signatures whole.

Example:
  agent-traffic visits test https://example.com/`;

const HELP = `
Verdicts: ✔ verified, ✖ spoofed (the verification failed), ? not verifiable, · unknown agent or a person.

Examples:
  agent-traffic visits tail
  agent-traffic visits tail --agent GPTBot --agent ClaudeBot
  agent-traffic visits tail --result verification_failed --json | jq .client_address`;

export function visitsCommand(connect: Connect): Command {
  const visits = new Command('visits').description('watch visits, and make one to test');
  visits
    .command('tail')
    .description('show the latest visits and then every new one, until Ctrl-C')
    .addOption(projectOption('the project to watch'))
    .option('--agent <token|id>', 'only this agent, repeatable', collect)
    .addOption(
      new Option('--result <result>', `only this result, repeatable: ${IDENTIFICATION_RESULTS.join(', ')}`).argParser(
        collectResult,
      ),
    )
    .option('-n, --last <n>', 'how many of the latest visits to start with', wholeNumber(0, 1_000), 10)
    .option('--json', 'print each visit as one line of JSON')
    .addHelpText('after', HELP)
    .action(async (options: TailOptions & { project?: string }) => {
      const { client } = await connect();
      const project = await findProject(client, options.project);
      const { signal, dispose } = onInterrupt();
      try {
        await tailVisits(client, project, options, signal);
      } finally {
        dispose();
      }
    });
  visits
    .command('test')
    .description('visit a site once as a signed test agent')
    .argument('<url>', 'a page of the site', parseUrl)
    .addOption(jsonOption())
    .addHelpText('after', TEST_HELP)
    .action(async (url: string, { json }: { json?: boolean }) => {
      const { client } = await connect();
      const visit = await client.post<TestVisit>('/api/test-visits', { url });
      const answer = await sendTestVisit(visit);
      console.log(json ? JSON.stringify({ ...visit, answer }, null, 2) : describeTestVisit(visit, answer));
    });
  return visits;
}

function parseUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError('It must be an http(s) address such as https://example.com/.');
  }
  return text;
}

function collectResult(value: string, all: string[] = []): string[] {
  if (!IDENTIFICATION_RESULTS.some((result) => result === value)) {
    throw new InvalidArgumentError(`Allowed choices are ${IDENTIFICATION_RESULTS.join(', ')}.`);
  }
  return collect(value, all);
}

import { Command } from 'commander';
import type { DeadLetter } from '#libs/contracts';
import { CliError, EXIT } from '../cli-error.js';
import type { InstanceClient } from '../client.js';
import { renderDeadLetter } from '../dead-letter-text.js';
import { listDeadLetters, findUnreplayedIds, replayDeadLetters } from '../dead-letters.js';
import type { Connect } from '../instance.js';
import { jsonOption, integerParser } from '../options.js';
import { findProject } from '../project.js';
import { localTime, plural, renderTable, escapeInvisible } from '../terminal-text.js';
import { print, printJson, writeData } from '../output.js';

const HELP = `
Dead letters are visits and messages that could not be processed. They are stored as received, with the reason.

Examples:
  agent-traffic dead-letters list
  agent-traffic dead-letters show 018f3c1e-5d7a-7c3b-9a51-0c6a2f5f1f10
  agent-traffic dead-letters show --raw 018f3c1e-5d7a-7c3b-9a51-0c6a2f5f1f10 > letter.json
  agent-traffic dead-letters replay --all`;

interface Options {
  project?: string;
  limit: number;
  json?: boolean;
}

export function deadLettersCommand(connect: Connect): Command {
  const letters = new Command('dead-letters')
    .summary("inspect and replay visits that couldn't be processed")
    .description('list, inspect and replay visits and messages that could not be processed')
    .addHelpText('after', HELP);
  letters
    .command('list')
    .description('list dead letters, newest first')
    .option('-p, --project <name|id>', 'only dead letters from this project')
    .option('--limit <n>', 'maximum number of dead letters', integerParser(1, 1_000_000), 50)
    .addOption(jsonOption())
    .action(async ({ project, limit, json }: Options) => {
      const { client } = await connect();
      const all: DeadLetter[] = [];
      const projectId = await findProjectId(client, project);
      for await (const letter of listDeadLetters(client, projectId, limit)) if (all.push(letter) >= limit) break;
      if (json) printJson(all);
      else if (all.length === 0) print('No dead letters found.');
      else print(renderTable(['ID', 'FAILED', 'REASON', 'STEP', 'BYTES', 'REPLAYED', 'DETAIL'], all.map(toRow)));
    });
  letters
    .command('show')
    .description("show a dead letter's headers and bytes")
    .argument('<id>', 'dead letter ID')
    .option('--raw', 'write only the bytes, as received')
    .addOption(jsonOption())
    .action(async (id: string, { raw, json }: { raw?: boolean; json?: boolean }) => {
      const { client } = await connect();
      const letter = await client.get('/api/dead-letters/{id}', { params: { path: { id } } });
      if (raw) writeData(Buffer.from(letter.value_base64, 'base64'));
      else if (json) printJson(letter);
      else print(renderDeadLetter(letter));
    });
  letters
    .command('replay')
    .description('return dead letters to their topics to be processed again')
    .argument('[id...]', 'dead letter IDs')
    .option('--all', 'all dead letters that have not been replayed yet')
    .option('-p, --project <name|id>', 'with --all: only dead letters from this project')
    .action(async (ids: string[], { all, project }: { all?: boolean; project?: string }) => {
      if (ids.length > 0 === (all ?? false)) {
        throw new CliError('Specify either dead letter IDs or --all.', { exitCode: EXIT.usage });
      }
      const { client } = await connect();
      const letterIds = all ? await findUnreplayedIds(client, await findProjectId(client, project)) : ids;
      const replayedCount = await replayDeadLetters(client, letterIds);
      print(`Replayed ${plural(replayedCount, 'dead letter')}.`);
    });
  return letters;
}

const findProjectId = async (client: InstanceClient, project: string | undefined): Promise<string | undefined> =>
  project === undefined ? undefined : (await findProject(client, project)).id;

const toRow = (letter: DeadLetter): string[] => [
  letter.id,
  localTime(letter.failed_at),
  escapeInvisible(letter.reason),
  escapeInvisible(letter.step),
  String(letter.size),
  letter.replayed_at ? localTime(letter.replayed_at) : '-',
  escapeInvisible(letter.detail),
];

import { Command } from 'commander';
import type { DeadLetter } from '#libs/contracts';
import { CliError, EXIT } from '../cli-error.js';
import type { InstanceClient } from '../client.js';
import { renderDeadLetter } from '../dead-letter-text.js';
import { deadLetters, openDeadLetters, replayDeadLetters } from '../dead-letters.js';
import type { Connect } from '../instance.js';
import { jsonOption, wholeNumber } from '../options.js';
import { findProject } from '../project.js';
import { localTime, plural, table, visible } from '../terminal-text.js';
import { print, printJson, writeData } from '../output.js';

const HELP = `
Dead letters are visits and messages that could not be processed, kept with their bytes and the reason.

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
    .description('list, inspect and replay what could not be processed')
    .addHelpText('after', HELP);
  letters
    .command('list')
    .description('list dead letters, newest first')
    .option('-p, --project <name|id>', 'only those of this project')
    .option('--limit <n>', 'how many', wholeNumber(1, 1_000_000), 50)
    .addOption(jsonOption())
    .action(async ({ project, limit, json }: Options) => {
      const { client } = await connect();
      const all: DeadLetter[] = [];
      const projectId = await idOf(client, project);
      for await (const letter of deadLetters(client, projectId, limit)) if (all.push(letter) >= limit) break;
      if (json) printJson(all);
      else if (all.length === 0) print('No dead letters.');
      else print(table(['ID', 'FAILED', 'REASON', 'STEP', 'BYTES', 'REPLAYED', 'DETAIL'], all.map(row)));
    });
  letters
    .command('show')
    .description("show a dead letter's headers and bytes")
    .argument('<id>', "the dead letter's id")
    .option('--raw', 'write only the bytes, as they came')
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
    .description('put dead letters back on their topic, to be processed again')
    .argument('[id...]', 'the ids of the dead letters')
    .option('--all', 'all that have not been replayed yet')
    .option('-p, --project <name|id>', 'with --all: only those of this project')
    .action(async (ids: string[], { all, project }: { all?: boolean; project?: string }) => {
      if (ids.length > 0 === (all ?? false)) {
        throw new CliError('Name the dead letters to replay by their ids, or use --all.', { exitCode: EXIT.usage });
      }
      const { client } = await connect();
      const wanted = all ? await openDeadLetters(client, await idOf(client, project)) : ids;
      const replayed = await replayDeadLetters(client, wanted);
      print(`Replayed ${plural(replayed, 'dead letter')}.`);
    });
  return letters;
}

const idOf = async (client: InstanceClient, project: string | undefined): Promise<string | undefined> =>
  project === undefined ? undefined : (await findProject(client, project)).id;

const row = (letter: DeadLetter): string[] => [
  letter.id,
  localTime(letter.failed_at),
  visible(letter.reason),
  visible(letter.step),
  String(letter.size),
  letter.replayed_at ? localTime(letter.replayed_at) : '-',
  visible(letter.detail),
];

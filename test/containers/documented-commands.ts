/** Commands of `docker compose` in the documents, run as they stand there. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ComposeProject, ROOT } from './podman.ts';

/** Commands of the blocks of a page that begin with `docker compose`, each on one line. */
async function commandsOf(page: string): Promise<string[]> {
  const text = await readFile(join(ROOT, 'docs', page), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block!);
  return blocks.flatMap((block) =>
    block
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .filter((line) => line.startsWith('docker compose ')),
  );
}

/** What the commands print, among other things. */
const PRINTED = ['"status":"ok"', '✓ instance', '✓ kafka', 'Replayed 0 dead letters and 0 requests.'];

/** Runs those of the run book, and the replay after a restore. @throws when one fails, or prints something else. */
export async function tryCommands(project: ComposeProject): Promise<string> {
  const replays = (await commandsOf('operations/backup.md')).filter((command) => command.includes(' visits replay '));
  const commands = [...(await commandsOf('runbook.md')), ...replays];
  const printed = await project.shell(commands);
  for (const part of PRINTED) {
    if (!printed.includes(part)) throw new Error(`the commands of the documents do not print ${part}:\n${printed}`);
  }
  return `the ${commands.length} commands of the run book and the replay work`;
}

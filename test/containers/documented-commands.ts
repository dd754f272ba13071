/** Runs the `docker compose` commands from the documentation unchanged. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ComposeProject, ROOT } from './podman.ts';

/** Returns the `docker compose` commands in a page's code blocks, each joined into one line. */
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

/** Excerpts of the expected output. */
const PRINTED = ['"status":"ok"', '✓ instance', '✓ kafka', 'Replayed 0 dead letters and 0 requests.'];

/**
 * Runs the commands of the runbook, and the replay after a restore.
 * @throws if a command fails, or if expected output is missing.
 */
export async function tryCommands(project: ComposeProject): Promise<string> {
  const replays = (await commandsOf('operations/backup.md')).filter((command) => command.includes(' visits replay '));
  const commands = [...(await commandsOf('runbook.md')), ...replays];
  const printed = await project.shell(commands);
  for (const part of PRINTED) {
    if (!printed.includes(part)) throw new Error(`the commands of the documents do not print ${part}:\n${printed}`);
  }
  return `the ${commands.length} commands of the run book and the replay work`;
}

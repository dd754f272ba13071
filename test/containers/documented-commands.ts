/** Runs the `docker compose` commands in the documentation exactly as written. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ComposeProject, ROOT } from './podman.ts';

/** Returns the `docker compose` commands in a page's code blocks, with continuation lines joined. */
async function readCommands(page: string): Promise<string[]> {
  const text = await readFile(join(ROOT, 'docs', page), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block!);
  return blocks.flatMap((block) =>
    block
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .filter((line) => line.startsWith('docker compose ')),
  );
}

/** Excerpts that the output must contain. */
const EXPECTED_OUTPUT = ['"status":"ok"', '✓ instance', '✓ kafka', 'Replayed 0 dead letters and 0 requests.'];

/**
 * Runs the commands in the runbook and the replay command for restores.
 *
 * @throws {Error} if a command fails or expected output is missing
 */
export async function runDocumentedCommands(project: ComposeProject): Promise<string> {
  const replays = (await readCommands('operations/backup.md')).filter((command) => command.includes(' visits replay '));
  const commands = [...(await readCommands('runbook.md')), ...replays];
  const printed = await project.shell(commands);
  for (const part of EXPECTED_OUTPUT) {
    if (!printed.includes(part)) throw new Error(`The documented commands didn't print ${part}:\n${printed}`);
  }
  return `The ${commands.length} documented commands work`;
}

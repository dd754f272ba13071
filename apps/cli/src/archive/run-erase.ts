import 'reflect-metadata';
import { parseAddress } from '#libs/agents';
import type { ArchivedDay } from '#libs/archive';
import { createAddressMatcher, type LockCheck } from '#libs/visit-store';
import { ByteProgress } from '../backup/byte-progress.js';
import { CliError, EXIT } from '../cli-error.js';
import { onInterrupt } from '../interrupt.js';
import { print } from '../output.js';
import { plural } from '../terminal-text.js';
import { withDatabase, withExclusiveArchive } from './archive-database.js';
import { requireArchive, selectProjects, sumBytes, UnreadableDays } from './archived-days.js';
import { readArchiveSettings } from './env.js';

export interface EraseOptions {
  address?: string;
  project?: string;
  confirm?: string;
}

/**
 * Erases archived visits that contain an address, in one or all projects, or all archived visits in a project.
 *
 * @throws {CliError} if the options are incomplete or the confirmation doesn't match.
 */
export async function runErase({ address, project, confirm }: EraseOptions): Promise<void> {
  const expected = address ?? project;
  if (expected === undefined) {
    throw new CliError('Specify what to erase with --address or --project.', { exitCode: EXIT.usage });
  }
  const canonical = address === undefined ? null : parseAddress(address)?.text;
  if (canonical === undefined) {
    throw new CliError(`--address must be an IP address (got "${address}").`, { exitCode: EXIT.usage });
  }
  if (confirm?.toLowerCase() !== expected.toLowerCase()) {
    throw new CliError(`--confirm doesn't match "${expected}". Nothing was erased.`, {
      hint: 'Repeat the exact value with --confirm.',
      exitCode: EXIT.usage,
    });
  }
  const settings = readArchiveSettings();
  const archive = requireArchive(settings);
  const contains = canonical === null ? null : createAddressMatcher(canonical);
  const erasure = {
    projectId: project ?? null,
    matches: contains && (({ document }: { document: string }) => contains(document)),
  };
  const { signal, dispose } = onInterrupt();
  const progress = new ByteProgress('Searched');
  const unreadable = new UnreadableDays();
  let erased = 0;
  const erase = async (checkLock: LockCheck): Promise<void> => {
    // Every day can contain files of the project that an interrupted attempt left behind.
    const days: ArchivedDay[] = [];
    for await (const day of archive.list({ onUnreadable: unreadable.add })) days.push(day);
    progress.start(days.reduce((sum, day) => sum + sumBytes(selectProjects(day, project)), 0));
    for (const day of days) {
      await unreadable.skip(async () => {
        erased += await archive.erase(day, erasure, { signal, checkLock });
      });
      progress.add(sumBytes(selectProjects(day, project)));
    }
  };
  try {
    await withDatabase(settings, (dataSource) => withExclusiveArchive(dataSource, signal, erase));
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CliError('Interrupted. To continue, run the same command again.', { cause: error });
  } finally {
    progress.stop();
    dispose();
  }
  print(`Erased ${plural(erased, 'visit')} from the archive.`);
  unreadable.check();
}

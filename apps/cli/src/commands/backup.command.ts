import { resolve } from 'node:path';
import { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.js';
import { readEnv } from '../env.js';
import { onInterrupt } from '../interrupt.js';
import { note, print } from '../output.js';
import { count, localTime } from '../terminal-text.js';

const BACKUP_HELP = `
The file has everything: visits, settings, accounts, and the keys that decrypt them. Keep it where nobody else can read it.
Run this on the machine of the instance, as the user that the instance runs as or as root; the instance continues to run.
It is for the embedded PostgreSQL; docs/operations/backup.md says what to save of a PostgreSQL of your own.

Environment:
  DATA_DIR   folder of the instance (default: ./data)`;

const RESTORE_HELP = `
DATA_DIR must be empty or absent. The next start of the instance continues with what the backup has.

Environment:
  DATA_DIR   folder of the instance (default: ./data)

Example:
  DATA_DIR=./restored agent-traffic restore agent-traffic-2026-11-24.tar.zst
  DATA_DIR=./restored npm start`;

export function backupCommand(): Command {
  return new Command('backup')
    .description('save all data of the instance on this machine in one file, while it runs')
    .argument('[file]', 'where to write it (default: agent-traffic-<date>.tar.zst)')
    .addHelpText('after', BACKUP_HELP)
    .action(async (file: string = `agent-traffic-${new Date().toISOString().slice(0, 10)}.tar.zst`) => {
      const [{ runBackup }, { ByteProgress, megabytes }] = await Promise.all([
        import('../backup/run-backup.js'),
        import('../backup/byte-progress.js'),
      ]);
      const size = await interruptible('Saved', ByteProgress, (progress, signal) =>
        runBackup(dataDirectory(), resolve(file), progress, signal),
      );
      note(`Saved ${count(megabytes(size))} MB. To try it: DATA_DIR=<a new folder> agent-traffic restore ${file}`);
      print(resolve(file));
    });
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('unpack a backup into an empty DATA_DIR')
    .argument('<file>', 'a file that "agent-traffic backup" wrote')
    .addHelpText('after', RESTORE_HELP)
    .action(async (file: string) => {
      const [{ runRestore }, { ByteProgress }] = await Promise.all([
        import('../backup/run-restore.js'),
        import('../backup/byte-progress.js'),
      ]);
      const { created_at: time } = await interruptible('Restored', ByteProgress, (progress, signal) =>
        runRestore(resolve(file), dataDirectory(), progress, signal),
      );
      print(
        `Restored what the instance had on ${localTime(time)} into ${dataDirectory()}. Start it with DATA_DIR set to that folder.`,
      );
    });
}

const dataDirectory = (): string => resolve(readEnv().dataDir ?? 'data');

/** Handles Ctrl-C, so an interrupted backup or restore leaves nothing behind. */
async function interruptible<Progress extends { stop(): void }, T>(
  what: string,
  ProgressOf: new (what: string) => Progress,
  action: (progress: Progress, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, dispose } = onInterrupt();
  const progress = new ProgressOf(what);
  try {
    return await action(progress, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CliError('Interrupted. Nothing was written.', { exitCode: EXIT.failure, cause: error });
  } finally {
    progress.stop();
    dispose();
  }
}

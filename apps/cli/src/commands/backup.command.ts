import { resolve } from 'node:path';
import { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.js';
import { readEnv } from '../env.js';
import { onInterrupt } from '../interrupt.js';
import { note, print } from '../output.js';
import { count, localTime } from '../terminal-text.js';

const BACKUP_HELP = `
The file contains everything: visits, settings, accounts, and the keys that decrypt them. Store it where nobody else can read it.
Run this command on the instance's machine, as root or as the user that runs the instance. The instance stays available.
It only backs up the embedded PostgreSQL. For an external PostgreSQL, see docs/operations/backup.md.

Environment:
  DATA_DIR   the instance's data folder (default: ./data)`;

const RESTORE_HELP = `
DATA_DIR must be empty or not exist yet. When you start the instance with it, it continues from the backup.

Environment:
  DATA_DIR   folder to restore into (default: ./data)

Example:
  DATA_DIR=./restored agent-traffic restore agent-traffic-2026-11-24.tar.zst
  DATA_DIR=./restored npm start`;

export function backupCommand(): Command {
  return new Command('backup')
    .summary('back up the running instance to one file')
    .description('back up the instance on this machine to one file while it runs')
    .argument('[file]', 'output file (default: agent-traffic-<date>.tar.zst)')
    .addHelpText('after', BACKUP_HELP)
    .action(async (file: string = `agent-traffic-${new Date().toISOString().slice(0, 10)}.tar.zst`) => {
      const [{ runBackup }, { ByteProgress, megabytes }] = await Promise.all([
        import('../backup/run-backup.js'),
        import('../backup/byte-progress.js'),
      ]);
      const size = await runInterruptibly('Saved', ByteProgress, (progress, signal) =>
        runBackup(dataDirectory(), resolve(file), progress, signal),
      );
      note(
        `Saved ${count(megabytes(size))} MB. To test the backup: DATA_DIR=<new folder> agent-traffic restore ${file}`,
      );
      print(resolve(file));
    });
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('restore a backup into an empty DATA_DIR')
    .argument('<file>', 'backup file created by "agent-traffic backup"')
    .addHelpText('after', RESTORE_HELP)
    .action(async (file: string) => {
      const [{ runRestore }, { ByteProgress }] = await Promise.all([
        import('../backup/run-restore.js'),
        import('../backup/byte-progress.js'),
      ]);
      const { created_at: time } = await runInterruptibly('Restored', ByteProgress, (progress, signal) =>
        runRestore(resolve(file), dataDirectory(), progress, signal),
      );
      print(
        `Restored the backup from ${localTime(time)} to ${dataDirectory()}. To use it, start the instance with DATA_DIR set to this folder.`,
      );
    });
}

const dataDirectory = (): string => resolve(readEnv().dataDir ?? 'data');

/** Runs an action that is aborted on Ctrl-C. An aborted action must delete everything it wrote. */
async function runInterruptibly<Progress extends { stop(): void }, T>(
  label: string,
  ProgressClass: new (label: string) => Progress,
  action: (progress: Progress, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, dispose } = onInterrupt();
  const progress = new ProgressClass(label);
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

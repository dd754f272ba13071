import 'reflect-metadata';
import { withRestoredVisits, type RestoredVisitsRepository } from '#libs/visit-store';
import { ByteProgress } from '../backup/byte-progress.js';
import { CliError } from '../cli-error.js';
import { onInterrupt } from '../interrupt.js';
import { note, print } from '../output.js';
import { plural } from '../terminal-text.js';
import { withDatabase } from './archive-database.js';
import { requireArchive, selectDays, sumBytes, UnreadableDays, type DaySelection } from './archived-days.js';
import { readArchiveSettings } from './env.js';

export interface RestoreOptions extends DaySelection {
  from: string;
  to: string;
  keepDays: number;
}

/** Stores archived visits in the database again. Visits that are already stored are skipped. */
export async function runRestore(options: RestoreOptions): Promise<void> {
  const settings = readArchiveSettings();
  const archive = requireArchive(settings);
  const unreadable = new UnreadableDays();
  const days = await selectDays(archive, options, unreadable);
  if (days.length === 0) {
    unreadable.check();
    throw new CliError(`The archive contains no matching visits from ${options.from} to ${options.to}.`, {
      hint: 'To list the archived days, run: agent-traffic archive list',
    });
  }
  const progress = new ByteProgress('Restored');
  const { signal, dispose } = onInterrupt();
  const restore = async (restored: RestoredVisitsRepository): Promise<void> => {
    const existing = await restored.filterExisting(
      days.flatMap(({ projects }) => projects.map(({ project_id }) => project_id)),
    );
    progress.start(days.reduce((sum, { projects }) => sum + sumBytes(projects), 0));
    let visits = 0;
    const deletedProjects = new Set<string>();
    for (const { day, visitors, projects } of days) {
      await restored.prepareDay(day, options.keepDays);
      for (const project of projects) {
        if (existing.has(project.project_id)) {
          await unreadable.skip(async () => {
            for await (const page of archive.readProject(day, project)) {
              if (signal.aborted) throw new CliError('Interrupted. To continue, run the same command again.');
              visits += await restored.store(visitors, page);
            }
          });
        } else deletedProjects.add(project.project_id);
        progress.add(sumBytes([project]));
      }
    }
    for (const projectId of deletedProjects) note(`Skipped project ${projectId}, which no longer exists.`);
    print(`Restored ${plural(visits, 'visit')}. They will be deleted again in ${plural(options.keepDays, 'day')}.`);
    unreadable.check();
  };
  try {
    await withDatabase(settings, (dataSource) => withRestoredVisits(dataSource, settings.visitStore, restore));
  } finally {
    progress.stop();
    dispose();
  }
}

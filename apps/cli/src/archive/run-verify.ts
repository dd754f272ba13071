import { ByteProgress } from '../backup/byte-progress.js';
import { CliError } from '../cli-error.js';
import { note, print } from '../output.js';
import { plural } from '../terminal-text.js';
import { requireArchive, selectDays, sumBytes, sumVisits, UnreadableDays, type DaySelection } from './archived-days.js';

/** Verifies all selected files. @throws {CliError} if any of them are missing or damaged. */
export async function runVerify(selection: DaySelection): Promise<void> {
  const archive = requireArchive();
  const unreadable = new UnreadableDays();
  const days = await selectDays(archive, selection, unreadable);
  const progress = new ByteProgress('Verified');
  let files = 0;
  let damaged = 0;
  progress.start(days.reduce((sum, { projects }) => sum + sumBytes(projects), 0));
  try {
    for (const { day, projects } of days) {
      for (const file of projects.flatMap((project) => project.files)) {
        const problem = await archive.verify(day, file);
        progress.add(file.bytes);
        files += 1;
        if (problem === null) continue;
        damaged += 1;
        note(`day=${day}/${file.name} ${problem}`);
      }
    }
  } finally {
    progress.stop();
  }
  if (damaged > 0) {
    throw new CliError(`${damaged} of ${plural(files, 'file')} can't be used.`, {
      hint: 'Restore them from a copy of the archive.',
    });
  }
  unreadable.check();
  const visits = days.reduce((sum, { projects }) => sum + sumVisits(projects), 0);
  print(`Verified ${plural(files, 'file')} with ${plural(visits, 'visit')}.`);
}

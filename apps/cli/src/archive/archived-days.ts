import {
  openArchive,
  UnreadableArchiveError,
  type Archive,
  type ArchivedDay,
  type ArchivedProject,
} from '#libs/archive';
import { CliError, EXIT } from '../cli-error.js';
import { note } from '../output.js';
import { readArchiveSettings } from './env.js';

/** A range of days (`YYYY-MM-DD`, both inclusive), and optionally a project ID. */
export interface DaySelection {
  from?: string | undefined;
  to?: string | undefined;
  project?: string | undefined;
}

/** @throws {CliError} if ARCHIVE_URL isn't set. */
export function requireArchive(settings = readArchiveSettings()): Archive {
  const archive = openArchive(settings);
  if (archive !== null) return archive;
  throw new CliError('ARCHIVE_URL is not set.', {
    hint: 'Set it to the folder or bucket that the instance uses. See docs/operations/archive.md.',
    exitCode: EXIT.usage,
  });
}

/** Reports days that can't be read, so that commands can process the others. */
export class UnreadableDays {
  private exist = false;

  readonly add = (error: UnreadableArchiveError): void => {
    note(error.message);
    this.exist = true;
  };

  /** Runs `work`, and reports the day if it can't be read. */
  async skip(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof UnreadableArchiveError)) throw error;
      this.add(error);
    }
  }

  /** @throws {CliError} if days were reported. */
  check(): void {
    if (!this.exist) return;
    throw new CliError("Some archived visits can't be read.", {
      hint: 'Restore their files from a copy of the archive, then run the same command again.',
    });
  }
}

/** Returns the selected days, oldest first. If a project is selected, they contain only that project. */
export async function selectDays(
  archive: Archive,
  { from, to, project }: DaySelection,
  unreadable: UnreadableDays,
): Promise<ArchivedDay[]> {
  const days: ArchivedDay[] = [];
  for await (const archived of archive.list({ from, to, onUnreadable: unreadable.add })) {
    const projects = selectProjects(archived, project);
    if (projects.length > 0) days.push({ ...archived, projects });
  }
  return days;
}

export const selectProjects = ({ projects }: ArchivedDay, project: string | undefined): ArchivedProject[] =>
  projects.filter(({ project_id }) => project === undefined || project_id === project);

export const sumVisits = (projects: readonly ArchivedProject[]): number =>
  projects.reduce((sum, { visits }) => sum + visits, 0);

export const sumBytes = (projects: readonly ArchivedProject[]): number =>
  projects.reduce((sum, { files }) => files.reduce((total, { bytes }) => total + bytes, sum), 0);

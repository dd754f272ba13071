import { createHash } from 'node:crypto';
import {
  compareVisits,
  type ArchivedVisit,
  type ExpiredPartition,
  type LockCheck,
  type Visitors,
} from '#libs/visit-store';
import type { ArchiveStorage } from './archive-storage.js';
import {
  attemptKey,
  dayPrefix,
  getFileName,
  manifestKey,
  parseKey,
  readManifest,
  UnreadableArchiveError,
  writeManifest,
  type ArchivedFile,
  type ArchivedProject,
  type Manifest,
} from './manifest.js';
import { countVisits, readVisits, VisitFileWriter } from './visit-file.js';

/** A day's archived visits, either by agents or by unknown visitors. */
export type ArchivedDay = Pick<Manifest, 'day' | 'visitors' | 'projects'>;

/** Range of days (`YYYY-MM-DD`, both inclusive). */
export interface ListOptions {
  from?: string | undefined;
  to?: string | undefined;
  /** Called for each day that can't be read. The other days are still listed. */
  onUnreadable?: (error: UnreadableArchiveError) => void;
}

/** Visits to erase. */
export interface Erasure {
  /** Null means all projects. */
  projectId: string | null;
  /** Null means all visits. */
  matches: ((visit: ArchivedVisit) => boolean) | null;
}

const sumVisits = (files: readonly ArchivedFile[]): number => files.reduce((sum, { visits }) => sum + visits, 0);

const NO_VISITS: AsyncIterable<ArchivedVisit[]> = { async *[Symbol.asyncIterator]() {} };

/**
 * An archive of visits in Parquet files, by day of receipt and project. A day can be saved more than once, for example
 * after a crash, or if its partition was restored from a backup. Visits that are already archived are then retained.
 */
export class Archive {
  constructor(private readonly storage: ArchiveStorage) {}

  /** Checks that files can be listed and written. @throws {ConfigurationError} if the configuration is wrong. */
  async check(): Promise<void> {
    await this.storage.check();
  }

  /**
   * Saves all visits in a partition. If this fails, the archive is either complete or unchanged. The caller must hold
   * the archive's lock.
   */
  async save(partition: ExpiredPartition, signal: AbortSignal): Promise<void> {
    const { day, visitors } = partition;
    const previous = await this.readDay(day, visitors);
    if (previous === null) await this.storage.write(attemptKey(day, visitors), Buffer.from('\n'));
    const archived = new Map(previous?.projects.map((project) => [project.project_id, project]));
    const sizes = await this.storage.list(dayPrefix(day));
    for (const { projectId, digest, visits } of partition.projects) {
      const former = archived.get(projectId);
      const isCurrent = former?.digest === digest;
      if (isCurrent && former.visits >= visits && !findIncomplete(day, former.files, sizes)) continue;
      const hasOthers = former && (!isCurrent || former.visits > visits);
      const current = expectVisits(partition.read(projectId), visits);
      const merged = mergeVisits(current, hasOthers ? this.readProject(day, former) : NO_VISITS);
      const files = await this.writeFiles({ day, visitors, projectId, digest }, merged, signal);
      archived.set(projectId, { project_id: projectId, visits: sumVisits(files), digest, files });
    }
    const projects = [...archived.values()].toSorted((one, other) => (one.project_id < other.project_id ? -1 : 1));
    await partition.checkLock();
    await writeManifest(this.storage, { day, visitors, projects });
    await partition.checkLock();
    await this.deleteUnlisted(day, visitors, projects);
    await this.checkSaved({ day, visitors, projects });
  }

  /** @throws {Error} if the stored manifest isn't the given one, or if files are missing or incomplete. */
  private async checkSaved(saved: ArchivedDay): Promise<void> {
    const { day, visitors, projects } = saved;
    const manifest = await readManifest(this.storage, day, visitors);
    if (JSON.stringify(manifest?.projects) !== JSON.stringify(projects)) {
      throw new Error(`The archive's ${visitors} manifest for ${day} was replaced by another process`);
    }
    const sizes = await this.storage.list(dayPrefix(day));
    const incomplete = findIncomplete(
      day,
      projects.flatMap(({ files }) => files),
      sizes,
    );
    if (!incomplete) return;
    const { name, bytes } = incomplete;
    throw new Error(`${dayPrefix(day)}${name} is missing from the archive or doesn't have ${bytes} bytes`);
  }

  /**
   * Lists the archived days, oldest first. Days whose files were left behind by an interrupted attempt have no projects.
   *
   * @throws {UnreadableArchiveError} if a manifest can't be read and `onUnreadable` isn't set.
   */
  async *list({ from, to, onUnreadable }: ListOptions = {}): AsyncGenerator<ArchivedDay> {
    const found = new Map<string, Pick<ArchivedDay, 'day' | 'visitors'>>();
    for (const key of (await this.storage.list('')).keys()) {
      const parsed = parseKey(key);
      if (parsed) found.set(manifestKey(parsed.day, parsed.visitors), parsed);
    }
    for (const [, { day, visitors }] of [...found].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      if ((from !== undefined && day < from) || (to !== undefined && day > to)) continue;
      try {
        yield (await this.readDay(day, visitors)) ?? { day, visitors, projects: [] };
      } catch (error) {
        if (!(error instanceof UnreadableArchiveError) || !onUnreadable) throw error;
        onUnreadable(error);
      }
    }
  }

  /**
   * Erases visits from a day, and deletes files that an interrupted attempt left behind. If this fails, the manifest lists
   * either all of the visits or none of them. The caller must hold the archive's lock.
   *
   * @returns the number of erased visits.
   */
  async erase(
    { day, visitors }: ArchivedDay,
    { projectId, matches }: Erasure,
    { signal, checkLock }: { signal: AbortSignal; checkLock: LockCheck },
  ): Promise<number> {
    const manifest = await this.readDay(day, visitors);
    const projects: ArchivedProject[] = [];
    let erased = 0;
    for (const project of manifest?.projects ?? []) {
      const remaining =
        projectId !== null && project.project_id !== projectId
          ? project
          : matches && (await this.withoutMatches({ day, visitors }, project, matches, signal));
      erased += project.visits - (remaining?.visits ?? 0);
      if (remaining !== null && remaining.visits > 0) projects.push(remaining);
    }
    await checkLock();
    if (erased > 0) {
      await writeManifest(this.storage, { day, visitors, projects });
      await checkLock();
    }
    await this.deleteUnlisted(day, visitors, projects);
    return erased;
  }

  /** Writes new files that don't contain the matching visits. Returns the same project if no visits match. */
  private async withoutMatches(
    { day, visitors }: Pick<ArchivedDay, 'day' | 'visitors'>,
    project: ArchivedProject,
    matches: (visit: ArchivedVisit) => boolean,
    signal: AbortSignal,
  ): Promise<ArchivedProject> {
    let hasMatch = false;
    for await (const page of this.readProject(day, project)) {
      signal.throwIfAborted();
      hasMatch = page.some(matches);
      if (hasMatch) break;
    }
    if (!hasMatch) return project;
    const { project_id: projectId } = project;
    // Use a new digest, because the previous files must not be overwritten before the manifest has been replaced.
    const digest = sha256(Buffer.from(project.digest)).slice(0, 16);
    const visits = rejectVisits(this.readProject(day, project), matches);
    const files = await this.writeFiles({ day, visitors, projectId, digest }, visits, signal);
    return { project_id: projectId, visits: sumVisits(files), digest, files };
  }

  /** Compares a file with the manifest. Returns the problem, phrased as the end of a sentence, or null if they match. */
  async verify(day: string, file: ArchivedFile): Promise<string | null> {
    const content = await this.storage.read(dayPrefix(day) + file.name);
    if (content === null) return 'is missing';
    if (content.length !== file.bytes) return `has ${content.length} bytes instead of ${file.bytes}`;
    if (sha256(content) !== file.sha256) return "has a SHA-256 that doesn't match the manifest";
    const visits = countVisits(content);
    return visits === file.visits ? null : `contains ${visits} visits instead of ${file.visits}`;
  }

  /**
   * Returns a project's archived visits in pages, sorted by (occurred_at, id).
   *
   * @throws {UnreadableArchiveError} if a file is missing or damaged.
   */
  async *readProject(day: string, { files }: ArchivedProject): AsyncGenerator<ArchivedVisit[]> {
    for (const file of files) {
      const key = dayPrefix(day) + file.name;
      const content = await this.storage.read(key);
      if (content === null) throw new UnreadableArchiveError(`${key} is missing from the archive`);
      if (sha256(content) !== file.sha256)
        throw new UnreadableArchiveError(`${key} is damaged: its SHA-256 differs from the manifest`);
      try {
        yield* readVisits(content);
      } catch (error) {
        throw new UnreadableArchiveError(`${key} is damaged: ${(error as Error).message}`, { cause: error });
      }
    }
  }

  private async writeFiles(
    { day, visitors, projectId, digest }: { day: string; visitors: Visitors; projectId: string; digest: string },
    visits: AsyncIterable<ArchivedVisit[]>,
    signal: AbortSignal,
  ): Promise<ArchivedFile[]> {
    const files: ArchivedFile[] = [];
    let writer = new VisitFileWriter();
    const finish = async (): Promise<void> => {
      const content = writer.finish();
      const name = getFileName(visitors, projectId, digest, files.length);
      await this.storage.write(dayPrefix(day) + name, content);
      files.push({ name, visits: writer.visits, bytes: content.length, sha256: sha256(content) });
      writer = new VisitFileWriter();
    };
    for await (const page of visits) {
      signal.throwIfAborted();
      for (const visit of page) {
        writer.add(visit);
        if (writer.isFull) await finish();
      }
    }
    if (writer.visits > 0) await finish();
    return files;
  }

  /**
   * Returns a day's manifest, or null if the day hasn't been saved completely. If the manifest is lost, the files aren't
   * leftovers, but may be the only copy of the visits.
   *
   * @throws {UnreadableArchiveError} if the manifest is lost or can't be read.
   */
  private async readDay(day: string, visitors: Visitors): Promise<Manifest | null> {
    const manifest = await readManifest(this.storage, day, visitors);
    if (manifest !== null) return manifest;
    const keys = [...(await this.storage.list(dayPrefix(day))).keys()];
    const files = keys.filter((key) => key.endsWith('.parquet') && parseKey(key)?.visitors === visitors);
    if (files.length === 0 || keys.includes(attemptKey(day, visitors))) return null;
    throw new UnreadableArchiveError(`${manifestKey(day, visitors)} is missing, but the day has files`);
  }

  /** Deletes files that were left behind by an interrupted attempt or replaced by newer ones. */
  private async deleteUnlisted(day: string, visitors: Visitors, projects: readonly ArchivedProject[]): Promise<void> {
    const listed = new Set([
      manifestKey(day, visitors),
      ...projects.flatMap(({ files }) => files.map(({ name }) => dayPrefix(day) + name)),
    ]);
    for (const key of (await this.storage.list(dayPrefix(day))).keys()) {
      if (parseKey(key)?.visitors === visitors && !listed.has(key)) await this.storage.delete(key);
    }
  }
}

/** Returns a file that is missing or doesn't have the listed size. */
const findIncomplete = (
  day: string,
  files: readonly ArchivedFile[],
  sizes: ReadonlyMap<string, number>,
): ArchivedFile | undefined => files.find(({ name, bytes }) => sizes.get(dayPrefix(day) + name) !== bytes);

/** @throws {Error} if the pages don't contain the expected number of visits. */
async function* expectVisits(pages: AsyncIterable<ArchivedVisit[]>, expected: number): AsyncGenerator<ArchivedVisit[]> {
  let read = 0;
  for await (const page of pages) {
    read += page.length;
    yield page;
  }
  if (read !== expected) throw new Error(`Read ${read} visits instead of ${expected}`);
}

async function* rejectVisits(
  pages: AsyncIterable<ArchivedVisit[]>,
  matches: (visit: ArchivedVisit) => boolean,
): AsyncGenerator<ArchivedVisit[]> {
  for await (const page of pages) yield page.filter((visit) => !matches(visit));
}

/** Merges two sorted sequences. If both contain a visit, uses the version from the first one. */
async function* mergeVisits(
  first: AsyncIterable<ArchivedVisit[]>,
  second: AsyncIterable<ArchivedVisit[]>,
): AsyncGenerator<ArchivedVisit[]> {
  const others = second[Symbol.asyncIterator]();
  let rest = await nextPage(others);
  for await (const page of first) {
    const merged: ArchivedVisit[] = [];
    for (const visit of page) {
      while (rest.length > 0 && compareVisits(rest[0]!, visit) < 0) {
        merged.push(rest.shift()!);
        if (rest.length === 0) rest = await nextPage(others);
      }
      if (rest[0]?.id === visit.id) {
        rest.shift();
        if (rest.length === 0) rest = await nextPage(others);
      }
      merged.push(visit);
    }
    yield merged;
  }
  for (; rest.length > 0; rest = await nextPage(others)) yield rest;
}

async function nextPage(pages: AsyncIterator<ArchivedVisit[]>): Promise<ArchivedVisit[]> {
  const { value, done } = await pages.next();
  return done ? [] : value;
}

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

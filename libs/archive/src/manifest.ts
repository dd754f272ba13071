import { Type, type Static } from 'typebox';
import { validator } from '#libs/contracts';
import type { Visitors } from '#libs/visit-store';
import type { ArchiveStorage } from './archive-storage.js';

const SCHEMA_VERSION = 1;
const VISITORS = ['agents', 'unknown'] as const satisfies Visitors[];

const CountSchema = Type.Integer({ minimum: 0 });

const FileSchema = Type.Object({
  /** Path relative to the day's folder. */
  name: Type.String({ maxLength: 200 }),
  visits: CountSchema,
  bytes: CountSchema,
  /** Hexadecimal. */
  sha256: Type.String({ minLength: 64, maxLength: 64 }),
});
export type ArchivedFile = Static<typeof FileSchema>;

const ProjectSchema = Type.Object({
  project_id: Type.String({ format: 'uuid' }),
  visits: CountSchema,
  /** Digest of the partition's rows when they were last saved. */
  digest: Type.String({ pattern: '^[0-9a-f]+$', maxLength: 64 }),
  files: Type.Array(FileSchema),
});
export type ArchivedProject = Static<typeof ProjectSchema>;

/** Lists a day's complete files. It's written last, so files that it doesn't list are unfinished or outdated. */
const ManifestSchema = Type.Object({
  schema_version: Type.Literal(SCHEMA_VERSION),
  /** `YYYY-MM-DD` */
  day: Type.String(),
  visitors: Type.Enum(VISITORS),
  visits: CountSchema,
  projects: Type.Array(ProjectSchema),
});
export type Manifest = Static<typeof ManifestSchema>;

const manifests = validator(ManifestSchema);

/** Returns the name of a project's nth file, starting at 0. */
export const getFileName = (visitors: Visitors, projectId: string, digest: string, index: number): string =>
  `project=${projectId}/${visitors}-${digest}-${String(index + 1).padStart(4, '0')}.parquet`;

export const dayPrefix = (day: string): string => `day=${day}/`;

export const manifestKey = (day: string, visitors: Visitors): string => `${dayPrefix(day)}${visitors}.json`;

/** Key of a file that exists from the first attempt to save a day until its manifest has been written. */
export const attemptKey = (day: string, visitors: Visitors): string => `${dayPrefix(day)}${visitors}.attempt`;

/** Thrown if a manifest or file is damaged or missing, or was written by a newer release. Other days may be readable. */
export class UnreadableArchiveError extends Error {
  override name = 'UnreadableArchiveError';
}

/** Returns the day and visitors that a manifest or file belongs to, or null if the archive didn't create it. */
export function parseKey(key: string): { day: string; visitors: Visitors } | null {
  const [folder, ...path] = key.split('/');
  const name = path.at(-1) ?? '';
  const visitors = VISITORS.find((candidate) => name.startsWith(`${candidate}.`) || name.startsWith(`${candidate}-`));
  const day = folder!.slice('day='.length);
  return visitors !== undefined && `${folder}/` === dayPrefix(day) ? { day, visitors } : null;
}

/**
 * Returns null if the day isn't archived.
 *
 * @throws {UnreadableArchiveError} if the manifest is damaged or was written by a newer release.
 */
export async function readManifest(storage: ArchiveStorage, day: string, visitors: Visitors): Promise<Manifest | null> {
  const key = manifestKey(day, visitors);
  const content = await storage.read(key);
  if (content === null) return null;
  const manifest = parseManifest(content, key);
  const fault = findFault(manifest, day, visitors);
  if (fault !== null) throw new UnreadableArchiveError(`${key} is damaged: ${fault}`);
  return manifest as Manifest;
}

function parseManifest(content: Uint8Array, key: string): unknown {
  let manifest: { schema_version?: unknown } | null;
  try {
    manifest = JSON.parse(Buffer.from(content).toString('utf8'));
  } catch (error) {
    throw new UnreadableArchiveError(`${key} is damaged: ${(error as Error).message}`, { cause: error });
  }
  if (!(Number(manifest?.schema_version) > SCHEMA_VERSION)) return manifest;
  throw new UnreadableArchiveError(
    `${key} was written by a newer release of Agent Traffic. Use that release or a later one.`,
  );
}

function findFault(manifest: unknown, day: string, visitors: Visitors): string | null {
  const [fault] = manifests.faults(manifest);
  if (fault) return `${fault.pointer} ${fault.detail}`;
  const { projects, ...found } = manifest as Manifest;
  if (found.day !== day || found.visitors !== visitors) return `it is the ${found.visitors} manifest for ${found.day}`;
  if (new Set(projects.map(({ project_id }) => project_id)).size < projects.length) return 'it lists a project twice';
  for (const { project_id: projectId, digest, files } of projects) {
    const wrong = files.find(({ name }, index) => name !== getFileName(visitors, projectId, digest, index));
    if (wrong) return `it lists an unexpected file, ${JSON.stringify(wrong.name)}`;
  }
  return null;
}

export async function writeManifest(
  storage: ArchiveStorage,
  { day, visitors, projects }: Pick<Manifest, 'day' | 'visitors' | 'projects'>,
): Promise<void> {
  const visits = projects.reduce((sum, project) => sum + project.visits, 0);
  const manifest: Manifest = { schema_version: SCHEMA_VERSION, day, visitors, visits, projects };
  await storage.write(manifestKey(day, visitors), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
}

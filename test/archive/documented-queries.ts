import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openArchive } from '#libs/archive';
import { archivedVisit, BLOG, expiredPartition, SHOP } from '../kit/archived-visits.js';

const visits = Array.from({ length: 20 }, (_, index) => archivedVisit(index, index % 5 === 0 ? BLOG : SHOP));

/** Expected results of the documented queries for the archive that {@link createSampleArchive} creates. */
export const AGENT_COUNTS = [['2026-11-21', 'GPTBot', visits.length]];
export const SHOP_DOCUMENTS = visits.filter((visit) => visit.project_id === SHOP).map(({ document }) => document);

/** One visit was identified while it was being archived, so it is archived twice. */
export async function createSampleArchive(folder: string): Promise<void> {
  const { signal } = new AbortController();
  const archive = openArchive({ ARCHIVE_URL: folder })!;
  const identified = visits[1]!;
  const document = identified.document.replace('"GPTBot"', 'null');
  const unknown = expiredPartition('a', { ...identified, agent_id: null, agent_type: null, operator: null, document });
  await archive.save({ ...unknown, visitors: 'unknown' }, signal);
  await archive.save(expiredPartition('a', ...visits), signal);
}

/** Returns the queries in docs/operations/archive.md, for an archive in the given folder. */
export async function readDocumentedQueries(program: 'DuckDB' | 'ClickHouse', folder: string): Promise<string[]> {
  const docs = await readFile(join(import.meta.dirname, '../../docs/operations/archive.md'), 'utf8');
  const [, section] = docs.split(`\n${program}:\n\n\`\`\`sql\n`);
  const statements = section!.split('```')[0]!.replaceAll('/archive', folder).split(';');
  return statements.filter((statement) => statement.trim() !== '');
}

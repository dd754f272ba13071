import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MAX_ROBOTS_VERSIONS, type RobotsVersion } from '#libs/contracts';
import { MAX_ROBOTS_BYTES, decodeRobotsText } from '#libs/robots';
import { auditedTransaction } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import { type ClaimedHost, type FetchResult, saveFetchResult } from './robots-hosts.repository.js';
import { determineChange, type RobotsContent } from './robots-timeline.js';

/** Maximum number of versions across a project's hosts. All of them are loaded to evaluate visits. */
const MAX_VERSIONS_PER_PROJECT = 2_000;

export interface ServedRobots {
  status: number | null;
  /** Null if there is no file. Longer than {@link MAX_ROBOTS_BYTES} if crawlers wouldn't read the entire file. */
  bytes: Uint8Array | null;
}

interface VersionPosition {
  /** Milliseconds since the epoch. */
  servedFrom: number;
  id: string;
}

type Row = Omit<RobotsVersion, 'served_from' | 'served_until'> & { served_from: Date; served_until: Date | null };

const COLUMNS = `v.id, v.host, v.served_from, v.served_until, v.status, v.is_recorded, octet_length(t.text) AS size,
  coalesce(t.is_cut, false) AS is_cut, encode(v.digest, 'hex') AS digest`;
const TABLES = `robots_versions v LEFT JOIN robots_texts t USING (digest)`;

@Injectable()
export class RobotsVersionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns versions, newest first.
   *
   * @param host Null returns the versions for all hosts.
   */
  async list(
    projectId: string,
    { host, after, limit }: { host: string | null; after: VersionPosition | null; limit: number },
  ): Promise<RobotsVersion[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM ${TABLES}
       WHERE project_id = $1 AND ($2::text IS NULL OR host = $2)
         AND ($3::timestamptz IS NULL OR (served_from, id) < ($3::timestamptz, $4::uuid))
       ORDER BY served_from DESC, id DESC LIMIT $5`,
      [projectId, host, after === null ? null : new Date(after.servedFrom), after?.id ?? null, limit],
    );
    return rows.map(toVersion);
  }

  async listInForce(projectId: string): Promise<Map<string, RobotsVersion>> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM ${TABLES} WHERE project_id = $1 AND served_until IS NULL`,
      [projectId],
    );
    return new Map(rows.map((row) => [row.host, toVersion(row)]));
  }

  async find(projectId: string, id: string): Promise<{ version: RobotsVersion; text: string | null } | null> {
    const [row]: (Row & { text: string | null })[] = await this.dataSource.query(
      `SELECT ${COLUMNS}, t.text FROM ${TABLES} WHERE project_id = $1 AND id = $2`,
      [projectId, id],
    );
    if (row === undefined) return null;
    const { text, ...version } = row;
    return { version: toVersion(version), text };
  }

  /**
   * Stores the result of a fetch.
   *
   * @param served Null if the fetch doesn't reveal the response that crawlers get, or `known` if the file hasn't
   *   changed.
   * @returns Whether the active version has changed.
   */
  async saveFetch(
    claimed: ClaimedHost,
    served: ServedRobots | 'known' | null,
    outcome: Omit<FetchResult, 'known'> & {
      known: { url: string; etag: string | null; lastModified: string | null } | null;
    },
  ): Promise<boolean> {
    const { projectId, host } = claimed;
    const now = outcome.checkedAt;
    return auditedTransaction(this.dataSource, async (transaction) => {
      if (!(await lockProject(transaction, projectId))) return false;
      const isFile = served !== null && served !== 'known' && served.bytes !== null;
      const digest = isFile ? await storeText(transaction, served.bytes!) : null;
      const known = outcome.known && { ...outcome.known, digest };
      const hostState = await saveFetchResult(transaction, claimed, { ...outcome, known });
      if (hostState === undefined) return false;
      const found: RobotsContent | null =
        served === null
          ? null
          : served === 'known'
            ? { status: 200, digest: claimed.digest!.toString('hex') }
            : { status: served.status, digest: digest?.toString('hex') ?? null };
      const current = await findLatest(transaction, projectId, host);
      const isCurrent = current?.served_until === null;
      const sinceConfirmed = hostState.confirmedAt === null ? null : now - hostState.confirmedAt.getTime();
      const change = determineChange(
        found,
        isCurrent ? { ...current, isOnlyRecorded: current.is_recorded && claimed.digest === null } : null,
        sinceConfirmed,
      );
      if (change === 'none') return false;
      // The new version must start after the current one, even if the current one was stored by a process whose clock
      // is a few milliseconds ahead.
      const from = Math.max(now, (current?.served_from.getTime() ?? 0) + 1);
      if (isCurrent) await endVersion(transaction, current.id, from);
      if (change === 'replaced')
        await insertVersion(transaction, { projectId, host, from, until: null, ...found! }, false);
      await incrementRevision(transaction, projectId);
      return true;
    });
  }

  /**
   * Records a version that a host served from a given time until its next version, as reported by a person. Deletes
   * failures that were fetched after that time, unless a fetch had found a file before.
   *
   * @param from Milliseconds since the epoch.
   * @returns The new version, or an existing one with the same content. Returns `unknown` if the project doesn't exist,
   *   or `taken` if a different version starts at the same time.
   */
  async record(
    projectId: string,
    host: string,
    { status, bytes }: ServedRobots,
    from: number,
  ): Promise<RobotsVersion | 'unknown' | 'taken'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      if (!(await lockProject(transaction, projectId))) return 'unknown';
      const digest = bytes === null ? null : await storeText(transaction, bytes);
      const content: RobotsContent = { status, digest: digest?.toString('hex') ?? null };
      // Compare the exact content, even though crawlers may treat different files alike, because people want to see the
      // version that they recorded.
      const hasSameContent = (version: Row): boolean => version.status === status && version.digest === content.digest;
      await deleteFailures(transaction, { projectId, host, from, ...content });
      const before = await findNeighbor(transaction, projectId, host, from, 'before');
      const next = await findNeighbor(transaction, projectId, host, from, 'after');
      const until = next?.served_from ?? null;
      const isCovered = before !== null && (before.served_until === null || before.served_until.getTime() > from);
      let id: string;
      if (isCovered && hasSameContent(before)) {
        id = before.id;
        await setRecorded(transaction, id, before.served_from, until);
      } else if (before?.served_from.getTime() === from) return 'taken';
      else {
        if (isCovered) await endVersion(transaction, before.id, from);
        if (next !== null && hasSameContent(next)) {
          id = next.id;
          await setRecorded(transaction, id, new Date(from), next.served_until);
        } else id = await insertVersion(transaction, { projectId, host, from, until, ...content }, true);
      }
      await incrementRevision(transaction, projectId);
      const [row]: Row[] = await transaction.query(`SELECT ${COLUMNS} FROM ${TABLES} WHERE id = $1`, [id]);
      return toVersion(row!);
    });
  }

  /**
   * Ends fetched versions for hosts that no longer belong to their project.
   *
   * @param onlyProjectId ID of the project to update, or null to update all projects.
   * @returns Whether any such version was active.
   */
  async endRemovedHosts(now: number, onlyProjectId: string | null): Promise<boolean> {
    const rows: { id: string; project_id: string }[] = await this.dataSource.query(
      `SELECT id, project_id FROM robots_versions v WHERE served_until IS NULL AND NOT is_recorded
         AND ($1::uuid IS NULL OR project_id = $1) AND NOT EXISTS (
           SELECT FROM robots_hosts h WHERE (h.project_id, h.host) = (v.project_id, v.host)
         )`,
      [onlyProjectId],
    );
    for (const { id, project_id: projectId } of rows) {
      await auditedTransaction(this.dataSource, async (transaction) => {
        if (!(await lockProject(transaction, projectId))) return;
        await transaction.query(
          `UPDATE robots_versions SET served_until = greatest($2, served_from + interval '1 ms')
           WHERE id = $1 AND served_until IS NULL`,
          [id, new Date(now)],
        );
        await incrementRevision(transaction, projectId);
      });
    }
    return rows.length > 0;
  }
}

/** Locks a project, so its versions change one at a time. Returns false if the project doesn't exist. */
async function lockProject(transaction: EntityManager, projectId: string): Promise<boolean> {
  const rows: unknown[] = await transaction.query(`SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE`, [projectId]);
  return rows.length > 0;
}

/**
 * Stores a file's text, but only its first bytes if the file is over the limit.
 *
 * @returns SHA-256 of the bytes that were read. For a file over the limit, they include one extra byte, so the hash
 * differs from that of a file that ends exactly at the limit.
 */
async function storeText(transaction: EntityManager, bytes: Uint8Array): Promise<Buffer> {
  const read = bytes.subarray(0, MAX_ROBOTS_BYTES + 1);
  const digest = createHash('sha256').update(read).digest();
  // If the text is already stored, update it anyway. This locks the row, so it can't be deleted before a version refers
  // to it.
  await transaction.query(
    `INSERT INTO robots_texts (digest, text, is_cut) VALUES ($1, $2, $3)
     ON CONFLICT (digest) DO UPDATE SET is_cut = excluded.is_cut`,
    [digest, decodeRobotsText(read), read.length > MAX_ROBOTS_BYTES],
  );
  return digest;
}

const NEIGHBOR_CLAUSES = {
  before: 'served_from <= $3 ORDER BY served_from DESC',
  after: 'served_from > $3 ORDER BY served_from',
};

/** Returns a host's last version that starts at or before a time, or its first version that starts after it. */
async function findNeighbor(
  transaction: EntityManager,
  projectId: string,
  host: string,
  at: number,
  side: keyof typeof NEIGHBOR_CLAUSES,
): Promise<Row | null> {
  const [row]: Row[] = await transaction.query(
    `SELECT ${COLUMNS} FROM ${TABLES} WHERE project_id = $1 AND host = $2 AND ${NEIGHBOR_CLAUSES[side]} LIMIT 1`,
    [projectId, host, new Date(at)],
  );
  return row ?? null;
}

async function findLatest(transaction: EntityManager, projectId: string, host: string): Promise<Row | null> {
  const [row]: Row[] = await transaction.query(
    `SELECT ${COLUMNS} FROM ${TABLES} WHERE project_id = $1 AND host = $2 ORDER BY served_from DESC LIMIT 1`,
    [projectId, host],
  );
  return row ?? null;
}

async function endVersion(transaction: EntityManager, id: string, at: number): Promise<void> {
  await transaction.query(`UPDATE robots_versions SET served_until = $2 WHERE id = $1`, [id, new Date(at)]);
}

async function setRecorded(transaction: EntityManager, id: string, from: Date, until: Date | null): Promise<void> {
  await transaction.query(
    `UPDATE robots_versions SET is_recorded = true, served_from = $2, served_until = $3 WHERE id = $1`,
    [id, from, until],
  );
}

/**
 * Deletes the failures that fetches found since a time, up to the next file or recorded version. If this content had
 * been recorded earlier, those failures wouldn't have replaced it. See {@link determineChange}.
 */
async function deleteFailures(
  transaction: EntityManager,
  { projectId, host, from, status, digest }: Omit<NewVersion, 'until'>,
): Promise<void> {
  await transaction.query(
    `DELETE FROM robots_versions v
     WHERE project_id = $1 AND host = $2 AND served_from >= $3 AND digest IS NULL AND NOT is_recorded
       AND NOT EXISTS (
         SELECT FROM robots_versions o WHERE (o.project_id, o.host) = ($1, $2)
           AND o.served_from >= $3 AND o.served_from < v.served_from AND (o.digest IS NOT NULL OR o.is_recorded)
           -- Ignore the version that is being recorded again.
           AND (o.served_from, o.status, o.digest) IS DISTINCT FROM ($3, $4::smallint, decode($5, 'hex'))
       ) AND NOT EXISTS (
         -- Keep the failures if an earlier fetch found a file.
         SELECT FROM robots_hosts h JOIN robots_versions o USING (project_id, host)
         WHERE (h.project_id, h.host) = ($1, $2) AND h.digest IS NOT NULL
           AND o.digest IS NOT NULL AND o.served_from < $3
       )`,
    [projectId, host, new Date(from), status, digest],
  );
}

interface NewVersion extends RobotsContent {
  projectId: string;
  host: string;
  /** Milliseconds since the epoch. */
  from: number;
  until: Date | null;
}

/** Inserts a version, deletes the oldest versions over the limits, and returns the new version's ID. */
async function insertVersion(
  transaction: EntityManager,
  { projectId, host, from, until, status, digest }: NewVersion,
  isRecorded: boolean,
): Promise<string> {
  const id = v7();
  await transaction.query(
    `INSERT INTO robots_versions (id, project_id, host, served_from, served_until, status, digest, is_recorded)
     VALUES ($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8)`,
    [id, projectId, host, new Date(from), until, status, digest, isRecorded],
  );
  // In addition to the limit per host, there is one for the project. A project can have versions for any number of
  // hosts, because the hosts in its settings can change.
  await transaction.query(
    `DELETE FROM robots_versions WHERE id <> $2 AND id IN (
       SELECT id FROM robots_versions WHERE project_id = $1
       ORDER BY served_from DESC OFFSET ${MAX_VERSIONS_PER_PROJECT}
     )`,
    [projectId, id],
  );
  await transaction.query(
    `DELETE FROM robots_versions WHERE id <> $3 AND id IN (
       SELECT id FROM robots_versions WHERE project_id = $1 AND host = $2
       ORDER BY served_from DESC OFFSET ${MAX_ROBOTS_VERSIONS}
     )`,
    [projectId, host, id],
  );
  return id;
}

/** Makes the enrichment service reload the project's versions. */
async function incrementRevision(transaction: EntityManager, projectId: string): Promise<void> {
  await transaction.query(
    `INSERT INTO robots_revisions AS r (project_id, revision) VALUES ($1, 1)
     ON CONFLICT (project_id) DO UPDATE SET revision = r.revision + 1`,
    [projectId],
  );
}

const toVersion = (row: Row): RobotsVersion => ({
  ...row,
  served_from: row.served_from.toISOString(),
  served_until: row.served_until?.toISOString() ?? null,
});

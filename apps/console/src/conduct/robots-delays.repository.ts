import { Inject, Injectable } from '@nestjs/common';
import { READ_DATA_SOURCE } from '#libs/database';
import { parseCrawlDelays, type CrawlDelays } from '#libs/robots';
import type { TimeRange } from '#libs/visit-store';
import type { DataSource } from 'typeorm';

/** Maximum number of files to read. Versions with other files are treated as unknown. */
const MAX_FILES = 50;

/** A robots.txt version of a host. Times are in milliseconds since the epoch. */
export interface DelayVersion {
  id: string;
  host: string;
  from: number;
  until: number;
  /** Null if the host served no file. */
  delays: CrawlDelays | null;
}

interface Row {
  id: string;
  host: string;
  served_from: Date;
  served_until: Date | null;
  digest: string | null;
}

@Injectable()
export class RobotsDelaysRepository {
  constructor(@Inject(READ_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** Returns the versions served in a range, by host and oldest first. */
  async find(projectId: string, { from, to }: TimeRange): Promise<DelayVersion[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT id, host, served_from, served_until, encode(digest, 'hex') AS digest FROM robots_versions
       WHERE project_id = $1 AND served_from < $3 AND (served_until IS NULL OR served_until > $2)
       ORDER BY host, served_from`,
      [projectId, new Date(from), new Date(to)],
    );
    const files = new Map<string, CrawlDelays | null>();
    for (const { digest } of rows) {
      if (digest !== null && files.size < MAX_FILES && !files.has(digest)) files.set(digest, await this.read(digest));
    }
    return rows.map(({ id, host, served_from: start, served_until: end, digest }) => ({
      id,
      host,
      from: start.getTime(),
      until: end?.getTime() ?? Infinity,
      delays: files.get(digest ?? '') ?? null,
    }));
  }

  private async read(digest: string): Promise<CrawlDelays | null> {
    const [row]: { text: string }[] = await this.dataSource.query(
      `SELECT text FROM robots_texts WHERE digest = decode($1, 'hex') AND text ~* '(^|[\\r\\n])[ \\t]*crawl-delay'`,
      [digest],
    );
    return row === undefined ? null : parseCrawlDelays(new TextEncoder().encode(row.text));
  }
}

/**
 * Returns the shortest delay that a host requested of an agent throughout a range, in milliseconds. Null if it
 * requested none at some point, or if its robots.txt at some point is unknown.
 *
 * @param versions The host's versions, oldest first.
 */
export function findShortestDelay(
  versions: readonly DelayVersion[],
  token: string,
  { from, to }: TimeRange,
): number | null {
  let shortest = Infinity;
  let covered = from;
  for (const version of versions) {
    if (version.until <= from || version.from >= to) continue;
    if (version.from > covered) return null;
    const seconds = version.delays?.find(token) ?? null;
    if (seconds === null) return null;
    shortest = Math.min(shortest, seconds * 1_000);
    covered = version.until;
  }
  return covered >= to && shortest < Infinity ? shortest : null;
}

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** A host's response to a robots.txt request, and the period during which it was served. */
export interface StoredRobotsVersion {
  id: string;
  host: string;
  /** Start of the period in milliseconds since the epoch. */
  from: number;
  /** End of the period in milliseconds since the epoch, or Infinity if the version is still served. */
  until: number;
  /** HTTP status code, or null if the host didn't respond. */
  status: number | null;
  /** SHA-256 of the file in hex, or null if there was no file. */
  digest: string | null;
}

interface Row {
  project_id: string;
  id: string;
  host: string;
  served_from: Date;
  served_until: Date | null;
  status: number | null;
  digest: string | null;
}

@Injectable()
export class RobotsVersionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns versions by project ID, oldest first. */
  async ofProjects(projectIds: string[]): Promise<Map<string, StoredRobotsVersion[]>> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT project_id, id, host, served_from, served_until, status, encode(digest, 'hex') AS digest
       FROM robots_versions WHERE project_id = ANY ($1::uuid[]) ORDER BY served_from`,
      [projectIds],
    );
    const versions = new Map<string, StoredRobotsVersion[]>(projectIds.map((id) => [id, []]));
    for (const { project_id: projectId, served_from: from, served_until: until, ...version } of rows) {
      versions.get(projectId)?.push({ ...version, from: from.getTime(), until: until?.getTime() ?? Infinity });
    }
    return versions;
  }

  /**
   * Returns a file's content, or undefined if it isn't stored.
   *
   * @param digest SHA-256 of the file in hex.
   */
  async text(digest: string): Promise<string | undefined> {
    const [row]: { text: string }[] = await this.dataSource.query(
      `SELECT text FROM robots_texts WHERE digest = decode($1, 'hex')`,
      [digest],
    );
    return row?.text;
  }
}

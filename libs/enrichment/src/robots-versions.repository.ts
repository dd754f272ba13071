import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** A host's response to a robots.txt request, and the period in which it was served. */
export interface StoredRobotsVersion {
  id: string;
  host: string;
  /** Milliseconds since the epoch. */
  from: number;
  /** Milliseconds since the epoch. Infinity: still served. */
  until: number;
  /** Null: no response. */
  status: number | null;
  /** SHA-256 of the file in hex. Null: no file. */
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

  /** Returns texts by hex digest. */
  async texts(digests: string[]): Promise<Map<string, string>> {
    const rows: { digest: string; text: string }[] = await this.dataSource.query(
      `SELECT encode(digest, 'hex') AS digest, text FROM robots_texts
       WHERE digest = ANY (SELECT decode(unnest($1::text[]), 'hex'))`,
      [digests],
    );
    return new Map(rows.map(({ digest, text }) => [digest, text]));
  }
}

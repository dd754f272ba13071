import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** What a host served as robots.txt, from when to when. */
export interface StoredRobotsVersion {
  id: string;
  host: string;
  /** Milliseconds since the epoch. */
  from: number;
  /** Infinity: it still is. */
  until: number;
  /** Null: no answer. */
  status: number | null;
  /** SHA-256 of its file, as hex; null without one. */
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

  /** The versions of projects, oldest first. */
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

  /** Texts by their digests, as hex. */
  async texts(digests: string[]): Promise<Map<string, string>> {
    const rows: { digest: string; text: string }[] = await this.dataSource.query(
      `SELECT encode(digest, 'hex') AS digest, text FROM robots_texts
       WHERE digest = ANY (SELECT decode(unnest($1::text[]), 'hex'))`,
      [digests],
    );
    return new Map(rows.map(({ digest, text }) => [digest, text]));
  }
}

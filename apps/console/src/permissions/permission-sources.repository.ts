import { Inject, Injectable } from '@nestjs/common';
import { CRAWL_PURPOSES, type CrawlPurpose } from '#libs/agents/vocabulary';
import { MAX_PERMISSION_VERSIONS, type RobotsVersion } from '#libs/contracts';
import { READ_DATA_SOURCE } from '#libs/database';
import type { PermissionAgent } from '#libs/permissions';
import type { TimeRange } from '#libs/visit-store';
import type { DataSource } from 'typeorm';

/** Agent types of all purposes. */
export const PURPOSE_TYPES: readonly string[] = Object.values(CRAWL_PURPOSES).flatMap(({ types }) => [...types]);
const PURPOSE_BY_TYPE = new Map(
  Object.entries(CRAWL_PURPOSES).flatMap(([purpose, { types }]) =>
    types.map((type): [string, CrawlPurpose] => [type, purpose as CrawlPurpose]),
  ),
);

/** Version of a host's robots.txt, with its text. */
export interface VersionText {
  version: RobotsVersion;
  /** Null if there is no file. */
  text: string | null;
}

type VersionRow = Omit<RobotsVersion, 'served_from' | 'served_until'> & {
  served_from: Date;
  served_until: Date | null;
  text: string | null;
};

@Injectable()
export class PermissionSourcesRepository {
  constructor(@Inject(READ_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** Returns the versions of a host that were active in a range, newest first. */
  async findVersions(projectId: string, host: string, { from, to }: TimeRange): Promise<VersionText[]> {
    const rows: VersionRow[] = await this.dataSource.query(
      `SELECT v.id, v.host, v.served_from, v.served_until, v.status, v.is_recorded, octet_length(t.text) AS size,
         coalesce(t.is_cut, false) AS is_cut, encode(v.digest, 'hex') AS digest, t.text
       FROM robots_versions v LEFT JOIN robots_texts t USING (digest)
       WHERE v.project_id = $1 AND v.host = $2 AND v.served_from < $4
         AND (v.served_until IS NULL OR v.served_until > $3)
       ORDER BY v.served_from DESC LIMIT ${MAX_PERMISSION_VERSIONS}`,
      [projectId, host, new Date(from), new Date(to)],
    );
    return rows.map(({ text, served_from: start, served_until: end, ...row }) => ({
      version: { ...row, served_from: start.toISOString(), served_until: end?.toISOString() ?? null },
      text,
    }));
  }

  /** Returns the catalog agents that fetch pages for one of the purposes, by ID. */
  async findAgents(): Promise<Map<string, PermissionAgent>> {
    const rows: { id: string; token: string; robots_token: string | null; type: string }[] =
      await this.dataSource.query(
        `SELECT id, record ->> 'token' AS token, record ->> 'robots_token' AS robots_token, record ->> 'type' AS type
         FROM agents
         WHERE record ->> 'type' = ANY ($1::text[]) ORDER BY lower(record ->> 'token') COLLATE "C"`,
        [PURPOSE_TYPES],
      );
    return new Map(
      rows.map(({ id, token, robots_token: robotsToken, type }) => [
        id,
        { agentToken: token, robotsToken, purpose: PURPOSE_BY_TYPE.get(type)! },
      ]),
    );
  }
}

import { Injectable } from '@nestjs/common';
import type { SiteSettings } from '#libs/catalog';
import type { TrustedProxies } from '#libs/contracts';
import { DataSource } from 'typeorm';

/** What an access token opens. */
export interface ProjectAccess {
  /** Null in what gateways of an earlier release shared. */
  tokenId: string | null;
  projectId: string;
  /** Names whose values are redacted beside those of credentials, in any case. */
  redactedHeaders: readonly string[];
  /** Names whose values are kept although they look like those of credentials. */
  unredactedHeaders: readonly string[];
  /** What an identification has to know of its site. */
  site: SiteSettings;
  /** The token was taken back; it is kept to be able to say so. */
  revoked: boolean;
}

interface Row {
  hash: string;
  token_id: string;
  project_id: string;
  redacted_headers: string[];
  unredacted_headers: string[];
  trusted_proxies: TrustedProxies;
  host_names: string[];
  revoked: boolean;
}

@Injectable()
export class AccessRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param hashes SHA-256 of tokens, hex. */
  async find(hashes: string[]): Promise<Map<string, ProjectAccess>> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT encode(t.hash, 'hex') AS hash, t.id AS token_id, t.project_id, p.redacted_headers, p.unredacted_headers, p.trusted_proxies, p.host_names,
         t.revoked_at IS NOT NULL AS revoked
       FROM access_tokens t JOIN projects p ON p.id = t.project_id
       WHERE t.hash = ANY (SELECT decode(h, 'hex') FROM unnest($1::text[]) h)`,
      [hashes],
    );
    return new Map(
      rows.map((row) => [
        row.hash,
        {
          tokenId: row.token_id,
          projectId: row.project_id,
          redactedHeaders: row.redacted_headers,
          unredactedHeaders: row.unredacted_headers,
          site: { trustedProxies: row.trusted_proxies, hostNames: row.host_names },
          revoked: row.revoked,
        },
      ]),
    );
  }
}

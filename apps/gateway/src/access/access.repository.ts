import { Injectable } from '@nestjs/common';
import type { SiteSettings } from '#libs/catalog';
import type { DrainMapping, TokenPurpose, TrustedProxies } from '#libs/contracts';
import { DataSource } from 'typeorm';

/** What an access token opens. */
export interface ProjectAccess {
  tokenId: string;
  projectId: string;
  /** Names whose values are redacted beside those of credentials, in any case. */
  redactedHeaders: readonly string[];
  /** Names whose values are kept although they look like those of credentials. */
  unredactedHeaders: readonly string[];
  /** What an identification has to know of its site. */
  site: SiteSettings;
  drains: DrainAccess;
  /** The token was taken back; it is kept to be able to say so. */
  revoked: boolean;
  /** Expiry in milliseconds since the epoch. Null: never. */
  expiresAt: number | null;
  /** CIDR blocks that the token may be used from. Empty: anywhere. */
  networks: readonly string[];
  purposes: readonly TokenPurpose[];
}

/** What a project demands of its drains, and what they leave out. */
export interface DrainAccess {
  allowsTokenInUrl: boolean;
  leavesOutStaticFiles: boolean;
  mapping: DrainMapping | null;
  vercelVerify: string | null;
  /** Encrypted by `SecretBox`, base64; null: bodies are not signed. */
  vercelSecret: string | null;
}

/** Those of a project that never changed them. */
export const DEFAULT_DRAINS: DrainAccess = {
  allowsTokenInUrl: false,
  leavesOutStaticFiles: true,
  mapping: null,
  vercelVerify: null,
  vercelSecret: null,
};

interface Row {
  hash: string;
  token_id: string;
  project_id: string;
  redacted_headers: string[];
  unredacted_headers: string[];
  trusted_proxies: TrustedProxies;
  host_names: string[];
  drains: DrainAccess | null;
  revoked: boolean;
  expires_at: Date | null;
  allowed_networks: string[];
  purposes: TokenPurpose[];
}

@Injectable()
export class AccessRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param hashes SHA-256 of tokens, hex. */
  async find(hashes: string[]): Promise<Map<string, ProjectAccess>> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT encode(t.hash, 'hex') AS hash, t.id AS token_id, t.project_id, p.redacted_headers, p.unredacted_headers, p.trusted_proxies, p.host_names,
         t.revoked_at IS NOT NULL AS revoked, t.expires_at, t.allowed_networks, t.purposes,
         CASE WHEN d.id IS NOT NULL THEN json_build_object(
           'allowsTokenInUrl', d.allows_token_in_url, 'leavesOutStaticFiles', d.leaves_out_static_files,
           'mapping', d.mapping, 'vercelVerify', d.vercel_verify,
           'vercelSecret', replace(encode(d.vercel_secret, 'base64'), E'\\n', '')
         ) END AS drains
       FROM access_tokens t JOIN projects p ON p.id = t.project_id LEFT JOIN drain_settings d ON d.id = p.id
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
          drains: row.drains ?? DEFAULT_DRAINS,
          revoked: row.revoked,
          expiresAt: row.expires_at?.getTime() ?? null,
          networks: row.allowed_networks,
          purposes: row.purposes,
        },
      ]),
    );
  }
}

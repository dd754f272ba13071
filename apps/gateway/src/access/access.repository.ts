import { Injectable } from '@nestjs/common';
import type { SiteSettings } from '#libs/catalog';
import type { DrainMapping, TokenPurpose, TrustedProxies } from '#libs/contracts';
import { DataSource } from 'typeorm';

/** An access token and the settings of its project. */
export interface ProjectAccess {
  tokenId: string;
  projectId: string;
  /** Additional names to redact, case-insensitive. */
  redactedHeaders: readonly string[];
  /** Names exempt from the built-in redaction of credentials. */
  unredactedHeaders: readonly string[];
  site: SiteSettings;
  drains: DrainAccess;
  /** Revoked tokens are kept, so the error can say that the token was revoked. */
  revoked: boolean;
  /** Expiry in milliseconds since the epoch, or null if the token never expires. */
  expiresAt: number | null;
  /** CIDR blocks from which the token may be used. Empty: no restriction. */
  networks: readonly string[];
  purposes: readonly TokenPurpose[];
}

/** Drain settings of a project. */
export interface DrainAccess {
  allowsTokenInUrl: boolean;
  leavesOutStaticFiles: boolean;
  mapping: DrainMapping | null;
  vercelVerify: string | null;
  /** Base64, encrypted by `SecretBox`. Null if bodies are not signed. */
  vercelSecret: string | null;
}

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

  /**
   * Looks up access tokens. Unknown ones are left out of the result.
   *
   * @param hashes SHA-256 of the tokens, hex. They are also the keys of the result.
   */
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

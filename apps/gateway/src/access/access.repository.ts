import { Injectable } from '@nestjs/common';
import type { SiteSettings } from '#libs/catalog';
import type { DrainMapping, TokenPurpose, TrustedProxies } from '#libs/contracts';
import { DataSource } from 'typeorm';

export interface ProjectAccess {
  tokenId: string;
  projectId: string;
  /** Headers to redact in addition to the built-in ones, case-insensitive. */
  redactedHeaders: readonly string[];
  /** Headers exempt from the built-in credential redaction. */
  unredactedHeaders: readonly string[];
  site: SiteSettings;
  drains: DrainAccess;
  /** Revoked tokens are still returned, so that the error can explain why they no longer work. */
  revoked: boolean;
  /** Expiry in milliseconds since the epoch, or null if the token never expires. */
  expiresAt: number | null;
  /** CIDR blocks the token may be used from. An empty list allows every address. */
  networks: readonly string[];
  purposes: readonly TokenPurpose[];
}

export interface DrainAccess {
  allowsTokenInUrl: boolean;
  leavesOutStaticFiles: boolean;
  mapping: DrainMapping | null;
  vercelVerify: string | null;
  /** Signing secret, encrypted by `SecretBox` and base64-encoded. Null if request bodies aren't signed. */
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
   * Looks up access tokens by hash. The result omits unknown tokens.
   *
   * @param hashes Hex-encoded SHA-256 hashes of the tokens. The result uses them as keys.
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

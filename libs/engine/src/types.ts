/** Public types of the package. They don't refer to other modules, so the package needs no declarations but these. */

/** Request to decide about, with the field names of the instance's API. */
export interface EngineRequest {
  /** Path with query string. */
  request_path: string;
  request_method?: string | undefined;
  request_headers: Readonly<Record<string, unknown>>;
  /** Peer address of the connection, as seen by the site. */
  client_address?: string | null | undefined;
}

/** Identification in the format of the instance's API. Agent fields are absent if the agent or the value is unknown. */
export interface EngineIdentification {
  result: 'verified' | 'verification_failed' | 'not_verifiable' | 'unknown_agent';
  agent_id?: string;
  agent_token?: string;
  agent_url?: string;
  agent_type_name?: string;
  operator_name?: string;
}

export interface LocalIdentification {
  identification: EngineIdentification;
  /**
   * Evidence that only the instance can look up: DNS records, or a key directory that the snapshot doesn't contain. Null
   * if the identification is final.
   */
  missing: 'reverse_dns' | 'key_directory' | null;
  /**
   * Key under which the instance's identification can be cached while {@link missing} evidence is looked up, or null if
   * the identification is final. If a key directory is missing, don't cache that a visitor is verified, because the
   * signature only covers one request.
   */
  cacheKey: string | null;
}

/** Response to a visitor whose request isn't let through. Header names are in lower case. */
export interface EngineResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface EngineDecision {
  /** Null lets the request through. */
  response: EngineResponse | null;
  /** Decisions of the rules, as the value of `agent-traffic-decision`. Null if no rule matched. */
  header: string | null;
}

/** Snapshot as downloaded: a signed manifest, and the content that it covers. */
export interface SignedSnapshot {
  /** Compact JSON Web Signature (RFC 7515) with an Ed25519 key (RFC 8037). */
  manifest: string;
  /** JSON text. */
  content: string;
}

/** Public key as a JWK (RFC 7517, RFC 8037). Other members are ignored. */
export interface SnapshotKey {
  kty: string;
  crv: string;
  /** Public key in base64url. */
  x: string;
  kid: string;
}

export interface OpenOptions {
  /** Public keys of the instance, from `/.well-known/agent-traffic-statement-keys.json`. */
  keys: readonly SnapshotKey[];
  /** Access token of the project. A snapshot for another token is rejected. */
  token: string;
  /** Issue time of the current snapshot in milliseconds since the epoch. Older snapshots are rejected. */
  issuedAt?: number | undefined;
  /** Returns the current time in milliseconds since the epoch. Default: `Date.now`. */
  now?: (() => number) | undefined;
}

/** Reason why a snapshot was rejected. */
export type SnapshotFault =
  'malformed' | 'unknown_key' | 'invalid_signature' | 'wrong_project' | 'older' | 'expired' | 'unsupported';

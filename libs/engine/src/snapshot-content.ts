import type {
  AgentDefinition,
  ProjectProxies,
  ProxyNetwork,
  PublishedList,
  VerificationKey,
} from '../../agents/src/index.js';
import type { PolicyRule } from '../../contracts/src/index.js';

/** Version of {@link SnapshotContent}. Engines reject snapshots with a different version. */
export const SNAPSHOT_VERSION = 1;

/** Verification key in a form that any runtime can import. */
export type SnapshotVerificationKey = Omit<VerificationKey, 'verify'>;

/** Everything the engine needs to decide about requests to a project's site. Serializable as JSON. */
export interface SnapshotContent {
  version: typeof SNAPSHOT_VERSION;
  site: {
    trustedProxies: ProjectProxies;
    /** Hosts that signatures may cover. An empty list allows any host. */
    hostNames: readonly string[];
  };
  /** Rules in order. */
  rules: readonly PolicyRule[];
  catalog: SnapshotCatalog;
}

/** Part of a snapshot that all projects share. */
export interface SnapshotCatalog {
  /** Version of the catalog. */
  version: string;
  agents: readonly AgentDefinition[];
  proxies: readonly ProxyNetwork[];
  lists: readonly PublishedList[];
  /** CIDR blocks of data centers. */
  dataCenterRanges: readonly string[];
  /** Keys of the signature directories that the instance has cached. */
  directories: readonly { url: string; keys: readonly SnapshotVerificationKey[] }[];
  /** Whether to accept the test keys published in RFCs. */
  allowTestKeys: boolean;
}

/** Claims of a snapshot's manifest. */
export interface SnapshotClaims {
  /** SHA-256 hash of the content's UTF-8 bytes, in base64url. */
  content_sha256: string;
  project_id: string;
  /** SHA-256 hash of the access token, in hexadecimal digits. */
  token_sha256: string;
  /** Time of issue in seconds since the epoch. */
  iat: number;
  /** Expiry in seconds since the epoch. */
  exp: number;
}

/** `typ` of a manifest's protected header. */
export const MANIFEST_TYPE = 'agent-traffic-snapshot+jwt';

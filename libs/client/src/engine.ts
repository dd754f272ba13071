import type { Identification, IdentificationRequest } from './types.js';

/** Types of `@agent-traffic/engine`, which sites pass to the client. */

export interface EngineRequest extends IdentificationRequest {
  request_path: string;
  request_method: string;
}

/** Identification by an engine, which may know more agent types than this release of the client. */
export type EngineIdentification = Omit<Identification, 'agent_type_name'> & { agent_type_name?: string };

export interface LocalIdentification {
  identification: EngineIdentification;
  /** Evidence that only the instance can look up, or null if the identification is final. */
  missing: 'reverse_dns' | 'key_directory' | null;
  /** Key for caching the instance's identification, or null if the identification is final. */
  cacheKey: string | null;
}

export interface EngineResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

interface EngineDecision {
  response: EngineResponse | null;
  header: string | null;
}

/** Snapshot that has been verified and compiled. */
export interface Engine {
  readonly issuedAt: number;
  renew(manifest: string, options: { keys: readonly SnapshotKey[]; token: string }): Promise<void>;
  identify(request: EngineRequest): LocalIdentification | Promise<LocalIdentification>;
  decide(request: EngineRequest, visitor: EngineIdentification): EngineDecision;
  decideProvisionally(request: EngineRequest, visitor: EngineIdentification): EngineDecision;
  canDecide(request: EngineRequest, local: LocalIdentification): boolean;
}

export interface SnapshotKey {
  kty: string;
  crv: string;
  x: string;
  kid: string;
}

/** The `Engine` class of `@agent-traffic/engine`. */
export interface EngineClass {
  open(
    snapshot: { manifest: string; content: string },
    options: { keys: readonly SnapshotKey[]; token: string; issuedAt?: number | undefined },
  ): Promise<Engine>;
}

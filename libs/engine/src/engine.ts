import {
  AutomationJudge,
  compileAgents,
  compileProxyRanges,
  createIdentificationCatalog,
  identify,
  normalizeHeaders,
  parseAddress,
  resolveClientAddress,
  toPublicIdentification,
  type ClientAddress,
  type Identification,
  type KeySet,
  type ProxyRanges,
} from '../../agents/src/index.js';
import { toPath, type PolicyRequest } from '../../policy/src/index.js';
import { LocalEvidence } from './local-evidence.js';
import { LocalPolicy, NO_DECISION } from './local-policy.js';
import { verifyManifest, verifySnapshot } from './signed-snapshot.js';
import { SNAPSHOT_VERSION, type SnapshotClaims, type SnapshotContent } from './snapshot-content.js';
import { SnapshotError } from './snapshot-error.js';
import type {
  EngineDecision,
  EngineIdentification,
  EngineRequest,
  LocalIdentification,
  OpenOptions,
  SignedSnapshot,
} from './types.js';
import { createWebCryptoKey } from './web-crypto-key.js';

/** Identifies the senders of requests and applies a project's rules, with a snapshot from the instance. */
export class Engine {
  /** Issue time of the snapshot in milliseconds since the epoch. */
  issuedAt: number;
  /** Expiry of the snapshot in milliseconds since the epoch. Afterwards, only rules that enforce it still apply. */
  expiresAt: number;
  readonly projectId: string;
  readonly catalogVersion: string;
  private readonly site: SnapshotContent['site'];
  private readonly catalog: ReturnType<typeof createIdentificationCatalog>;
  private readonly keySets: ReadonlyMap<string, KeySet>;
  private readonly allowTestKeys: boolean;
  private readonly policy: LocalPolicy;
  private readonly judge = new AutomationJudge();
  private readonly dataCenters: ProxyRanges | null;
  private readonly contentHash: string;
  private readonly now: () => number;

  private constructor({ site, rules, catalog }: SnapshotContent, claims: SnapshotClaims, now: () => number) {
    this.issuedAt = claims.iat * 1_000;
    this.expiresAt = claims.exp * 1_000;
    this.projectId = claims.project_id;
    this.catalogVersion = catalog.version;
    this.site = site;
    this.catalog = createIdentificationCatalog(compileAgents(catalog.agents), catalog);
    this.keySets = new Map(
      catalog.directories.map(({ url, keys }) => [url, new Map(keys.map((key) => [key.id, createWebCryptoKey(key)]))]),
    );
    this.allowTestKeys = catalog.allowTestKeys;
    this.policy = new LocalPolicy(rules);
    this.dataCenters = this.policy.needsAutomation ? compileProxyRanges(catalog.dataCenterRanges) : null;
    this.contentHash = claims.content_sha256;
    this.now = now;
  }

  /**
   * Verifies and compiles a snapshot.
   *
   * @throws {SnapshotError} if the snapshot is invalid, expired, for another token, or older than `issuedAt`.
   */
  static async open(snapshot: SignedSnapshot, options: OpenOptions): Promise<Engine> {
    const claims = await verifySnapshot(snapshot, options);
    const content = JSON.parse(snapshot.content) as SnapshotContent;
    if (content.version !== SNAPSHOT_VERSION) throw new SnapshotError('unsupported');
    return new Engine(content, claims, options.now ?? Date.now);
  }

  /**
   * Extends the lifetime with a newer manifest for the same content.
   *
   * @throws {SnapshotError} if the manifest is invalid, or for other content.
   */
  async renew(manifest: string, options: Omit<OpenOptions, 'issuedAt'>): Promise<void> {
    const claims = await verifyManifest(manifest, { ...options, issuedAt: this.issuedAt });
    if (claims.content_sha256 !== this.contentHash) throw new SnapshotError('invalid_signature');
    this.issuedAt = claims.iat * 1_000;
    this.expiresAt = claims.exp * 1_000;
  }

  /**
   * Identifies the agent that a request claims to be from, and verifies the claim. Never throws or rejects. Returns
   * synchronously unless a signature must be verified.
   */
  identify(request: EngineRequest): LocalIdentification | Promise<LocalIdentification> {
    const headers = normalizeHeaders(request.request_headers);
    const { trustedProxies, hostNames } = this.site;
    const peer = request.client_address ?? null;
    const clientAddress = resolveClientAddress(headers, trustedProxies, this.catalog.proxyNetworks, peer);
    const evidence = new LocalEvidence(this.keySets);
    const now = this.now();
    const identification = identify(
      { headers, method: request.request_method ?? null, path: request.request_path, at: now },
      { catalog: this.catalog, clientAddress, sources: evidence, hostNames, allowTestKeys: this.allowTestKeys, now },
    );
    return identification instanceof Promise
      ? identification.then((resolved) => toLocal(resolved, evidence, clientAddress))
      : toLocal(identification, evidence, clientAddress);
  }

  /** Applies the project's rules to an identified request. */
  decide(request: EngineRequest, visitor: EngineIdentification): EngineDecision {
    const { policyRequest, address } = this.describe(request, visitor);
    return this.policy.decide(policyRequest, address, this.isCurrent, this.now());
  }

  /**
   * Applies rules to a visitor while evidence is missing, if the same rules match whatever the evidence shows. Such
   * visitors share the allowance of visitors that aren't verified.
   */
  decideProvisionally(request: EngineRequest, visitor: EngineIdentification): EngineDecision {
    const { policyRequest, address } = this.describe(request, visitor);
    return this.policy.matchesAnyResult(policyRequest, this.isCurrent)
      ? this.policy.decide(policyRequest, address, this.isCurrent, this.now())
      : NO_DECISION;
  }

  /** Returns true if missing evidence can't change the decision on a request. */
  canDecide(request: EngineRequest, { identification, missing }: LocalIdentification): boolean {
    if (missing === null) return true;
    return this.policy.isIndependentOfResult(this.describe(request, identification).policyRequest, this.isCurrent);
  }

  private get isCurrent(): boolean {
    return this.now() < this.expiresAt;
  }

  /** Signs of automation are only needed for unknown visitors. The address is also needed for rules about networks. */
  private describe(
    { request_headers: rawHeaders, request_path: target, request_method: method, client_address: peer }: EngineRequest,
    visitor: EngineIdentification,
  ): { policyRequest: PolicyRequest; address: string | null } {
    const headers = normalizeHeaders(rawHeaders);
    const path = toPath(target);
    let address: string | null = null;
    let isLikelyAutomated = false;
    const needsAutomation = visitor.agent_token === undefined && this.policy.needsAutomation;
    if (needsAutomation || this.policy.needsAddress) {
      const { trustedProxies } = this.site;
      ({ address } = resolveClientAddress(headers, trustedProxies, this.catalog.proxyNetworks, peer ?? null));
    }
    if (needsAutomation) {
      const parsed = address === null ? null : parseAddress(address);
      const isInDataCenter = parsed !== null && this.dataCenters!.contains(parsed);
      isLikelyAutomated = this.judge.judge({ headers, path, at: this.now(), isInDataCenter }).verdict === 'likely';
    }
    const host = headers['host']?.toLowerCase() ?? null;
    const policyRequest = {
      visitor,
      isLikelyAutomated,
      clientAddress: address,
      method: method?.toUpperCase() ?? null,
      host,
      path,
    };
    return { policyRequest, address };
  }
}

function toLocal(
  identification: Identification,
  { missing }: LocalEvidence,
  { address }: ClientAddress,
): LocalIdentification {
  // More evidence can't change the result of a verified agent.
  const isFinal = missing === null || identification.result === 'verified';
  return {
    identification: toPublicIdentification(identification),
    missing: isFinal ? null : missing,
    // The reason includes the signature's fault, which can decide if the DNS records don't.
    cacheKey: isFinal ? null : `${identification.agent_id} ${address} ${identification.reason}`,
  };
}

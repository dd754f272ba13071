import { setDecision } from './decisions.js';
import type { Engine, EngineIdentification, EngineRequest, EngineResponse, LocalIdentification } from './engine.js';
import type { Snapshots } from './snapshots.js';
import { toPlainRequest, type AnyRequest } from './requests.js';
import type { WaitUntil, WebRequestContext } from './types.js';

export interface EnforceOptions {
  /**
   * What to do if only the instance can identify a visitor, or if no snapshot is available yet: `allow` lets the request
   * pass and asks the instance in the background, so the visitor's next request can be decided on. `wait` waits for the
   * instance. Default: `allow`.
   */
  whenUndecided?: 'allow' | 'wait' | undefined;
  /** Maximum time to wait for the instance, in milliseconds. After that, the request passes. Default: 500. */
  timeoutMs?: number | undefined;
}

type Verify = (request: EngineRequest, options: { timeoutMs: number }) => Promise<EngineIdentification>;

/** How long to cache identifications by the instance, and how many. */
const CACHE_TTL_MS = 300_000;
const MAX_CACHED_IDENTIFICATIONS = 5_000;
/** Cache time of identifications that can change with the next request. */
const UNFINISHED_TTL_MS = 5_000;
/** Maximum number of requests to the instance at the same time. */
const MAX_PENDING_REQUESTS = 50;
const DEFAULT_TIMEOUT_MS = 500;

interface CachedIdentification {
  /** Null while the instance is being asked. */
  identification: EngineIdentification | null;
  expiresAt: number;
}

/** Applies the project's rules in this process. */
export class RulesGuard {
  private readonly cache = new Map<string, CachedIdentification>();
  /** Requests to the instance, oldest first. */
  private readonly pending = new Set<{ endsAt: number }>();

  constructor(
    private readonly snapshots: Snapshots,
    private readonly verify: Verify,
    private readonly options: EnforceOptions,
  ) {}

  /** Returns the response that a rule determines, or null to let the request pass. Never rejects. */
  async refusal(
    request: AnyRequest,
    { clientAddress, waitUntil }: WebRequestContext = {},
  ): Promise<EngineResponse | null> {
    try {
      const engine = this.snapshots.current(waitUntil) ?? (await this.waitForSnapshot(waitUntil));
      if (engine === null) return null;
      const plain = toPlainRequest(request, clientAddress);
      const local = await engine.identify(plain);
      const visitor = engine.canDecide(plain, local)
        ? local.identification
        : await this.lookUp(plain, local, waitUntil);
      const { response, header } =
        visitor === null ? engine.decideProvisionally(plain, local.identification) : engine.decide(plain, visitor);
      if (header !== null) setDecision(request, header);
      return response;
    } catch {
      return null;
    }
  }

  private async waitForSnapshot(waitUntil: WaitUntil | undefined): Promise<Engine | null> {
    if (this.options.whenUndecided !== 'wait') return null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    });
    const refresh = this.snapshots.refresh();
    waitUntil?.(refresh);
    await Promise.race([refresh, timeout]);
    clearTimeout(timer);
    return this.snapshots.current();
  }

  /** Returns the instance's identification, or null if it isn't available yet. */
  private async lookUp(
    request: EngineRequest,
    { cacheKey, missing }: LocalIdentification,
    waitUntil: WaitUntil | undefined,
  ): Promise<EngineIdentification | null> {
    // Not null, because the identification isn't final.
    const key = cacheKey!;
    const cached = this.cache.get(key);
    if (cached !== undefined && cached.expiresAt > performance.now()) return cached.identification;
    if (this.countPending() >= MAX_PENDING_REQUESTS) return null;
    const answer = this.ask(request, key, missing === 'key_directory');
    if (this.options.whenUndecided === 'wait') return answer;
    waitUntil?.(answer);
    return null;
  }

  /** Asks the instance and caches its answer. Returns null if it doesn't answer in time. */
  private async ask(request: EngineRequest, key: string, isSigned: boolean): Promise<EngineIdentification | null> {
    const timeoutMs = this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const isWaiting = this.options.whenUndecided === 'wait';
    // Requests of the same visitor share the answer, unless each of them waits for its own.
    if (!isWaiting) this.setCached(key, null, timeoutMs);
    const startedAt = performance.now();
    const entry = { endsAt: startedAt + timeoutMs };
    this.pending.add(entry);
    try {
      const identification = await this.verify(request, { timeoutMs });
      // After a slow `not_verifiable`, a lookup may still be running.
      const isFinal = identification.result !== 'not_verifiable' || performance.now() - startedAt < timeoutMs / 2;
      // A signature only verifies one request. Other results are cached, so that visitors can't evade rules with a
      // signature that names a directory missing in the snapshot. Only briefly, because genuine visitors can share the
      // address of an impostor.
      if (isSigned && identification.result === 'verified') this.cache.delete(key);
      else this.setCached(key, identification, isFinal && !isSigned ? CACHE_TTL_MS : UNFINISHED_TTL_MS);
      return identification;
    } catch {
      this.cache.delete(key);
      return null;
    } finally {
      this.pending.delete(entry);
    }
  }

  private countPending(): number {
    const now = performance.now();
    // Runtimes can cancel a request without settling its promise.
    for (const entry of this.pending) if (entry.endsAt < now) this.pending.delete(entry);
    return this.pending.size;
  }

  private setCached(key: string, identification: EngineIdentification | null, ttlMs: number): void {
    if (this.cache.size >= MAX_CACHED_IDENTIFICATIONS) this.cache.delete(this.cache.keys().next().value!);
    this.cache.set(key, { identification, expiresAt: performance.now() + ttlMs });
  }
}

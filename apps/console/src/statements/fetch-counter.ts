import { createHash } from 'node:crypto';
import { isUserTriggered, MAX_LISTED_FETCHES, type IdentificationResult, type TimelineVisit } from '#libs/contracts';
import { IDENTITIES, type CountsByIdentity, type DisallowedFetch, type Identity } from './statement.js';

const DAY_MS = 86_400_000;
/** Maximum total length of the listed paths, in characters. */
const MAX_LISTED_PATH_LENGTH = 4_000_000;

const IDENTITY_BY_RESULT: Partial<Record<IdentificationResult, Identity>> = {
  verified: 'verified',
  not_verifiable: 'claimed',
  verification_failed: 'spoofed',
};

/** Fetches with an identity in common, and possibly an agent or a purpose. */
export class FetchGroup {
  fetches = 0;
  bytes = 0;
  sizedFetches = 0;
  /** 128-bit hashes of the paths. */
  private readonly paths = new Set<string>();

  constructor(readonly identity: Identity) {}

  add(size: number | null, path: string): void {
    this.fetches += 1;
    this.paths.add(path);
    if (size === null) return;
    this.bytes += size;
    this.sizedFetches += 1;
  }

  get pathCount(): number {
    return this.paths.size;
  }
}

interface AgentKey {
  id: string;
  token: string;
  type: string;
}

export const createCounts = (): CountsByIdentity => ({ verified: 0, claimed: 0, spoofed: 0 });

/** Counts an operator's fetches in a single pass, from the oldest to the newest. */
export class FetchCounter {
  readonly totals = new Map(IDENTITIES.map((identity) => [identity, new FetchGroup(identity)]));
  /** Groups by agent, type and identity. */
  readonly agents = new Map<string, { agent: AgentKey; purposes: string[]; group: FetchGroup }>();
  /** Groups by purposes and identity. */
  readonly purposes = new Map<string, { purposes: string[]; tokens: Set<string>; group: FetchGroup }>();
  readonly days = new Map<string, CountsByIdentity>();
  readonly verdicts = new Map<string, CountsByIdentity>();
  readonly lines = new Map<string, CountsByIdentity & { version: string; line: number; userTriggered: number }>();
  readonly addresses = new Map<string, CountsByIdentity>();
  /** Fetches by day that were reported late, and that were identified again. */
  readonly late = new Map<string, number>();
  readonly reidentified = new Map<string, number>();
  readonly disallowed: DisallowedFetch[] = [];
  disallowedTotal = 0;
  fetches = 0;
  private listedPathLength = 0;

  /** @param getPurposes Returns the names of an agent's purposes by agent ID. */
  constructor(
    private readonly getPurposes: (agentId: string) => string[],
    private readonly includesAddresses: boolean,
  ) {}

  add(visit: TimelineVisit): void {
    const { identification, occurred_at: time, visit: request, client_address: address } = visit;
    const identity = IDENTITY_BY_RESULT[identification.result];
    const { agent_id: id, agent_token: token, agent_type_name: type } = identification;
    if (identity === undefined || id === null || token === null) return;
    this.fetches += 1;
    const day = time.slice(0, 10);
    const { response_size_in_bytes: reported } = request;
    // Earlier versions accepted any value.
    const size = Number.isSafeInteger(reported) && reported! >= 0 ? reported! : null;
    const path = hashPath(request.request_path);
    this.totals.get(identity)!.add(size, path);
    this.addToAgent({ id, token, type: type ?? '' }, identity).add(size, path);
    this.addToPurpose(id, token, identity).add(size, path);
    count(this.days, day, identity);
    count(this.verdicts, visit.robots?.verdict ?? 'none', identity);
    if (this.includesAddresses && address !== null) count(this.addresses, address, identity);
    if (Date.parse(visit.received_at) - Date.parse(time) > DAY_MS) increment(this.late, day);
    if (visit.reidentified !== undefined) increment(this.reidentified, day);
    if (visit.robots?.verdict === 'disallowed') this.addDisallowed(visit, identity, token);
  }

  private addToAgent(agent: AgentKey, identity: Identity): FetchGroup {
    const key = JSON.stringify([agent.token, agent.type, identity]);
    const entry = this.agents.get(key) ?? {
      agent,
      purposes: this.getPurposes(agent.id),
      group: new FetchGroup(identity),
    };
    this.agents.set(key, entry);
    return entry.group;
  }

  private addToPurpose(id: string, token: string, identity: Identity): FetchGroup {
    const purposes = this.getPurposes(id);
    const key = JSON.stringify([purposes, identity]);
    const entry = this.purposes.get(key) ?? { purposes, tokens: new Set(), group: new FetchGroup(identity) };
    entry.tokens.add(token);
    this.purposes.set(key, entry);
    return entry.group;
  }

  private addDisallowed(visit: TimelineVisit, identity: Identity, token: string): void {
    const { version = null, line = null } = visit.robots ?? {};
    const { request_path: path, request_method: method, response_status_code: status = null } = visit.visit;
    this.disallowedTotal += 1;
    if (version !== null && line !== null) {
      const key = `${version} ${line}`;
      const entry = this.lines.get(key) ?? { ...createCounts(), version, line, userTriggered: 0 };
      entry[identity] += 1;
      if (isUserTriggered(visit.identification.agent_type_name)) entry.userTriggered += 1;
      this.lines.set(key, entry);
    }
    // Only the first fetches are listed, without gaps.
    if (this.disallowed.length < this.disallowedTotal - 1) return;
    if (this.disallowed.length >= MAX_LISTED_FETCHES || this.listedPathLength >= MAX_LISTED_PATH_LENGTH) return;
    this.listedPathLength += path.length;
    this.disallowed.push({
      id: visit.id,
      time: visit.occurred_at,
      agent: token,
      identity,
      method,
      path,
      status,
      version,
      line,
      ...(this.includesAddresses && { address: visit.client_address }),
    });
  }
}

function count(counts: Map<string, CountsByIdentity>, key: string, identity: Identity): void {
  const entry = counts.get(key) ?? createCounts();
  entry[identity] += 1;
  counts.set(key, entry);
}

const increment = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

/** Hashes a path without its query, to limit memory. */
const hashPath = (path: string): string =>
  createHash('sha256').update(path.split('?', 1)[0]!).digest().toString('latin1', 0, 16);

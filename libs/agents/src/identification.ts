import type { AddressEvidence } from './address-evidence.js';
import { addressEvidence, type AddressVerdict } from './address-verdict.js';
import type { AddressOrigin } from './address-origin.js';
import { parseAddress, type Address } from './address.js';
import type { AgentDefinition } from './agent.js';
import type { AgentMatch, AgentMatcher } from './agent.matcher.js';
import type { ClientAddress } from './client-address.js';
import type { EarlierEvidence } from './earlier-evidence.js';
import { andThen, type Awaitable, type EvidenceSources } from './evidence-sources.js';
import type { ObservedRequest } from './observed-request.js';
import type { IdentificationEvidence } from './verification.js';
import type { AddressReason, IdentificationReason, IdentificationResult, VerificationMethod } from './vocabulary.js';
import { isSigned, NOT_SIGNED, webBotAuth, type WebBotAuthVerdict } from './web-bot-auth/web-bot-auth.js';

/** The `identification` of an enriched visit. Agent fields are `null` for an unknown agent, or where unknown of one. */
export interface Identification {
  result: IdentificationResult;
  agent_id: string | null;
  agent_token: string | null;
  agent_url: string | null;
  agent_type_name: string | null;
  operator_name: string | null;
  /** What proved the claim, or refuted it. */
  method: VerificationMethod | null;
  reason: IdentificationReason | null;
  evidence: IdentificationEvidence;
  catalog_version: string;
}

/** What identification needs of a compiled catalog. */
export interface KnownAgents {
  version: string;
  matcher: AgentMatcher;
  /** The agent whose key directory this is; `url` as `directoryUrl` gives it. */
  agentOfDirectory(url: string): AgentDefinition | null;
  /** `null` for an agent without addresses. */
  addressesOf(agent: AgentDefinition): AddressEvidence | null;
  /** The published range that holds an address; `null` if none does, or if the address is an edge of a proxy network. */
  originOf(address: Address): AddressOrigin | null;
}

export interface IdentificationContext {
  catalog: KnownAgents;
  clientAddress: ClientAddress;
  sources: EvidenceSources;
  /** The site's host names, in lower case; empty accepts a signature for any. */
  hostNames: readonly string[];
  /** Admits the keys that the RFCs publish. */
  allowTestKeys: boolean;
  /** The moment of the check, in milliseconds since the epoch. */
  now: number;
  /** Of a request that is identified again. */
  earlier?: EarlierEvidence | undefined;
}

/**
 * Says which agent sent a request, and whether that is proven. Never throws or rejects; answers at once unless something
 * has to be looked up outside.
 */
export function identify(request: ObservedRequest, context: IdentificationContext): Awaitable<Identification> {
  const userAgent = request.headers['user-agent'];
  const match = userAgent === undefined ? null : context.catalog.matcher.match(userAgent);
  // As most are: what a signature is judged by is not put together for nothing.
  if (!isSigned(request.headers)) return withAddress(request, match, NOT_SIGNED, context);
  const signed = webBotAuth(judgedInTime(request), {
    directories: context.sources.directories,
    agentOfDirectory: (url) => context.catalog.agentOfDirectory(url),
    hostNames: context.hostNames,
    allowTestKeys: context.allowTestKeys,
    userAgentAgent: match?.agent ?? null,
    earlier: context.earlier,
  });
  return andThen(signed, (signature) => withAddress(request, match, signature, context));
}

function withAddress(
  { at }: ObservedRequest,
  match: AgentMatch | null,
  signature: WebBotAuthVerdict,
  context: IdentificationContext,
): Awaitable<Identification> {
  // A signature names its agent whatever the User-Agent claims.
  const agent = signature.agent ?? match?.agent ?? null;
  if (agent === null || signature.outcome === 'verified') {
    return identification(agent, match, signature, null, context);
  }
  const { sources, clientAddress, earlier, now, catalog } = context;
  const by = { dns: sources.dns, times: { at, now }, earlier };
  const ranges = catalog.addressesOf(agent);
  const evidence = addressEvidence(agent, clientAddress.address ?? ownNetwork(clientAddress, ranges), ranges, by);
  return andThen(evidence, (address) => identification(agent, match, signature, address, context));
}

/** The address of an agent that runs on the network of a proxy, which can only prove it. */
function ownNetwork({ network_address: text }: ClientAddress, ranges: AddressEvidence | null): string | null {
  const address = text === undefined || ranges === null ? null : parseAddress(text);
  return address !== null && ranges!.sources.some(({ index }) => index.find(address) !== null) ? text! : null;
}

const DAY_MS = 86_400_000;

/**
 * A signature is judged at the time of the request, however late that is told of: a backlog must not turn it "expired".
 * A time more than a day from when it was told is only what somebody says.
 */
function judgedInTime(request: ObservedRequest): ObservedRequest {
  const { at, receivedAt = at } = request;
  return Math.abs(receivedAt - at) <= DAY_MS ? request : { ...request, at: receivedAt };
}

/**
 * What is said of unknown visitors without a signature, as most are: by catalog, by why their address was believed, and by the header
 * that it was in. All of them share it, so it is frozen.
 */
const unknownVisitors = new WeakMap<KnownAgents, Map<string, Map<string | null, Identification>>>();

function identification(
  agent: AgentDefinition | null,
  match: AgentMatch | null,
  signature: WebBotAuthVerdict,
  address: AddressVerdict | null,
  context: IdentificationContext,
): Identification {
  const { catalog, clientAddress } = context;
  const origin = agent === null ? originOf(context) : null;
  if (agent !== null || origin !== null || signature.steps.length > 0) {
    return newIdentification(agent, match, signature, { address, origin }, context);
  }
  let byReason = unknownVisitors.get(catalog);
  if (byReason === undefined) unknownVisitors.set(catalog, (byReason = new Map()));
  let bySource = byReason.get(clientAddress.reason);
  if (bySource === undefined) byReason.set(clientAddress.reason, (bySource = new Map()));
  let known = bySource.get(clientAddress.source);
  if (known === undefined) {
    known = newIdentification(agent, match, signature, { address, origin }, context);
    Object.freeze(known.evidence);
    bySource.set(clientAddress.source, Object.freeze(known));
  }
  return known;
}

function newIdentification(
  agent: AgentDefinition | null,
  match: AgentMatch | null,
  signature: WebBotAuthVerdict,
  { address, origin }: { address: AddressVerdict | null; origin: AddressOrigin | null },
  { catalog, clientAddress }: IdentificationContext,
): Identification {
  const { result, method, reason } = agent === null ? UNKNOWN : judge(agent, signature, address);
  return {
    result,
    agent_id: agent?.id ?? null,
    agent_token: agent?.token ?? null,
    agent_url: agent?.url ?? null,
    agent_type_name: agent?.type ?? null,
    operator_name: agent?.operator ?? null,
    method,
    reason,
    evidence: {
      user_agent_match: match?.matchedText ?? null,
      user_agent_token: match?.agent.token ?? null,
      client_address_source: clientAddress.source,
      client_address_reason: clientAddress.reason,
      ...(agent !== null && clientAddress.note !== undefined && { client_address_note: clientAddress.note }),
      ...(origin !== null && { address_origin: origin }),
      steps: [...signature.steps, ...(address?.steps ?? [])],
    },
    catalog_version: catalog.version,
  };
}

/** Where a visitor who names no agent came from. It proves nothing, so the verdict stays the same. */
function originOf({ catalog, clientAddress }: IdentificationContext): AddressOrigin | null {
  const address = clientAddress.address === null ? null : parseAddress(clientAddress.address);
  return address === null ? null : catalog.originOf(address);
}

type Judgement = Pick<Identification, 'result' | 'method' | 'reason'>;

const UNKNOWN: Judgement = { result: 'unknown_agent', method: null, reason: null };

/** From evidence to the answer, for a claimed agent. */
function judge(agent: AgentDefinition, signature: WebBotAuthVerdict, address: AddressVerdict | null): Judgement {
  const isSigned = signature.outcome !== 'not_applicable';
  // What was wrong with a signature is kept also where an address proves the agent.
  const signatureReason = isSigned && signature.reason !== 'ok' ? signature.reason : null;
  if (signature.outcome === 'verified') return { result: 'verified', method: 'http_message_signature', reason: null };
  if (address?.outcome === 'pass') return { result: 'verified', method: address.method, reason: signatureReason };
  if (signature.outcome === 'invalid') {
    return { result: 'verification_failed', method: 'http_message_signature', reason: signatureReason };
  }
  // As long as the signature may yet turn out to be good, the address alone accuses nobody.
  if (address?.outcome === 'fail' && signature.reason !== 'directory_pending') {
    return { result: 'verification_failed', method: address.method, reason: named(address.reason) };
  }
  const unproven = signatureReason ?? (address === null ? null : named(address.reason)) ?? unusedMethod(agent);
  return { result: 'not_verifiable', method: null, reason: unproven };
}

const named = (reason: AddressReason): Exclude<AddressReason, 'ok'> | null => (reason === 'ok' ? null : reason);

function unusedMethod({ verification: { signature_agents: signers } }: AgentDefinition): IdentificationReason {
  return signers !== undefined && signers.length > 0 ? 'no_signature' : 'no_method';
}

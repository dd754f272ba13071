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

/** The `identification` of an enriched visit. Agent fields are `null` if the agent or the value is unknown. */
export interface Identification {
  result: IdentificationResult;
  agent_id: string | null;
  agent_token: string | null;
  agent_url: string | null;
  agent_type_name: string | null;
  operator_name: string | null;
  /** Method that proved or refuted the claim. */
  method: VerificationMethod | null;
  reason: IdentificationReason | null;
  evidence: IdentificationEvidence;
  catalog_version: string;
}

/** Parts of a compiled catalog that identification requires. */
export interface KnownAgents {
  version: string;
  matcher: AgentMatcher;
  /** Returns the agent that a key directory belongs to. `url` must come from `directoryUrl`. */
  agentOfDirectory(url: string): AgentDefinition | null;
  /** Returns the address ranges of an agent, or `null` if it has none. */
  addressesOf(agent: AgentDefinition): AddressEvidence | null;
  /**
   * Returns the published range that contains an address. Returns `null` if none does, or for an edge of a proxy
   * network.
   */
  originOf(address: Address): AddressOrigin | null;
}

export interface IdentificationContext {
  catalog: KnownAgents;
  clientAddress: ClientAddress;
  sources: EvidenceSources;
  /** Lowercase host names of the site. If empty, signatures may be for any host. */
  hostNames: readonly string[];
  /** Whether to accept the keys published in RFCs. */
  allowTestKeys: boolean;
  /** Time of the check, in milliseconds since the epoch. */
  now: number;
  /** Evidence from an earlier identification, if the request is identified again. */
  earlier?: EarlierEvidence | undefined;
}

/**
 * Identifies the agent that sent a request, and checks the claim. Never throws or rejects. Returns synchronously if
 * nothing has to be looked up.
 */
export function identify(request: ObservedRequest, context: IdentificationContext): Awaitable<Identification> {
  const userAgent = request.headers['user-agent'];
  const match = userAgent === undefined ? null : context.catalog.matcher.match(userAgent);
  // Most requests are unsigned, so they skip the setup of the signature check.
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
  // The signature takes precedence over the User-Agent.
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

/**
 * Returns the address of a proxy network if it is in the agent's ranges. It can only prove an agent that runs there.
 */
function ownNetwork({ network_address: text }: ClientAddress, ranges: AddressEvidence | null): string | null {
  const address = text === undefined || ranges === null ? null : parseAddress(text);
  return address !== null && ranges!.sources.some(({ index }) => index.find(address) !== null) ? text! : null;
}

const DAY_MS = 86_400_000;

/**
 * Returns the request with the time at which to check its signature. This is the time of the request, so that
 * signatures don't expire in a backlog. If it differs from the time of the report by more than a day, it can't be
 * trusted, and the time of the report counts.
 */
function judgedInTime(request: ObservedRequest): ObservedRequest {
  const { at, receivedAt = at } = request;
  return Math.abs(receivedAt - at) <= DAY_MS ? request : { ...request, at: receivedAt };
}

/**
 * Shared identifications of unknown visitors without a signature, by catalog, address reason and address header. Frozen
 * because they are shared.
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

/** Returns the published range of an unknown visitor's address. It proves nothing, so the result stays the same. */
function originOf({ catalog, clientAddress }: IdentificationContext): AddressOrigin | null {
  const address = clientAddress.address === null ? null : parseAddress(clientAddress.address);
  return address === null ? null : catalog.originOf(address);
}

type Judgement = Pick<Identification, 'result' | 'method' | 'reason'>;

const UNKNOWN: Judgement = { result: 'unknown_agent', method: null, reason: null };

/** Derives the result for a claimed agent from the evidence. */
function judge(agent: AgentDefinition, signature: WebBotAuthVerdict, address: AddressVerdict | null): Judgement {
  const isSigned = signature.outcome !== 'not_applicable';
  // Signature errors are kept even if the address proves the agent.
  const signatureReason = isSigned && signature.reason !== 'ok' ? signature.reason : null;
  if (signature.outcome === 'verified') return { result: 'verified', method: 'http_message_signature', reason: null };
  if (address?.outcome === 'pass') return { result: 'verified', method: address.method, reason: signatureReason };
  if (signature.outcome === 'invalid') {
    return { result: 'verification_failed', method: 'http_message_signature', reason: signatureReason };
  }
  // A pending signature may still turn out to be valid, so the address can't refute the claim yet.
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

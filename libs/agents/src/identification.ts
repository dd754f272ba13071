import type { AddressEvidence } from './address-evidence.js';
import { checkAddress, type AddressVerdict } from './address-check.js';
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
import { isSigned, UNSIGNED_VERDICT, verifyWebBotAuth, type WebBotAuthVerdict } from './web-bot-auth/web-bot-auth.js';

/** `identification` field of an enriched visit. Agent fields are `null` if the agent or the value is unknown. */
export interface Identification {
  result: IdentificationResult;
  agent_id: string | null;
  agent_token: string | null;
  agent_url: string | null;
  agent_type_name: string | null;
  operator_name: string | null;
  /** Method that confirmed or refuted the claim. */
  method: VerificationMethod | null;
  reason: IdentificationReason | null;
  evidence: IdentificationEvidence;
  catalog_version: string;
}

/** Parts of a compiled catalog that are required for identification. */
export interface IdentificationCatalog {
  version: string;
  matcher: AgentMatcher;
  /** Returns the agent that owns a key directory. `url` must be normalized. */
  getAgentByDirectory(url: string): AgentDefinition | null;
  /** Returns an agent's address ranges, or `null` if it has none. */
  getAddressEvidence(agent: AgentDefinition): AddressEvidence | null;
  /**
   * Returns the published range that contains an address. Returns `null` if no range contains it, or if it is an edge of
   * a proxy network.
   */
  findAddressOrigin(address: Address): AddressOrigin | null;
}

export interface IdentificationContext {
  catalog: IdentificationCatalog;
  clientAddress: ClientAddress;
  sources: EvidenceSources;
  /** The site's lowercase host names. If empty, signatures for any host are accepted. */
  hostNames: readonly string[];
  /** Whether to accept the test keys published in RFCs. */
  allowTestKeys: boolean;
  /** Time of the check, in milliseconds since the epoch. */
  now: number;
  /** Evidence from the previous identification, if the request is being identified again. */
  earlier?: EarlierEvidence | undefined;
}

/**
 * Identifies the agent that a request claims to be from, and verifies the claim. Never throws or rejects. Returns
 * synchronously unless evidence has to be looked up.
 */
export function identify(request: ObservedRequest, context: IdentificationContext): Awaitable<Identification> {
  const userAgent = request.headers['user-agent'];
  const match = userAgent === undefined ? null : context.catalog.matcher.match(userAgent);
  // Most requests are unsigned, so they skip the setup of signature verification.
  if (!isSigned(request.headers)) return identifyWithAddress(request, match, UNSIGNED_VERDICT, context);
  const signatureVerdict = verifyWebBotAuth(withSignatureTime(request), {
    directories: context.sources.directories,
    getAgentByDirectory: (url) => context.catalog.getAgentByDirectory(url),
    hostNames: context.hostNames,
    allowTestKeys: context.allowTestKeys,
    userAgentAgent: match?.agent ?? null,
    earlier: context.earlier,
  });
  return andThen(signatureVerdict, (signature) => identifyWithAddress(request, match, signature, context));
}

function identifyWithAddress(
  { at }: ObservedRequest,
  match: AgentMatch | null,
  signature: WebBotAuthVerdict,
  context: IdentificationContext,
): Awaitable<Identification> {
  // The signature takes precedence over the User-Agent.
  const agent = signature.agent ?? match?.agent ?? null;
  if (agent === null || signature.outcome === 'verified') {
    return getIdentification(agent, match, signature, null, context);
  }
  const { sources, clientAddress, earlier, now, catalog } = context;
  const addressContext = { dns: sources.dns, times: { at, now }, earlier };
  const ranges = catalog.getAddressEvidence(agent);
  const evidence = checkAddress(
    agent,
    clientAddress.address ?? findAgentNetworkAddress(clientAddress, ranges),
    ranges,
    addressContext,
  );
  return andThen(evidence, (address) => getIdentification(agent, match, signature, address, context));
}

/**
 * Returns the proxy network's address if it is in the agent's ranges. This address can only confirm an agent that runs
 * inside the network.
 */
function findAgentNetworkAddress(
  { network_address: text }: ClientAddress,
  ranges: AddressEvidence | null,
): string | null {
  const address = text === undefined || ranges === null ? null : parseAddress(text);
  return address !== null && ranges!.sources.some(({ index }) => index.find(address) !== null) ? text! : null;
}

const DAY_MS = 86_400_000;

/**
 * Chooses the time for the signature check. The request time is used, so signatures don't expire while a report is
 * queued. If it differs from the report's arrival time by more than a day, it isn't trusted, and the arrival time is
 * used instead.
 */
function withSignatureTime(request: ObservedRequest): ObservedRequest {
  const { at, receivedAt = at } = request;
  return Math.abs(receivedAt - at) <= DAY_MS ? request : { ...request, at: receivedAt };
}

/**
 * Cached identifications of unsigned, unknown visitors, by catalog, address reason and address header. They are frozen
 * because visits share them.
 */
const unknownVisitorCache = new WeakMap<IdentificationCatalog, Map<string, Map<string | null, Identification>>>();

function getIdentification(
  agent: AgentDefinition | null,
  match: AgentMatch | null,
  signature: WebBotAuthVerdict,
  address: AddressVerdict | null,
  context: IdentificationContext,
): Identification {
  const { catalog, clientAddress } = context;
  const origin = agent === null ? findOrigin(context) : null;
  if (agent !== null || origin !== null || signature.steps.length > 0) {
    return createIdentification(agent, match, signature, { address, origin }, context);
  }
  let byReason = unknownVisitorCache.get(catalog);
  if (byReason === undefined) unknownVisitorCache.set(catalog, (byReason = new Map()));
  let bySource = byReason.get(clientAddress.reason);
  if (bySource === undefined) byReason.set(clientAddress.reason, (bySource = new Map()));
  let cachedIdentification = bySource.get(clientAddress.source);
  if (cachedIdentification === undefined) {
    cachedIdentification = createIdentification(agent, match, signature, { address, origin }, context);
    Object.freeze(cachedIdentification.evidence);
    bySource.set(clientAddress.source, Object.freeze(cachedIdentification));
  }
  return cachedIdentification;
}

function createIdentification(
  agent: AgentDefinition | null,
  match: AgentMatch | null,
  signature: WebBotAuthVerdict,
  { address, origin }: { address: AddressVerdict | null; origin: AddressOrigin | null },
  { catalog, clientAddress }: IdentificationContext,
): Identification {
  const { result, method, reason } = agent === null ? UNKNOWN_AGENT : judge(agent, signature, address);
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

/** Returns the published range containing an unknown visitor's address. It doesn't affect the result. */
function findOrigin({ catalog, clientAddress }: IdentificationContext): AddressOrigin | null {
  const address = clientAddress.address === null ? null : parseAddress(clientAddress.address);
  return address === null ? null : catalog.findAddressOrigin(address);
}

type Verdict = Pick<Identification, 'result' | 'method' | 'reason'>;

const UNKNOWN_AGENT: Verdict = { result: 'unknown_agent', method: null, reason: null };

function judge(agent: AgentDefinition, signature: WebBotAuthVerdict, address: AddressVerdict | null): Verdict {
  const isSigned = signature.outcome !== 'not_applicable';
  // Signature errors are reported even if the address confirms the agent.
  const signatureReason = isSigned && signature.reason !== 'ok' ? signature.reason : null;
  if (signature.outcome === 'verified') return { result: 'verified', method: 'http_message_signature', reason: null };
  if (address?.outcome === 'pass') return { result: 'verified', method: address.method, reason: signatureReason };
  if (signature.outcome === 'invalid') {
    return { result: 'verification_failed', method: 'http_message_signature', reason: signatureReason };
  }
  // A pending signature may still turn out to be valid, so the address can't refute the claim yet.
  if (address?.outcome === 'fail' && signature.reason !== 'directory_pending') {
    return { result: 'verification_failed', method: address.method, reason: toFailureReason(address.reason) };
  }
  const unverifiedReason =
    signatureReason ?? (address === null ? null : toFailureReason(address.reason)) ?? getUnusedMethodReason(agent);
  return { result: 'not_verifiable', method: null, reason: unverifiedReason };
}

const toFailureReason = (reason: AddressReason): Exclude<AddressReason, 'ok'> | null =>
  reason === 'ok' ? null : reason;

function getUnusedMethodReason({ verification: { signature_agents: signers } }: AgentDefinition): IdentificationReason {
  return signers !== undefined && signers.length > 0 ? 'no_signature' : 'no_method';
}

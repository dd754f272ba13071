import type { AgentDefinition } from '../agent.js';
import { signatureStepOf, type EarlierEvidence } from '../earlier-evidence.js';
import { andThen, type Awaitable, type KeyDirectories } from '../evidence-sources.js';
import type { ObservedRequest } from '../observed-request.js';
import type { SignatureStep } from '../verification.js';
import { SIGNATURE_REASONS, type SignatureReason } from '../vocabulary.js';
import { ComponentValues } from './component-values.js';
import { authorityStanding } from './expected-authority.js';
import type { VerificationKey } from './key-set.js';
import { candidates, requestTarget, type Candidate, type RequestTarget } from './request-target.js';
import { namedAgent, readSignatureAgent, type NamedAgent, type SignatureAgentField } from './signature-agent.js';
import { signatureBase } from './signature-base.js';
import { checkCost, isSignatureAlgorithm, signatureHolds } from './signature-check.js';
import { hasDuplicate, type CoveredComponent, type SignatureLabel } from './signature-fields.js';
import { keyTimeFault, readSignatureParameters, timeFault, type SignatureParameters } from './signature-parameters.js';
import { signatureStep } from './signature-step.js';

/** External inputs of the verification. The time comes from the request. */
export interface WebBotAuthContext {
  directories: KeyDirectories;
  /**
   * Returns the catalog agent that a key directory belongs to.
   *
   * @param url URL as returned by `directoryUrl`.
   */
  agentOfDirectory(url: string): AgentDefinition | null;
  /** Lowercase host names of the site. Empty accepts any. */
  hostNames: readonly string[];
  allowTestKeys: boolean;
  userAgentAgent: AgentDefinition | null;
  /** Evidence from the first identification, if the request is identified again. */
  earlier?: EarlierEvidence | undefined;
}

export interface VerifiedSignature {
  step: SignatureStep;
  agent: AgentDefinition | null;
}

const MAX_COMPONENTS = 32;
/** Maximum work for all checks of a request, as a multiple of an Ed25519 check. Shared equally by the labels. */
const MAX_WORK = 56;

interface Verdict {
  reason: SignatureReason;
  outcome: SignatureStep['outcome'];
}

/** Signature that passed every check that doesn't require its key. */
interface Checkable {
  components: CoveredComponent[];
  parameters: SignatureParameters;
  signature: Uint8Array;
  candidates: Candidate[];
  base: string;
}

/** Verifies each signature of a request separately (draft-ietf-webbotauth-httpsig-protocol-01, sections 4 and 5). */
export class SignatureVerifier {
  private readonly agentField: SignatureAgentField;
  private readonly target: RequestTarget;
  private readonly values: ComponentValues;

  private readonly request: ObservedRequest;
  private readonly context: WebBotAuthContext;
  private readonly labelCount: number;

  constructor(request: ObservedRequest, context: WebBotAuthContext, labelCount: number) {
    this.request = request;
    this.context = context;
    this.labelCount = labelCount;
    this.agentField = readSignatureAgent(request.headers['signature-agent']);
    this.target = requestTarget(request);
    this.values = new ComponentValues(request.headers, this.target);
  }

  /** Returns the result for signature fields that can't be parsed at all. */
  refuseUnreadable(reason: SignatureReason): VerifiedSignature {
    const { named, agent } = this.named('', null);
    const isUnlisted = named.directoryUrl !== null && agent === null;
    return verified(null, named, agent, null, verdict(isUnlisted ? 'signature_agent_not_listed' : reason));
  }

  /** @param isComplete False if there is no Signature header. */
  verify(label: SignatureLabel, isComplete: boolean): Awaitable<VerifiedSignature> {
    return andThen(this.verifyNow(label, isComplete), ({ step, agent }) => ({
      step: signatureStepOf(step, this.context.earlier),
      agent,
    }));
  }

  private verifyNow(label: SignatureLabel, isComplete: boolean): Awaitable<VerifiedSignature> {
    const { named, agent } = this.named(label.label, label.components);
    const checkable = this.checkable(label, named, agent, isComplete);
    if ('reason' in checkable) return verified(label, named, agent, null, checkable);
    return andThen(this.context.directories.find(named.directoryUrl!, checkable.parameters.keyid), (answer) =>
      'fault' in answer
        ? verified(label, named, agent, null, verdict(answer.fault))
        : verified(label, named, agent, answer.key, verdict(this.check(label, checkable, answer.key))),
    );
  }

  private named(
    label: string,
    components: CoveredComponent[] | null,
  ): { named: NamedAgent; agent: AgentDefinition | null } {
    const named = namedAgent(this.agentField, label, components);
    return { named, agent: named.directoryUrl === null ? null : this.context.agentOfDirectory(named.directoryUrl) };
  }

  /**
   * Runs every check that doesn't require the key. Inconclusive Signature-Agent faults come first, so a request isn't
   * counted as spoofed for another fault.
   */
  private checkable(
    { components, parameters: raw, value, signatureParams }: SignatureLabel,
    named: NamedAgent,
    agent: AgentDefinition | null,
    isComplete: boolean,
  ): Checkable | Verdict {
    if (named.directoryUrl !== null && agent === null) return verdict('signature_agent_not_listed');
    if (named.fault !== null && SIGNATURE_REASONS[named.fault][0] === 'unverified') return verdict(named.fault);
    if (!isComplete) return verdict('signature_headers_incomplete');
    if (value === null) return verdict('signature_value_unreadable');
    if (components === null) return verdict('signature_input_unreadable');
    const parameters = readSignatureParameters(raw);
    if ('fault' in parameters) return verdict(parameters.fault);
    if (components.length > MAX_COMPONENTS) return verdict('component_unavailable');
    const names = components.map(({ name }) => name);
    if (!names.includes('@authority') && !names.includes('@target-uri')) return verdict('target_not_covered');
    if (hasDuplicate(components)) return verdict('duplicate_component');
    if (named.fault !== null) return verdict(named.fault);
    if (parameters.alg !== null && !isSignatureAlgorithm(parameters.alg)) return verdict('algorithm_not_allowed');
    const late = timeFault(parameters, this.request.at);
    if (late !== null) return verdict(late);
    const misdirected = this.misdirected();
    if (misdirected !== null) return misdirected;
    const all = candidates(this.target, names, agent?.token);
    const base = this.base(components, signatureParams, all[0]!);
    if (typeof base !== 'string') return verdict(base.fault);
    return { components, parameters, signature: value, candidates: all, base };
  }

  /**
   * Detects replays. A signed request to another site can be forwarded to this one with the Host header of the other
   * site.
   */
  private misdirected(): Verdict | null {
    if (this.target.authority === null) return verdict('component_unavailable');
    const standing = authorityStanding(this.target.authority, this.context.hostNames);
    if (standing === 'expected') return null;
    return { reason: 'authority_not_expected', outcome: standing === 'internal' ? 'unverified' : 'invalid' };
  }

  private check(
    { signatureParams }: SignatureLabel,
    { components, parameters, signature, candidates: all, base }: Checkable,
    key: VerificationKey,
  ): SignatureReason {
    if (key.isTestKey && !this.context.allowTestKeys) return 'test_key';
    const late = keyTimeFault(key, this.request.at);
    if (late !== null) return late;
    if (parameters.alg !== null && parameters.alg !== key.algorithm) return 'algorithm_mismatch';
    if (signatureHolds(key, base, signature)) return 'ok';
    const affordable = Math.floor(MAX_WORK / this.labelCount / checkCost(key.algorithm));
    for (const [index, candidate] of all.entries()) {
      if (index === 0) continue;
      if (index >= affordable) return 'component_unavailable';
      const other = this.base(components, signatureParams, candidate);
      if (typeof other !== 'string') return other.fault;
      if (signatureHolds(key, other, signature)) return 'ok';
    }
    return this.values.doubt(components) ?? 'bad_signature';
  }

  private base(
    components: CoveredComponent[],
    signatureParams: string,
    candidate: Candidate,
  ): ReturnType<typeof signatureBase> {
    return signatureBase(components, signatureParams, (component) => this.values.value(component, candidate));
  }
}

function verdict(reason: SignatureReason): Verdict {
  return { reason, outcome: SIGNATURE_REASONS[reason][0] };
}

function verified(
  label: SignatureLabel | null,
  named: NamedAgent,
  agent: AgentDefinition | null,
  key: VerificationKey | null,
  result: Verdict,
): VerifiedSignature {
  return { step: signatureStep(label, named, agent, key, result), agent };
}

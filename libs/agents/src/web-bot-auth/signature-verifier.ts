import type { AgentDefinition } from '../agent.js';
import { chooseSignatureStep, type EarlierEvidence } from '../earlier-evidence.js';
import { andThen, type Awaitable, type KeyDirectories } from '../evidence-sources.js';
import type { ObservedRequest } from '../observed-request.js';
import type { SignatureStep } from '../verification.js';
import { SIGNATURE_REASONS, type SignatureReason } from '../vocabulary.js';
import { ComponentValues } from './component-values.js';
import { classifyAuthority } from './expected-authority.js';
import { listCandidates, parseRequestTarget, type Candidate, type RequestTarget } from './request-target.js';
import {
  resolveClaimedAgent,
  parseSignatureAgent,
  type ClaimedAgent,
  type SignatureAgentField,
} from './signature-agent.js';
import { getVerificationCost, isSignatureAlgorithm } from './signature-algorithm.js';
import { buildSignatureBase } from './signature-base.js';
import { hasDuplicate, type CoveredComponent, type SignatureLabel } from './signature-fields.js';
import {
  checkKeyTime,
  parseSignatureParameters,
  checkSignatureTime,
  type SignatureParameters,
} from './signature-parameters.js';
import { createSignatureStep } from './signature-step.js';
import type { VerificationKey } from './verification-key.js';

/** External inputs for verification, other than the time, which comes from the request. */
export interface WebBotAuthContext {
  directories: KeyDirectories;
  /**
   * Returns the agent in the catalog that owns a key directory.
   *
   * @param url Normalized directory URL.
   */
  getAgentByDirectory(url: string): AgentDefinition | null;
  /** The site's lowercase host names. If empty, signatures for any host are accepted. */
  hostNames: readonly string[];
  allowTestKeys: boolean;
  /** Agent named in the User-Agent. */
  userAgentAgent: AgentDefinition | null;
  /** Evidence from the previous identification, if the request is being identified again. */
  earlier?: EarlierEvidence | undefined;
}

export interface VerifiedSignature {
  step: SignatureStep;
  agent: AgentDefinition | null;
}

const MAX_COMPONENTS = 32;
/** Maximum cost per request, as a multiple of an Ed25519 verification. Divided equally among the labels. */
const MAX_COST = 56;

interface Verdict {
  reason: SignatureReason;
  outcome: SignatureStep['outcome'];
}

/** Signature that has passed all checks that don't require its key. */
interface CheckableSignature {
  components: CoveredComponent[];
  parameters: SignatureParameters;
  signature: Uint8Array;
  candidates: Candidate[];
  base: string;
}

/** Verifies a request's signatures one by one (draft-ietf-webbotauth-httpsig-protocol-01, sections 4 and 5). */
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
    this.agentField = parseSignatureAgent(request.headers['signature-agent']);
    this.target = parseRequestTarget(request);
    this.values = new ComponentValues(request.headers, this.target);
  }

  /** Returns the result for malformed signature headers. */
  rejectUnreadable(reason: SignatureReason): VerifiedSignature {
    const { named, agent } = this.resolveAgent('', null);
    const isUnlisted = named.directoryUrl !== null && agent === null;
    return toVerifiedSignature(null, named, agent, null, toVerdict(isUnlisted ? 'signature_agent_not_listed' : reason));
  }

  /** @param isComplete False if there is no Signature header. */
  verify(label: SignatureLabel, isComplete: boolean): Awaitable<VerifiedSignature> {
    return andThen(this.verifyLabel(label, isComplete), ({ step, agent }) => ({
      step: chooseSignatureStep(step, this.context.earlier),
      agent,
    }));
  }

  private verifyLabel(label: SignatureLabel, isComplete: boolean): Awaitable<VerifiedSignature> {
    const { named, agent } = this.resolveAgent(label.label, label.components);
    const checkable = this.runKeylessChecks(label, named, agent, isComplete);
    if ('reason' in checkable) return toVerifiedSignature(label, named, agent, null, checkable);
    return andThen(this.context.directories.find(named.directoryUrl!, checkable.parameters.keyid), (keyResult) => {
      if ('fault' in keyResult) return toVerifiedSignature(label, named, agent, null, toVerdict(keyResult.fault));
      const { key } = keyResult;
      return andThen(this.checkWithKey(label, checkable, key), (reason) =>
        toVerifiedSignature(label, named, agent, key, toVerdict(reason)),
      );
    });
  }

  private resolveAgent(
    label: string,
    components: CoveredComponent[] | null,
  ): { named: ClaimedAgent; agent: AgentDefinition | null } {
    const named = resolveClaimedAgent(this.agentField, label, components);
    return { named, agent: named.directoryUrl === null ? null : this.context.getAgentByDirectory(named.directoryUrl) };
  }

  /**
   * Runs all checks that don't require the key. Inconclusive Signature-Agent faults come first, so other faults don't
   * mark the request as spoofed.
   */
  private runKeylessChecks(
    { components, parameters: rawParameters, value, signatureParams }: SignatureLabel,
    named: ClaimedAgent,
    agent: AgentDefinition | null,
    isComplete: boolean,
  ): CheckableSignature | Verdict {
    if (named.directoryUrl !== null && agent === null) return toVerdict('signature_agent_not_listed');
    if (named.fault !== null && SIGNATURE_REASONS[named.fault][0] === 'unverified') return toVerdict(named.fault);
    if (!isComplete) return toVerdict('signature_headers_incomplete');
    if (value === null) return toVerdict('signature_value_unreadable');
    if (components === null) return toVerdict('signature_input_unreadable');
    const parameters = parseSignatureParameters(rawParameters);
    if ('fault' in parameters) return toVerdict(parameters.fault);
    if (components.length > MAX_COMPONENTS) return toVerdict('component_unavailable');
    const names = components.map(({ name }) => name);
    if (!names.includes('@authority') && !names.includes('@target-uri')) return toVerdict('target_not_covered');
    if (hasDuplicate(components)) return toVerdict('duplicate_component');
    if (named.fault !== null) return toVerdict(named.fault);
    if (parameters.alg !== null && !isSignatureAlgorithm(parameters.alg)) return toVerdict('algorithm_not_allowed');
    const validityFault = checkSignatureTime(parameters, this.request.at);
    if (validityFault !== null) return toVerdict(validityFault);
    const replayVerdict = this.detectReplay();
    if (replayVerdict !== null) return replayVerdict;
    const allCandidates = listCandidates(this.target, names, agent?.token);
    const base = this.buildBase(components, signatureParams, allCandidates[0]!);
    if (typeof base !== 'string') return toVerdict(base.fault);
    return { components, parameters, signature: value, candidates: allCandidates, base };
  }

  /** Detects replays. A request signed for another site can be forwarded to this one with its original Host header. */
  private detectReplay(): Verdict | null {
    if (this.target.authority === null) return toVerdict('component_unavailable');
    const authorityClass = classifyAuthority(this.target.authority, this.context.hostNames);
    if (authorityClass === 'expected') return null;
    return { reason: 'authority_not_expected', outcome: authorityClass === 'internal' ? 'unverified' : 'invalid' };
  }

  private checkWithKey(
    label: SignatureLabel,
    checkable: CheckableSignature,
    key: VerificationKey,
  ): Awaitable<SignatureReason> {
    const { parameters, signature, base } = checkable;
    if (key.isTestKey && !this.context.allowTestKeys) return 'test_key';
    const validityFault = checkKeyTime(key, this.request.at);
    if (validityFault !== null) return validityFault;
    if (parameters.alg !== null && parameters.alg !== key.algorithm) return 'algorithm_mismatch';
    return andThen(key.verify(base, signature), (isValid) =>
      isValid ? 'ok' : this.checkCandidates(label, checkable, key, 1),
    );
  }

  /** Checks the candidates from an index on, one after the other. */
  private checkCandidates(
    label: SignatureLabel,
    checkable: CheckableSignature,
    key: VerificationKey,
    index: number,
  ): Awaitable<SignatureReason> {
    const { components, signature, candidates } = checkable;
    const candidate = candidates[index];
    if (candidate === undefined) return this.values.findDoubt(components) ?? 'bad_signature';
    const maxCandidates = Math.floor(MAX_COST / this.labelCount / getVerificationCost(key.algorithm));
    if (index >= maxCandidates) return 'component_unavailable';
    const base = this.buildBase(components, label.signatureParams, candidate);
    if (typeof base !== 'string') return base.fault;
    return andThen(key.verify(base, signature), (isValid) =>
      isValid ? 'ok' : this.checkCandidates(label, checkable, key, index + 1),
    );
  }

  private buildBase(
    components: CoveredComponent[],
    signatureParams: string,
    candidate: Candidate,
  ): ReturnType<typeof buildSignatureBase> {
    return buildSignatureBase(components, signatureParams, (component) => this.values.getValue(component, candidate));
  }
}

function toVerdict(reason: SignatureReason): Verdict {
  return { reason, outcome: SIGNATURE_REASONS[reason][0] };
}

function toVerifiedSignature(
  label: SignatureLabel | null,
  named: ClaimedAgent,
  agent: AgentDefinition | null,
  key: VerificationKey | null,
  result: Verdict,
): VerifiedSignature {
  return { step: createSignatureStep(label, named, agent, key, result), agent };
}

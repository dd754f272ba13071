import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { IdentificationResult } from '#libs/agents';
import { KeyValueStore } from '#libs/cache';
import {
  MAX_PROOF_TEXT_LENGTH,
  PROOF_AGENTS,
  proofKey,
  type NewPolicyProof,
  type NewPolicySimulation,
  type PolicyProof,
  type PolicySimulation,
  type PolicyRule,
  type ProofRequest,
  type RulesSelection,
} from '#libs/contracts';
import { unavailable } from '#libs/platform';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../console-settings.js';
import { diagnose } from '../onboarding/diagnosis.js';
import { requestSite, toFirstUrl } from '../onboarding/site-request.js';
import { INITIAL_STATE } from '../onboarding/test-visit.state.js';
import { ProjectRulesRepository } from '../rules/project-rules.repository.js';
import { EmulatedAgentsRepository, type EmulatedAgent } from './emulated-agents.repository.js';
import { PolicyVersionsRepository } from './policy-versions.repository.js';
import { expectResponse, getUnverifiedResult, isVerifiable } from './proof-expectation.js';
import { explainResponse, isExpected } from './proof-findings.js';

/** How long reported visits are recognized as part of a proof. Access logs can be read late. */
const MARKER_TTL_SECONDS = 2 * 86_400;

/** Stands for the site of a project without a site address. */
const PLACEHOLDER_SITE = 'http://site.invalid';

/** Requests a project's own site as other agents, and compares the responses with the policy. */
@Injectable()
export class PolicyProofService {
  constructor(
    private readonly agents: EmulatedAgentsRepository,
    private readonly policies: PolicyVersionsRepository,
    private readonly robots: ProjectRulesRepository,
    private readonly keyValue: KeyValueStore,
    @Inject(CONSOLE_SETTINGS) private readonly settings: Pick<ConsoleSettings, 'testVisits'>,
  ) {}

  async prove(projectId: string, site: URL, proof: NewPolicyProof): Promise<PolicyProof> {
    const { agents, ...policy } = await this.load(projectId, proof);
    const page = proof.path === undefined ? site : new URL(proof.path, site);
    return { requests: await Promise.all(agents.map((agent) => this.request(projectId, page, agent, policy))) };
  }

  /** @param site Address of the site, or null if the project has none. */
  async simulate(projectId: string, site: URL | null, proof: NewPolicySimulation): Promise<PolicySimulation> {
    const { agents, rules, selection } = await this.load(projectId, proof);
    const url = new URL(proof.path ?? site?.pathname ?? '/', site ?? PLACEHOLDER_SITE);
    const expect = (agent: EmulatedAgent, result: IdentificationResult) => ({
      agent_token: agent.token,
      url: url.href,
      ...expectResponse(agent, { url, result, address: proof.client_address }, rules, selection),
    });
    return {
      responses: agents.flatMap((agent) => {
        const [unverified, verified] = [expect(agent, getUnverifiedResult(agent)), expect(agent, 'verified')];
        return isVerifiable(agent) && verified.expected_status !== unverified.expected_status
          ? [verified, unverified]
          : [unverified];
      }),
    };
  }

  private async load(projectId: string, { agent_tokens: tokens }: NewPolicyProof) {
    const [agents, { rules }, { versions }] = await Promise.all([
      this.agents.find(tokens ?? PROOF_AGENTS),
      this.policies.findCurrent(projectId),
      this.robots.list(projectId),
    ]);
    return { agents, rules, selection: versions[0]?.selection ?? null };
  }

  private async request(
    projectId: string,
    site: URL,
    agent: EmulatedAgent,
    { rules, selection }: { rules: PolicyRule[]; selection: RulesSelection | null },
  ): Promise<ProofRequest> {
    const marker = randomBytes(12).toString('hex');
    // Register the marker first, because the site can report the visit before it responds.
    await this.register(projectId, marker, agent);
    const { url, fault, detail, responses } = await requestSite(site, marker, {
      policy: this.settings.testVisits,
      sign: async () => ({ 'user-agent': agent.userAgent }),
    });
    // The policy decides on the first request. Its redirects are followed to the page.
    const result = getUnverifiedResult(agent);
    const first = expectResponse(agent, { url: toFirstUrl(site, marker), result }, rules, selection);
    const isRedirect = first.expected_status >= 300 && first.expected_status < 400;
    const response = isRedirect ? responses[0] : responses.at(-1);
    const expectation = isRedirect ? first : expectResponse(agent, { url: new URL(url), result }, rules, selection);
    const described = { agent_token: agent.token, user_agent: agent.userAgent, url, ...expectation };
    if (response === undefined || (fault !== null && !isRedirect)) {
      const { message = '', nextSteps = [] } = diagnose({ ...INITIAL_STATE, outcome: fault, url, detail }) ?? {};
      return { ...described, answer: null, retry_after: null, is_expected: false, findings: [message, ...nextSteps] };
    }
    return {
      ...described,
      answer: { status: response.status, milliseconds: response.milliseconds },
      retry_after: response.headers['retry-after']?.slice(0, MAX_PROOF_TEXT_LENGTH) ?? null,
      is_expected: isExpected(expectation, response),
      findings: explainResponse(expectation, response),
    };
  }

  /** @throws {ProblemError} 503 if the marker can't be registered, because the visit would count as spoofing. */
  private async register(projectId: string, marker: string, { token }: EmulatedAgent): Promise<void> {
    try {
      await this.keyValue.set(proofKey(projectId, marker), token, MARKER_TTL_SECONDS);
    } catch {
      throw unavailable('Redis is unavailable. Try again later.');
    }
  }
}

import { IDENTIFICATION_RESULTS, type IdentificationResult } from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { IP_ADDRESS } from './ip-address.js';
import { SITE_PATH_PATTERN } from './patterns.js';
import { SingleLine } from './text.schema.js';

/** Tokens of the agents that a proof requests the site as by default. */
export const PROOF_AGENTS: readonly string[] = ['GPTBot', 'ChatGPT-User'];
/** Maximum number of agents per proof. */
const MAX_PROOF_AGENTS = 10;

/** KeyValue name that marks a test visit as one of a proof. Such visits aren't judged as spoofing. */
export const proofKey = (projectId: string, marker: string): string => `policy-proof:${projectId}:${marker}`;

const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });
export const MAX_PROOF_TEXT_LENGTH = 2_048;

const ProofRuleSchema = {
  type: ['object', 'null'],
  properties: {
    id: { type: 'string', format: 'uuid', description: 'ID of the rule or exception' },
    name: { type: 'string', maxLength: 200, description: 'Name of the rule' },
    status: {
      type: 'integer',
      description: 'Status that the rule responds with, or 200 if it lets the request through',
    },
  },
  required: ['id', 'name', 'status'],
};

interface ProofRule {
  id: string;
  name: string;
  status: number;
}

const expectationFields = {
  agent_token: Type.String({ maxLength: 200, description: 'Token of the emulated agent' }),
  result: Type.Unsafe<IdentificationResult>({
    type: 'string',
    enum: [...IDENTIFICATION_RESULTS],
    description: 'Identification result of the visitor that the policy decides on',
  }),
  url: Type.String({ maxLength: MAX_PROOF_TEXT_LENGTH, description: 'Requested URL' }),
  expected_status: Type.Integer({
    description: 'Status that the policy requires. 200 stands for any response of the site itself.',
  }),
  decided_by: Type.Unsafe<'rule' | 'robots_txt' | 'nothing'>({
    type: 'string',
    enum: ['rule', 'robots_txt', 'nothing'],
    description:
      '`rule`: a live rule. `robots_txt`: no rule, but the saved robots.txt disallows the page, which a connected ' +
      'proxy enforces. `nothing`: the request is let through.',
  }),
  rule: Type.Unsafe<ProofRule | null>({ ...ProofRuleSchema, description: 'Live rule that matches, or null' }),
  dry_run_rule: Type.Unsafe<ProofRule | null>({
    ...ProofRuleSchema,
    description: 'Rule in dry run that would determine the response if it were live, or null',
  }),
};

const ProofRequestSchema = Type.Object(
  {
    ...expectationFields,
    user_agent: Type.String({ maxLength: MAX_PROOF_TEXT_LENGTH, description: 'User-Agent header that was sent' }),
    answer: Type.Unsafe<{ status: number; milliseconds: number } | null>({
      type: ['object', 'null'],
      description: 'Response to the request, or null if the site could not be reached',
      properties: { status: { type: 'integer' }, milliseconds: { type: 'integer', minimum: 0 } },
      required: ['status', 'milliseconds'],
    }),
    retry_after: nullable<string>('string', {
      maxLength: MAX_PROOF_TEXT_LENGTH,
      description: 'Retry-After header of the response. Null if there is none.',
    }),
    is_expected: Type.Boolean({ description: 'Whether the response is the one that the policy requires' }),
    findings: Type.Array(Type.String({ maxLength: MAX_PROOF_TEXT_LENGTH }), {
      maxItems: 10,
      description: 'Explanations for people, such as possible causes of a different response',
    }),
  },
  { description: 'Request as an agent, and its response' },
);

export const PolicyProofSchema = Type.Object(
  { requests: Type.Array(ProofRequestSchema, { maxItems: MAX_PROOF_AGENTS, description: 'One request per agent' }) },
  { $id: 'PolicyProof' },
);

export const PolicySimulationSchema = Type.Object(
  {
    responses: Type.Array(
      Type.Object(expectationFields, { description: 'Response that the policy requires for a request as an agent' }),
      {
        maxItems: 2 * MAX_PROOF_AGENTS,
        description: 'Responses to unverified visitors, and to the verified agent if it gets another one',
      },
    ),
  },
  { $id: 'PolicySimulation' },
);

const proofFields = {
  agent_tokens: Type.Optional(
    Type.Array(SingleLine({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: MAX_PROOF_AGENTS,
      uniqueItems: true,
      description: `Tokens of the agents to request the site as. Default: ${PROOF_AGENTS.join(' and ')}.`,
    }),
  ),
  path: Type.Optional(
    Type.String({
      pattern: SITE_PATH_PATTERN,
      maxLength: MAX_PROOF_TEXT_LENGTH,
      description: "Path on the site to request. Default: the path of the project's site address.",
    }),
  ),
};

export const NewPolicyProofSchema = Type.Object(proofFields, { $id: 'NewPolicyProof', additionalProperties: false });

export const NewPolicySimulationSchema = Type.Object(
  {
    ...proofFields,
    client_address: Type.Optional(
      Type.String({
        format: IP_ADDRESS,
        description: 'Address that the requests come from. By default, no rule for networks applies.',
        examples: ['203.0.113.7'],
      }),
    ),
  },
  { $id: 'NewPolicySimulation', additionalProperties: false },
);

export type PolicyProof = Static<typeof PolicyProofSchema>;
export type NewPolicyProof = Static<typeof NewPolicyProofSchema>;
export type NewPolicySimulation = Static<typeof NewPolicySimulationSchema>;
export type PolicySimulation = Static<typeof PolicySimulationSchema>;
export type ProofRequest = PolicyProof['requests'][number];

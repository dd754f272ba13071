import { Type, type Static } from 'typebox';

/** Tokens of the agents that a proof requests the site as. */
export const PROOF_AGENTS = ['GPTBot', 'ChatGPT-User'] as const;

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

const ProofRequestSchema = Type.Object(
  {
    agent_token: Type.String({ maxLength: 200, description: 'Token of the emulated agent' }),
    user_agent: Type.String({ maxLength: MAX_PROOF_TEXT_LENGTH, description: 'User-Agent header that was sent' }),
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
  { requests: Type.Array(ProofRequestSchema, { maxItems: PROOF_AGENTS.length, description: 'One request per agent' }) },
  { $id: 'PolicyProof' },
);

export const NewPolicyProofSchema = Type.Object({}, { $id: 'NewPolicyProof', additionalProperties: false });

export type PolicyProof = Static<typeof PolicyProofSchema>;
export type ProofRequest = PolicyProof['requests'][number];

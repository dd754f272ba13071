import { MAX_EFFECT_DAYS, MAX_EFFECT_VISITS, PolicyEffectSchema } from '../policy-effect.schema.js';
import {
  MAX_FORECAST_VISITS,
  PolicyForecastSchema,
  PolicyOutcomesSchema,
  PolicyTrialSchema,
} from '../policy-forecast.schema.js';
import { LIMIT_SERVERS, PolicyLimitsSchema } from '../policy-limits.schema.js';
import {
  NewPolicyProofSchema,
  NewPolicySimulationSchema,
  PolicyProofSchema,
  PolicySimulationSchema,
} from '../policy-proof.schema.js';
import { MAX_POLICY_VERSIONS } from '../policy.schema.js';
import {
  CurrentPolicySchema,
  POLICY_COUNT_DAYS,
  PolicyChangeSchema,
  PolicyCountsSchema,
  PolicyVersionListSchema,
  PolicyVersionSchema,
} from '../policy-version.schema.js';
import { operation } from './operation.js';
import { BODY, idParameter, oneOf, PROJECT, singleParameter, wholeNumber, withDefault } from './parameters.js';

export const getPolicy = operation({
  method: 'get',
  path: '/api/projects/{id}/policy',
  id: 'getPolicy',
  version: 'read',
  access: 'viewer',
  tag: 'Policy',
  summary: "Get the current rules of a project's policy",
  params: { id: PROJECT },
  answer: CurrentPolicySchema,
  problems: [404],
});

export const changePolicy = operation({
  method: 'put',
  path: '/api/projects/{id}/policy',
  id: 'changePolicy',
  version: 'change',
  access: 'member',
  tag: 'Policy',
  summary: `Save rules as the current version of the policy (the last ${MAX_POLICY_VERSIONS} versions are retained)`,
  description:
    'Rules are applied in order, and the first match wins. Rules never apply to /robots.txt and paths below ' +
    '/.well-known/. Changes take effect within a few seconds. Preserve the IDs of rules, because their counts belong ' +
    'to them.',
  params: { id: PROJECT },
  body: PolicyChangeSchema,
  answer: CurrentPolicySchema,
  problems: [404, ...BODY],
});

export const listPolicyVersions = operation({
  method: 'get',
  path: '/api/projects/{id}/policy-versions',
  id: 'listPolicyVersions',
  access: 'viewer',
  tag: 'Policy',
  summary: "List the saved versions of a project's policy",
  params: { id: PROJECT },
  answer: PolicyVersionListSchema,
  problems: [404],
});

export const getPolicyVersion = operation({
  method: 'get',
  path: '/api/projects/{id}/policy-versions/{policyVersionId}',
  id: 'getPolicyVersion',
  access: 'viewer',
  tag: 'Policy',
  summary: 'Get a saved version of the policy, including its rules',
  params: { id: PROJECT, policyVersionId: idParameter('version') },
  answer: PolicyVersionSchema,
  problems: [404],
});

export const getPolicyCounts = operation({
  method: 'get',
  path: '/api/projects/{id}/policy/counts',
  id: 'getPolicyCounts',
  access: 'viewer',
  tag: 'Policy',
  summary: `Count the requests that rules decided on in the last ${POLICY_COUNT_DAYS} days, including today`,
  params: { id: PROJECT },
  answer: PolicyCountsSchema,
  problems: [404],
});

export const tryPolicy = operation({
  method: 'post',
  path: '/api/projects/{id}/policy-trials',
  id: 'tryPolicy',
  access: 'viewer',
  onlyReads: true,
  tag: 'Policy',
  summary: 'Count the past visits that rules would have applied to, as if all rules in dry run were live',
  description:
    `Replays the stored visits of the last days through the rules, including the allowances of rules that slow down. ` +
    `Days start at midnight in the project's time zone, and 1 day stands for the last 24 hours. ` +
    `If there are more than ${MAX_FORECAST_VISITS.toLocaleString('en')} visits, it replays the newest.`,
  params: { id: PROJECT },
  body: PolicyTrialSchema,
  answer: PolicyForecastSchema,
  problems: [404, ...BODY, 504],
});

export const getPolicyOutcomes = operation({
  method: 'get',
  path: '/api/projects/{id}/policy/outcomes',
  id: 'getPolicyOutcomes',
  access: 'viewer',
  tag: 'Policy',
  summary: 'Compare the forecasts of saved versions with what happened',
  params: { id: PROJECT },
  answer: PolicyOutcomesSchema,
  problems: [404],
});

export const getPolicyEffect = operation({
  method: 'get',
  path: '/api/projects/{id}/policy/rules/{ruleId}/effect',
  id: 'getPolicyEffect',
  access: 'viewer',
  tag: 'Policy',
  summary: 'Get the effect of a rule: requests, who came back, savings, referrals, and people hit by mistake',
  description:
    'For a rule with exceptions, includes the exceptions. The requests are counted by hour. Everything else is based ' +
    `on stored visits with decisions, of which the newest ${MAX_EFFECT_VISITS.toLocaleString('en')} are read.`,
  params: { id: PROJECT, ruleId: { ...idParameter('rule'), description: 'ID of the rule or exception' } },
  query: {
    days: withDefault(
      singleParameter(
        `Number of days in the project's time zone, including today, 2–${MAX_EFFECT_DAYS}. Default: ${MAX_EFFECT_DAYS}.`,
        wholeNumber(2, MAX_EFFECT_DAYS),
      ),
      MAX_EFFECT_DAYS,
    ),
  },
  answer: PolicyEffectSchema,
  problems: [404, 422, 504],
});

export const renderPolicyLimits = operation({
  method: 'get',
  path: '/api/projects/{id}/policy/limits',
  id: 'renderPolicyLimits',
  access: 'viewer',
  tag: 'Policy',
  summary: 'Render the limits of live rules as server configuration',
  description:
    'The server applies the limits of rules that slow agents down without requests to this instance. It recognizes ' +
    'agents by User-Agent, and verifies them by the address ranges that their operators publish. Rules and exceptions ' +
    'with conditions on requests or on likely automated visitors are ignored.',
  params: { id: PROJECT },
  query: {
    server: withDefault(singleParameter('Server to configure', oneOf(LIMIT_SERVERS)), 'nginx'),
  },
  answer: PolicyLimitsSchema,
  problems: [404, 422, 503, 504],
});

export const provePolicy = operation({
  method: 'post',
  path: '/api/projects/{id}/policy-proofs',
  id: 'provePolicy',
  access: 'member',
  tag: 'Policy',
  summary: "Request the project's site as agents, and compare the responses with the policy",
  description:
    "Only requests the project's site. The requests come from this instance, so they show how the site " +
    'responds to unverified visitors that claim to be these agents. They are recorded as visits by the test agent.',
  params: { id: PROJECT },
  body: NewPolicyProofSchema,
  answer: PolicyProofSchema,
  audit: { change: 'done', subject: 'policy_proof' },
  problems: [404, 409, 429, ...BODY],
});

export const simulateProof = operation({
  method: 'post',
  path: '/api/projects/{id}/policy-simulations',
  id: 'simulateProof',
  access: 'viewer',
  onlyReads: true,
  tag: 'Policy',
  summary: 'Get the responses that the policy requires for requests as agents, without sending any',
  description: 'The code that decides on real requests evaluates the current rules and the saved robots.txt.',
  params: { id: PROJECT },
  body: NewPolicySimulationSchema,
  answer: PolicySimulationSchema,
  problems: [404, ...BODY],
});

export const POLICY_OPERATIONS = [
  getPolicy,
  changePolicy,
  listPolicyVersions,
  getPolicyVersion,
  getPolicyCounts,
  tryPolicy,
  getPolicyOutcomes,
  getPolicyEffect,
  renderPolicyLimits,
  provePolicy,
  simulateProof,
];

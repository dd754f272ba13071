import {
  MAX_RULES_VERSIONS,
  MAX_TRIAL_VISITS,
  ProjectRulesSchema,
  RULES_TRIAL_DAYS,
  RulesRenderingSchema,
  RulesSelectionSchema,
  RulesTrialRequestSchema,
  RulesTrialSchema,
  RulesVersionListSchema,
  RulesVersionSchema,
} from '../project-rules.schema.js';
import { operation } from './operation.js';
import { BODY, idParameter, PROJECT } from './parameters.js';

export const renderRules = operation({
  method: 'post',
  path: '/api/projects/{id}/rules',
  id: 'renderRules',
  access: 'viewer',
  onlyReads: true,
  tag: 'Rules',
  summary: 'Preview robots.txt, server rules or address lists without saving them',
  params: { id: PROJECT },
  body: RulesRenderingSchema,
  answer: ProjectRulesSchema,
  problems: [404, ...BODY, 504],
});

export const tryRules = operation({
  method: 'post',
  path: '/api/projects/{id}/rules-trials',
  id: 'tryRules',
  access: 'viewer',
  onlyReads: true,
  tag: 'Rules',
  summary: `Count the visits in the last ${RULES_TRIAL_DAYS} days that robots.txt rules would have disallowed`,
  description:
    "Only these rules are applied, and the rest of the site's robots.txt is ignored. Rules with a path are tested against " +
    `visits by the named agents. If PostgreSQL stores the visits and there are more than ${MAX_TRIAL_VISITS}, the counts are ` +
    'estimates from a sample.',
  params: { id: PROJECT },
  body: RulesTrialRequestSchema,
  answer: RulesTrialSchema,
  problems: [404, ...BODY, 504],
});

export const listRulesVersions = operation({
  method: 'get',
  path: '/api/projects/{id}/rules-versions',
  id: 'listRulesVersions',
  version: 'read',
  access: 'viewer',
  tag: 'Rules',
  summary: "List the saved versions of a project's rules",
  params: { id: PROJECT },
  answer: RulesVersionListSchema,
  problems: [404],
});

export const saveRulesVersion = operation({
  method: 'post',
  path: '/api/projects/{id}/rules-versions',
  id: 'saveRulesVersion',
  version: 'change',
  access: 'member',
  limit: MAX_RULES_VERSIONS,
  tag: 'Rules',
  summary: 'Save rules as the current version (the last ten versions per project are retained)',
  params: { id: PROJECT },
  body: RulesSelectionSchema,
  status: 201,
  answer: RulesVersionSchema,
  problems: [404, ...BODY, 504],
});

export const getRulesVersion = operation({
  method: 'get',
  path: '/api/projects/{id}/rules-versions/{versionId}',
  id: 'getRulesVersion',
  access: 'viewer',
  tag: 'Rules',
  summary: 'Get a saved version of the rules, including its text',
  params: { id: PROJECT, versionId: idParameter('version') },
  answer: RulesVersionSchema,
  problems: [404],
});

export const PROJECT_RULES_OPERATIONS = [renderRules, tryRules, listRulesVersions, saveRulesVersion, getRulesVersion];

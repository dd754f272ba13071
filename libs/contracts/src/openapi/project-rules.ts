import {
  ProjectRulesSchema,
  RulesSelectionSchema,
  RulesVersionListSchema,
  RulesVersionSchema,
} from '../project-rules.schema.js';
import type { Operation } from './operation.js';
import { BODY, uuid } from './parameters.js';

const PROJECT = uuid('id', 'The project');

/** What agents may fetch on a project's site. */
export const PROJECT_RULES_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/projects/{id}/rules',
    id: 'renderRules',
    access: 'viewer',
    tag: 'Rules',
    summary: 'Render rules for robots.txt or a server, without keeping them',
    parameters: [PROJECT],
    body: RulesSelectionSchema,
    status: 200,
    answer: ProjectRulesSchema,
    problems: [404, ...BODY, 504],
  },
  {
    method: 'get',
    path: '/api/projects/{id}/rules-versions',
    id: 'listRulesVersions',
    access: 'viewer',
    tag: 'Rules',
    summary: "List the saved versions of a project's rules",
    parameters: [PROJECT],
    status: 200,
    answer: RulesVersionListSchema,
    problems: [404],
  },
  {
    method: 'post',
    path: '/api/projects/{id}/rules-versions',
    id: 'saveRulesVersion',
    access: 'member',
    tag: 'Rules',
    summary: "Render rules and save them as the current version; of a project's versions the last ten are kept",
    parameters: [PROJECT],
    body: RulesSelectionSchema,
    status: 201,
    answer: RulesVersionSchema,
    problems: [404, ...BODY, 504],
  },
  {
    method: 'get',
    path: '/api/projects/{id}/rules-versions/{versionId}',
    id: 'getRulesVersion',
    access: 'viewer',
    tag: 'Rules',
    summary: 'Read a saved version with its text',
    parameters: [PROJECT, uuid('versionId', 'The version')],
    status: 200,
    answer: RulesVersionSchema,
    problems: [404],
  },
];

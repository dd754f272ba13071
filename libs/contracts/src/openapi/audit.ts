import { Type } from 'typebox';
import { AUDIT_CHANGES, AUDIT_SUBJECTS, AuditPageSchema } from '../audit.schema.js';
import { auditCursor } from '../cursors.js';
import { isUuid } from '../uuid.js';
import { operation } from './operation.js';
import { cursor, LIMIT, one, oneOf, PROJECT, several, textThat, TIME } from './parameters.js';

const TAG = 'Audit log';
const DESCRIPTION =
  'Who changed or revealed what, and when. Each entry is written together with its change, and cannot be edited or ' +
  'removed. Entries never contain secret values. Newest first.';
const CSV =
  'RFC 4180 with a header row, newest first. `before` and `after` are JSON. Cells that a spreadsheet could interpret as ' +
  "a formula start with a `'`.";

const FILTERS = {
  from: one('Start of the period (inclusive), in ISO 8601', TIME),
  to: one('End of the period (exclusive), in ISO 8601', TIME),
  actor: one("Part of the actor's name"),
  actor_id: one('ID of the acting user or API key'),
  subject: several('Subject type', oneOf(AUDIT_SUBJECTS)),
  subject_id: one('Subject ID'),
  change: several('Type of change', oneOf(AUDIT_CHANGES)),
};
const PROJECT_FILTER = one(
  'Project ID',
  textThat('must be the ID of a project', (id) => (isUuid(id) ? id : null)),
);
const PAGE = { limit: LIMIT, cursor: cursor(auditCursor.read) };
const FILE = {
  answer: Type.String(),
  mediaType: 'text/csv',
  answerHeaders: { 'Content-Disposition': '`attachment`, with a file name' },
};

export const listAuditEntries = operation({
  method: 'get',
  path: '/api/audit-entries',
  id: 'listAuditEntries',
  access: 'administrator',
  tag: TAG,
  summary: 'List audit log entries of the instance',
  description: DESCRIPTION,
  query: { project: PROJECT_FILTER, ...FILTERS, ...PAGE },
  answer: AuditPageSchema,
  problems: [422],
});

export const exportAuditEntries = operation({
  method: 'get',
  path: '/api/audit-entries/export',
  id: 'exportAuditEntries',
  audit: { change: 'done', subject: 'settings' },
  access: 'administrator',
  tag: TAG,
  summary: 'Download the audit log of the instance as CSV',
  description: CSV,
  query: { project: PROJECT_FILTER, ...FILTERS },
  ...FILE,
  problems: [422, 429],
});

export const listProjectAuditEntries = operation({
  method: 'get',
  path: '/api/projects/{id}/audit-entries',
  id: 'listProjectAuditEntries',
  access: 'owner',
  tag: TAG,
  summary: 'List audit log entries of a project',
  description: DESCRIPTION,
  params: { id: PROJECT },
  query: { ...FILTERS, ...PAGE },
  answer: AuditPageSchema,
  problems: [404, 422],
});

export const exportProjectAuditEntries = operation({
  method: 'get',
  path: '/api/projects/{id}/audit-entries/export',
  id: 'exportProjectAuditEntries',
  audit: { change: 'done', subject: 'project', id: 'id' },
  access: 'owner',
  tag: TAG,
  summary: 'Download the audit log of a project as CSV',
  description: CSV,
  params: { id: PROJECT },
  query: FILTERS,
  ...FILE,
  problems: [404, 422, 429],
});

export const AUDIT_OPERATIONS = [
  listAuditEntries,
  exportAuditEntries,
  listProjectAuditEntries,
  exportProjectAuditEntries,
];

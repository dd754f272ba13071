import { Type } from 'typebox';
import { AUDIT_CHANGES, AUDIT_SUBJECTS, AuditPageSchema } from '../audit.schema.js';
import { auditCursor } from '../cursors.js';
import { isUuid } from '../uuid.js';
import { operation } from './operation.js';
import { cursor, LIMIT, one, oneOf, PROJECT, several, textThat, TIME } from './parameters.js';

const TAG = 'Audit log';
const DESCRIPTION =
  'Who changed or saw what, and when: entries are written with each change, and cannot be changed or removed. Values of ' +
  'secrets are in none of them. Newest first.';
const CSV =
  'RFC 4180, with a header, newest first; `before` and `after` are JSON. What a spreadsheet would take for a formula gets ' +
  "a `'` in front.";

const FILTERS = {
  from: one('Not before this time, ISO 8601', TIME),
  to: one('Before this time, ISO 8601', TIME),
  actor: one('Part of the name of who did it'),
  actor_id: one('ID of the person or the API key that did it'),
  subject: several('What it is about', oneOf(AUDIT_SUBJECTS)),
  subject_id: one('ID of what changed'),
  change: several('What became of it', oneOf(AUDIT_CHANGES)),
};
/** Of all projects. */
const OF_PROJECT = one(
  'Only of this project',
  textThat('must be the ID of a project', (id) => (isUuid(id) ? id : null)),
);
const PAGE = { limit: LIMIT, cursor: cursor(auditCursor.read) };
const FILE = {
  answer: Type.String(),
  mediaType: 'text/csv',
  answerHeaders: { 'Content-Disposition': 'attachment, with a name for the file' },
};

export const listAuditEntries = operation({
  method: 'get',
  path: '/api/audit-entries',
  id: 'listAuditEntries',
  access: 'administrator',
  tag: TAG,
  summary: 'List audit log entries of the instance',
  description: DESCRIPTION,
  query: { project: OF_PROJECT, ...FILTERS, ...PAGE },
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
  query: { project: OF_PROJECT, ...FILTERS },
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

/** Who did what. */
export const AUDIT_OPERATIONS = [
  listAuditEntries,
  exportAuditEntries,
  listProjectAuditEntries,
  exportProjectAuditEntries,
];

import { Type } from 'typebox';
import { AUDIT_CHANGES, AUDIT_SUBJECTS, AuditPageSchema } from '../audit.schema.js';
import { auditCursor } from '../cursors.js';
import { isUuid } from '../uuid.js';
import { operation } from './operation.js';
import { cursor, LIMIT, singleParameter, oneOf, PROJECT, repeatableParameter, parsedText, TIME } from './parameters.js';

const TAG = 'Audit log';
const DESCRIPTION =
  'Shows who changed or revealed what, and when. Each entry is written together with its change and cannot be edited or ' +
  'removed. Entries never contain secret values. They are sorted by time, newest first.';
const CSV =
  'CSV file (RFC 4180) with a header row, newest entries first. `before` and `after` contain JSON. Cells that a ' +
  "spreadsheet could interpret as a formula are prefixed with `'`.";

const FILTERS = {
  from: singleParameter('Start of the time range (inclusive, ISO 8601)', TIME),
  to: singleParameter('End of the time range (exclusive, ISO 8601)', TIME),
  actor: singleParameter("Text to search for in the actor's name"),
  actor_id: singleParameter('ID of the user or API key that performed the action'),
  subject: repeatableParameter('Subject type', oneOf(AUDIT_SUBJECTS)),
  subject_id: singleParameter('Subject ID'),
  change: repeatableParameter('Type of change', oneOf(AUDIT_CHANGES)),
};
const PROJECT_FILTER = singleParameter(
  'Project ID',
  parsedText('must be a project ID', (id) => (isUuid(id) ? id : null)),
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
  summary: 'List all audit log entries',
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
  summary: 'Download the entire audit log as CSV',
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
  summary: "List a project's audit log entries",
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
  summary: "Download a project's audit log as CSV",
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

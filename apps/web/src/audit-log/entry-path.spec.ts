import type { AuditEntry } from '../api/audit.js';
import { getSubjectPath } from './entry-path.js';

const createEntry = (type: AuditEntry['subject']['type'], projectId: string | null): AuditEntry =>
  ({ project_id: projectId, change: 'created', subject: { type, id: 'x', name: 'GPT Bot' } }) as AuditEntry;

it('returns the page of an entry’s subject', () => {
  expect(getSubjectPath(createEntry('robots_version', 'p'), true)).toBe(
    '/projects/p/compliance?tab=versions&version=x',
  );
  expect(getSubjectPath(createEntry('agent', null), true)).toBe('/catalog?agent=GPT%20Bot');
});

it('returns null for removed subjects, for those without a page, and for pages of administrators', () => {
  expect(getSubjectPath({ ...createEntry('alert', 'p'), change: 'removed' }, true)).toBeNull();
  expect(getSubjectPath(createEntry('session', null), true)).toBeNull();
  expect(getSubjectPath(createEntry('agent', null), false)).toBeNull();
});

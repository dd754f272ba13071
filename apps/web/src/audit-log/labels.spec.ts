import type { AuditEntry } from '../api/audit.js';
import { getActorType, summarizeEntry, getActorName } from './labels.js';

const createEntry = (overrides: Partial<AuditEntry>): AuditEntry => ({
  id: '',
  occurred_at: '',
  project_id: null,
  actor: { type: 'person', id: null, name: 'ada@example.com', address: null, via: null, request_id: null },
  operation: null,
  change: 'changed',
  subject: { type: 'access_token', id: null, name: null },
  before: null,
  after: null,
  ...overrides,
});
const createSubject = (type: AuditEntry['subject']['type']) => ({ type, id: null, name: null });
const createActor = (type: AuditEntry['actor']['type'], name: string | null) => ({
  ...createEntry({}).actor,
  type,
  name,
});

it.each([
  [createEntry({ after: { name: 'Shop' } }), 'Access token changed'],
  [createEntry({ after: { revoked_at: '2026-11-24T00:00:00Z' } }), 'Access token revoked'],
  [
    createEntry({ change: 'created', subject: createSubject('alert'), after: { kind: 'drop' } }),
    'Alert “Visits drop sharply” created',
  ],
  [
    createEntry({ change: 'removed', subject: { ...createSubject('alert_channel'), name: 'Web team' } }),
    'Alert channel “Web team” removed',
  ],
  [createEntry({ change: 'revealed' }), 'Access token revealed'],
  [createEntry({ change: 'created', subject: createSubject('session') }), 'Signed in'],
  [createEntry({ change: 'removed', subject: createSubject('session') }), 'Session ended'],
  [createEntry({ change: 'done', subject: createSubject('visits') }), 'Visits deleted'],
  [createEntry({ operation: 'exportVisits', change: 'done', subject: createSubject('visits') }), 'Visits exported'],
  [
    createEntry({ operation: 'exportProjectAuditEntries', change: 'done', subject: createSubject('project') }),
    'Audit log exported',
  ],
  [createEntry({ change: 'done', subject: createSubject('login') }), 'Password, code or passkey rejected'],
  [createEntry({ change: 'removed', subject: createSubject('login') }), 'Sign-in method removed'],
  [createEntry({ change: 'created', subject: createSubject('member') }), 'Member added'],
  [createEntry({ change: 'created', subject: createSubject('second_factor') }), 'Second factor turned on'],
  [createEntry({ change: 'removed', subject: createSubject('second_factor') }), 'Second factor turned off'],
  [createEntry({ change: 'created', subject: createSubject('report_subscription') }), 'Report turned on'],
  [createEntry({ change: 'created', subject: createSubject('robots_version') }), 'robots.txt version recorded'],
])('summarizes an audit entry (case %#)', (one, text) => expect(summarizeEntry(one)).toBe(text));

it('returns the actor’s name and type', () => {
  expect(getActorName(createEntry({}))).toBe('ada@example.com');
  expect(getActorName(createEntry({ actor: createActor('visitor', null) }))).toBe('Not signed in');
  expect(getActorName(createEntry({ actor: createActor('service', 'agent-traffic console') }))).toBe('Agent Traffic');
  const actor = { ...createActor('api_key', 'Backup'), via: 'command_line' as const };
  expect(getActorType(createEntry({ actor }))).toBe('API key (command line)');
  expect(getActorType(createEntry({ actor: createActor('environment', 'x') }))).toBe('Environment variable');
});

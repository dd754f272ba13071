import type { AuditEntry } from '../api/audit.js';
import { describeChangedFields, getActorType, splitAction, summarizeEntry, getActorName } from './labels.js';

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
  [createEntry({ after: { name: 'Shop' } }), 'Changed access token'],
  [createEntry({ after: { revoked_at: '2026-11-24T00:00:00Z' } }), 'Revoked access token'],
  [
    createEntry({ change: 'created', subject: createSubject('alert'), after: { kind: 'drop' } }),
    'Created alert “Visits drop sharply”',
  ],
  [
    createEntry({ change: 'removed', subject: { ...createSubject('alert_channel'), name: 'Web team' } }),
    'Removed alert channel “Web team”',
  ],
  [createEntry({ change: 'revealed' }), 'Revealed access token'],
  [createEntry({ change: 'created', subject: createSubject('session') }), 'Signed in'],
  [
    createEntry({ change: 'created', subject: { ...createSubject('login'), name: 'ada@example.com' } }),
    'Added sign-in for “ada@example.com”',
  ],
  [createEntry({ change: 'created', subject: { ...createSubject('api_key'), name: 'CI' } }), 'Created API key “CI”'],
  [createEntry({ change: 'removed', subject: createSubject('session') }), 'Ended session'],
  [createEntry({ change: 'done', subject: createSubject('visits') }), 'Deleted visits'],
  [createEntry({ operation: 'exportVisits', change: 'done', subject: createSubject('visits') }), 'Exported visits'],
  [
    createEntry({ operation: 'exportProjectAuditEntries', change: 'done', subject: createSubject('project') }),
    'Exported audit log',
  ],
  [createEntry({ change: 'done', subject: createSubject('login') }), 'Entered a wrong password, code or passkey'],
  [createEntry({ change: 'removed', subject: createSubject('login') }), 'Removed sign-in'],
  [createEntry({ change: 'created', subject: createSubject('member') }), 'Added member'],
  [createEntry({ change: 'created', subject: createSubject('second_factor') }), 'Turned on second factor'],
  [createEntry({ change: 'removed', subject: createSubject('second_factor') }), 'Turned off second factor'],
  [createEntry({ change: 'created', subject: createSubject('report_subscription') }), 'Turned on report'],
  [createEntry({ change: 'created', subject: createSubject('robots_version') }), 'Recorded robots.txt'],
])('summarizes an audit entry (case %#)', (one, text) => expect(summarizeEntry(one)).toBe(text));

it.each([
  [createEntry({ before: { name: 'Shop' }, after: { name: 'Store', time_zone: 'UTC' } }), 'name, time zone'],
  [createEntry({ after: { a: 1, b: 1, c: 1, d: 1 } }), 'a, b, c, d'],
  [createEntry({ after: { a: 1, b: 1, c: 1, d: 1, e: 1 } }), 'a, b, c, and 2 more'],
  [createEntry({ after: { revoked_at: '2026-11-24T00:00:00Z' } }), null],
  [createEntry({ change: 'created', after: { name: 'Shop' } }), null],
  [createEntry({}), null],
])('lists changed fields (case %#)', (entry, text) => expect(describeChangedFields(entry)).toBe(text));

it('splits an action into its verb and its object', () => {
  expect(splitAction('Published policy')).toEqual(['Published', 'policy']);
  expect(splitAction('Turned on report')).toEqual(['Turned on', 'report']);
});

it('returns the actor’s name and type', () => {
  expect(getActorName(createEntry({}))).toBe('ada@example.com');
  expect(getActorName(createEntry({ actor: createActor('visitor', null) }))).toBe('Not signed in');
  expect(getActorName(createEntry({ actor: createActor('service', 'agent-traffic console') }))).toBe('Agent Traffic');
  const actor = { ...createActor('api_key', 'Backup'), via: 'command_line' as const };
  expect(getActorType(createEntry({ actor }))).toBe('API key (command line)');
  expect(getActorType(createEntry({ actor: createActor('environment', 'x') }))).toBe('Environment variable');
});

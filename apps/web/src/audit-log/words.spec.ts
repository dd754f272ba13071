import type { AuditEntry } from '../api/audit.js';
import { kindOfActor, whatHappened, whoDidIt } from './words.js';

const entry = (over: Partial<AuditEntry>): AuditEntry => ({
  id: '',
  occurred_at: '',
  project_id: null,
  actor: { type: 'person', id: null, name: 'ada@example.com', address: null, via: null, request_id: null },
  operation: null,
  change: 'changed',
  subject: { type: 'access_token', id: null, name: null },
  before: null,
  after: null,
  ...over,
});
const about = (type: AuditEntry['subject']['type']) => ({ type, id: null, name: null });
const by = (type: AuditEntry['actor']['type'], name: string | null) => ({ ...entry({}).actor, type, name });

it.each([
  [entry({ after: { name: 'Shop' } }), 'Access token changed'],
  [entry({ after: { revoked_at: '2026-11-24T00:00:00Z' } }), 'Access token revoked'],
  [entry({ change: 'revealed' }), 'Access token revealed'],
  [entry({ change: 'created', subject: about('session') }), 'Signed in'],
  [entry({ change: 'removed', subject: about('session') }), 'Session ended'],
  [entry({ change: 'done', subject: about('visits') }), 'Visits deleted'],
  [entry({ change: 'removed', subject: about('login') }), 'Sign-in method removed'],
  [entry({ change: 'created', subject: about('member') }), 'Member added'],
  [entry({ change: 'created', subject: about('second_factor') }), 'Second factor turned on'],
  [entry({ change: 'removed', subject: about('second_factor') }), 'Second factor turned off'],
  [entry({ change: 'created', subject: about('report_subscription') }), 'Weekly report turned on'],
  [entry({ change: 'created', subject: about('robots_version') }), 'Served robots.txt recorded'],
])('describes each kind of change', (one, text) => expect(whatHappened(one)).toBe(text));

it('names the actor and its kind', () => {
  expect(whoDidIt(entry({}))).toBe('ada@example.com');
  expect(whoDidIt(entry({ actor: by('visitor', null) }))).toBe('Not signed in');
  expect(whoDidIt(entry({ actor: by('service', 'agent-traffic console') }))).toBe('Agent Traffic');
  const actor = { ...by('api_key', 'Backup'), via: 'command_line' as const };
  expect(kindOfActor(entry({ actor }))).toBe('API key, from the command line');
  expect(kindOfActor(entry({ actor: by('environment', 'x') }))).toBe('Configuration');
});

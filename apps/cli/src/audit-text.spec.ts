import type { AuditEntry } from '#libs/contracts';
import { auditRow } from './audit-text.js';

const entry: AuditEntry = {
  id: '6f7c2f1e-0000-4000-8000-000000000000',
  occurred_at: '2026-11-24T18:00:00.000Z',
  project_id: null,
  actor: {
    type: 'person',
    id: null,
    name: 'ada@example.com',
    address: '192.0.2.7',
    via: 'dashboard',
    request_id: null,
  },
  operation: 'changeProject',
  change: 'changed',
  subject: { type: 'project', id: null, name: 'Shop' },
  before: { name: 'Store', host_names: [] },
  after: { name: 'Shop', host_names: ['shop.example'] },
};

it('shows the actor, their address, the action and the changed values', () => {
  expect(auditRow(entry).slice(1)).toEqual([
    'ada@example.com',
    '192.0.2.7',
    'changed project Shop',
    'name: Store → Shop; host_names: [] → ["shop.example"]',
  ]);
});

it('shows the type of an unnamed actor and the ID of an unnamed subject', () => {
  const actor = { ...entry.actor, type: 'command_line' as const, name: null, address: null };
  const subject = { type: 'access_token' as const, id: '7', name: null };
  const row = auditRow({ ...entry, actor, subject, change: 'created', before: null });
  expect(row.slice(1)).toEqual(['command line', '-', 'created access token 7', '']);
});

it("shows an action's operation and parameters", () => {
  const subject = { type: 'visits' as const, id: 'p1', name: null };
  const action = { operation: 'exportVisits', change: 'done' as const, subject, before: null };
  const after = { format: 'csv', agent: ['GPTBot', 'ClaudeBot'] };
  expect(auditRow({ ...entry, ...action, after }).slice(3)).toEqual([
    'done visits p1',
    'exportVisits; format: csv; agent: ["GPTBot","ClaudeBot"]',
  ]);
  expect(auditRow({ ...entry, ...action, after: null }).at(-1)).toBe('exportVisits');
});

it('shows a removed value', () => {
  const row = auditRow({ ...entry, before: { site_address: 'https://shop.example' }, after: null });
  expect(row.at(-1)).toBe('site_address: https://shop.example → -');
});

it('escapes control characters in names', () => {
  expect(auditRow({ ...entry, subject: { ...entry.subject, name: 'a\u001b[2Jb' } }).join()).not.toContain('\u001b');
});

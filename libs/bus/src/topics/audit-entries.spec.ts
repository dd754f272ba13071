import { TOPIC_SETTINGS, TOPICS, type AuditEntry } from '#libs/contracts';
import { findDeviations } from '../../../../test/kit/async-api.js';
import { AUDIT_ENTRIES } from './audit-entries.js';

const encodeEntry = (entry: AuditEntry) => AUDIT_ENTRIES.encode(entry);

const entry: AuditEntry = {
  id: '6f7c2f1e-0000-4000-8000-000000000000',
  occurred_at: '2026-11-24T18:00:00.000Z',
  project_id: null,
  actor: { type: 'service', id: null, name: 'ingest', address: null, via: null, request_id: null },
  operation: null,
  change: 'changed',
  subject: { type: 'settings', id: null, name: null },
  before: { configured_retention_days: 90 },
  after: { configured_retention_days: 30 },
};

it('AUDIT_ENTRIES encodes entries with and without a project as documented', () => {
  const projectId = '019a8f52-7c11-7d3e-a2c4-5b8f0e6d1a93';
  const messages = [entry, { ...entry, project_id: projectId }].map(encodeEntry);
  expect(messages.flatMap(findDeviations)).toEqual([]);
  expect(messages.map(({ key, headers }) => [key, headers['ce_source']])).toEqual([
    ['instance', '/'],
    [projectId, `/projects/${projectId}`],
  ]);
});

it("AUDIT_ENTRIES replaces only values that exceed the topic's limit", () => {
  const ranges = Array.from({ length: 60_000 }, (_, index) => `198.51.${index >> 8}.${index & 255}/32`);
  const agentDetails = { token: 'Zab', verification: { ip_ranges: ranges } };
  const largeEntry = {
    ...entry,
    before: { own: agentDetails, name: 'Zab' },
    after: { own: { ...agentDetails, token: 'Zac' }, name: 'Zac' },
  };
  const { value } = encodeEntry(largeEntry);
  expect(JSON.parse(value.toString())).toEqual({
    ...entry,
    before: { own: '[too large]', name: 'Zab' },
    after: { own: '[too large]', name: 'Zac' },
  });
  expect(findDeviations(encodeEntry(largeEntry))).toEqual([]);
  const { value: completeValue } = encodeEntry({ ...largeEntry, before: null });
  expect(JSON.parse(completeValue.toString()).after).toEqual(largeEntry.after);
  expect(completeValue.length).toBeLessThan(TOPIC_SETTINGS[TOPICS.audit].maxMessageBytes);
});

import type { System } from '../../api/system-queries.js';
import { findProblems } from './problems.js';

const NOW = Date.parse('2026-11-24T12:00:00Z');
const HEALTHY = {
  processes: [
    { service: 'gateway', state: 'ok' },
    { service: 'gateway', state: 'silent' },
  ],
  dead_letters: { open: 0 },
  catalog: { lists: [{ fault: null }, { fault: null }] },
  disk: {
    visit_store: { name: 'PostgreSQL', fault: null, oldest_pending_at: '2026-11-24T11:59:00Z' },
    outbox: { oldest_at: null },
  },
  network_files: [],
};
const find = (changes: object, state: 'running' | 'down' = 'running'): string[] =>
  findProblems({ ...HEALTHY, ...changes } as unknown as System, { state, parts: [] }, NOW).map(({ text }) => text);

it('finds no problems if everything works', () => expect(find({})).toEqual([]));

it('lists the most urgent problems first', () => {
  const changes = {
    processes: [{ service: 'gateway', state: 'silent' }],
    dead_letters: { open: 1 },
    catalog: { lists: [{ fault: 'x' }, { fault: null }] },
  };
  expect(find(changes, 'down')).toEqual([
    'visits aren’t being processed',
    'a service isn’t healthy',
    '1 message couldn’t be processed',
    '1 of 2 address lists can’t be fetched',
  ]);
});

it('reports visits that have been waiting for too long', () => {
  const outbox = { oldest_at: '2026-11-24T11:50:00Z' };
  const store = { ...HEALTHY.disk.visit_store, oldest_pending_at: null };
  expect(find({ disk: { visit_store: store, outbox } })).toEqual([
    'visits have been waiting to be stored for more than 5 minutes',
  ]);
});

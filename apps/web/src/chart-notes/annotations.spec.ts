import { toAnnotations, groupByItem, joinTexts } from './annotations.js';

const createNote = (day: string, text: string) => ({ id: text, day, text, created_at: '', created_by: 'Ada' });
const createUpdate = (updated_at: string, [added, changed, removed]: [number, number, number]) => ({
  version: 'v',
  updated_at,
  added,
  changed,
  removed,
});

describe('annotations', () => {
  it('sorts annotations by time, placing notes at the start of their day in the project time zone', () => {
    const chartNotes = {
      notes: [createNote('2026-11-21', 'Launch')],
      rules_versions: [{ id: 'rules', saved_at: '2026-11-20T22:59:00Z', saved_by: 'Bea' }],
      catalog_updates: [createUpdate('2026-11-20T23:30:00Z', [1_200, 0, 1])],
    };
    expect(
      toAnnotations(chartNotes, 'Europe/Berlin').map(({ time, text, by }) => [Date.parse(time), text, by]),
    ).toEqual([
      [Date.parse('2026-11-20T22:59:00Z'), 'Rules saved', 'Bea'],
      [Date.parse('2026-11-20T23:00:00Z'), 'Launch', 'Ada'],
      [Date.parse('2026-11-20T23:30:00Z'), 'Catalog updated: 1,200 agents added, 1 removed', null],
    ]);
  });

  it.each([
    [[1, 0, 0], '1 agent added'],
    [[0, 2, 3], '2 agents changed, 3 removed'],
  ] as const)('counts the agents in a catalog update: %j', (counts, text) => {
    const catalog_updates = [createUpdate('2026-11-20T23:30:00Z', [...counts])];
    const [one] = toAnnotations({ notes: [], rules_versions: [], catalog_updates }, 'UTC');
    expect(one!.text).toBe(`Catalog updated: ${text}`);
  });

  it('assigns each annotation to its chart item, and earlier ones to the first item', () => {
    const notes = [createNote('2026-11-21', 'a'), createNote('2026-11-22', 'b'), createNote('2026-11-22', 'c')];
    const all = toAnnotations({ notes, rules_versions: [], catalog_updates: [] }, 'UTC');
    const starts = ['2026-11-21T10:00:00Z', '2026-11-21T11:00:00.000Z', '2026-11-22T00:00:00Z', '2026-11-22T01:00:00Z'];
    const items = groupByItem(all, starts);
    expect([...items].map(([start, each]) => [start, joinTexts(each)])).toEqual([
      [starts[0], 'a'],
      [starts[2], 'b; c'],
    ]);
    expect(groupByItem(all, []).size).toBe(0);
  });
});

import type { Visit } from '../../api/client.js';
import { arrived, listed, MAX_ROWS, NO_ROWS, released, type Rows } from './rows.js';

const visit = (id: number): Visit =>
  ({ id: `visit-${String(id).padStart(6, '0')}`, occurred_at: new Date(id * 1_000).toISOString() }) as Visit;
const visits = (...ids: number[]): Visit[] => ids.map(visit);
const numbers = (list: readonly Visit[]): number[] => list.map(({ id }) => Number(id.slice(6)));

describe('rows', () => {
  it('adds arriving visits at the top, each once', () => {
    let rows = arrived(NO_ROWS, visits(1, 2), false);
    rows = arrived(rows, visits(2, 3), false);
    expect(numbers(rows.shown)).toEqual([3, 2, 1]);
  });

  it('merges a list below the visits that arrived before its response', () => {
    const rows = listed(arrived(NO_ROWS, visits(4, 5), false), visits(4, 3, 2));
    expect(numbers(rows.shown)).toEqual([5, 4, 3, 2]);
    expect(listed(rows, visits(3, 2))).toBe(rows);
  });

  it('holds visits of a list that are newer than the shown rows while paused', () => {
    const rows = listed(arrived(NO_ROWS, visits(3, 4), false), visits(6, 5, 4, 2), true);
    expect([numbers(rows.shown), numbers(rows.held), rows.heldCount]).toEqual([[4, 3, 2], [6, 5], 2]);
    expect(numbers(listed(NO_ROWS, visits(2, 1), true).shown)).toEqual([2, 1]);
  });

  it('stays unchanged while paused, and counts the held visits', () => {
    let rows: Rows = arrived(NO_ROWS, visits(1), false);
    rows = arrived(rows, visits(2, 3), true);
    rows = arrived(rows, visits(3, 4), true);
    expect([numbers(rows.shown), rows.heldCount]).toEqual([[1], 3]);
    rows = released(rows);
    expect([numbers(rows.shown), rows.heldCount]).toEqual([[4, 3, 2, 1], 0]);
  });

  it('limits the rows, also while paused, but counts all held visits', () => {
    const many = Array.from({ length: 2_500 }, (_, index) => visit(index));
    expect(arrived(NO_ROWS, many, false).shown).toHaveLength(MAX_ROWS);
    const held = arrived(NO_ROWS, many, true);
    expect([held.held.length, held.heldCount]).toEqual([MAX_ROWS, 2_500]);
    expect(numbers(released(held).shown).slice(0, 2)).toEqual([2_499, 2_498]);
  });
});

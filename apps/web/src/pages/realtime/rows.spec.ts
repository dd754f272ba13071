import type { Visit } from '../../api/client.js';
import { addArrivals, mergeList, MAX_ROWS, NO_ROWS, releaseHeld, type Rows } from './rows.js';

const visit = (id: number): Visit =>
  ({ id: `visit-${String(id).padStart(6, '0')}`, occurred_at: new Date(id * 1_000).toISOString() }) as Visit;
const visits = (...ids: number[]): Visit[] => ids.map(visit);
const numbers = (list: readonly Visit[]): number[] => list.map(({ id }) => Number(id.slice(6)));

describe('rows', () => {
  it('adds new visits at the top without duplicates', () => {
    let rows = addArrivals(NO_ROWS, visits(1, 2), false);
    rows = addArrivals(rows, visits(2, 3), false);
    expect(numbers(rows.shown)).toEqual([3, 2, 1]);
    expect([...rows.newIds]).toEqual(['visit-000003']);
  });

  it('merges a list response below visits already received from the stream', () => {
    const rows = mergeList(addArrivals(NO_ROWS, visits(4, 5), false), visits(4, 3, 2));
    expect(numbers(rows.shown)).toEqual([5, 4, 3, 2]);
    expect(mergeList(rows, visits(3, 2))).toBe(rows);
  });

  it('holds listed visits that are newer than the visible rows while paused', () => {
    const rows = mergeList(addArrivals(NO_ROWS, visits(3, 4), false), visits(6, 5, 4, 2), true);
    expect([numbers(rows.shown), numbers(rows.held), rows.heldCount]).toEqual([[4, 3, 2], [6, 5], 2]);
    expect(numbers(mergeList(NO_ROWS, visits(2, 1), true).shown)).toEqual([2, 1]);
  });

  it('leaves the visible rows unchanged while paused and counts held visits', () => {
    let rows: Rows = addArrivals(NO_ROWS, visits(1), false);
    rows = addArrivals(rows, visits(2, 3), true);
    rows = addArrivals(rows, visits(3, 4), true);
    expect([numbers(rows.shown), rows.heldCount]).toEqual([[1], 3]);
    rows = releaseHeld(rows);
    expect([numbers(rows.shown), rows.heldCount]).toEqual([[4, 3, 2, 1], 0]);
  });

  it('limits visible and held rows but counts all held visits', () => {
    const many = Array.from({ length: 2_500 }, (_, index) => visit(index));
    expect(addArrivals(NO_ROWS, many, false).shown).toHaveLength(MAX_ROWS);
    const held = addArrivals(NO_ROWS, many, true);
    expect([held.held.length, held.heldCount]).toEqual([MAX_ROWS, 2_500]);
    expect(numbers(releaseHeld(held).shown).slice(0, 2)).toEqual([2_499, 2_498]);
  });
});

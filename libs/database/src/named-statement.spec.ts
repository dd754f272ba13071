import { namedStatement, parameterValues } from './named-statement.js';

const STATEMENT = namedStatement('add', 'SELECT :counts.id::uuid[], :days + :days, (ARRAY[1, 2])[1:2]');

describe('namedStatement', () => {
  it('numbers named parameters and ignores casts and slices', () => {
    expect(STATEMENT.text).toBe('SELECT $1::uuid[], $2 + $2, (ARRAY[1, 2])[1:2]');
    expect(STATEMENT.parameters).toEqual(['counts.id', 'days']);
  });
});

describe('parameterValues', () => {
  it('returns values in parameter order', () => {
    expect(parameterValues(STATEMENT, { days: 7, 'counts.id': null })).toEqual([null, 7]);
  });

  it('rejects a missing parameter value', () => {
    expect(() => parameterValues(STATEMENT, { days: 7 })).toThrow('Statement add requires a value for :counts.id');
  });

  it('rejects a value for an unknown parameter', () => {
    const values = { days: 7, other: 1, 'counts.id': null };
    expect(() => parameterValues(STATEMENT, values)).toThrow('Statement add has no parameter :other');
  });
});

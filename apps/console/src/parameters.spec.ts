import { ProblemError } from '#libs/platform';
import { ParameterReader } from './parameters.js';

function faultsOf(parameters: Record<string, string | string[]>): string[] {
  const reader = new ParameterReader(parameters);
  expect(reader.values('path')).toBeNull();
  try {
    reader.finish();
    return [];
  } catch (error) {
    return (error as ProblemError).errors!.map(({ pointer, detail }) => `${pointer} ${detail}`);
  }
}

it('takes a blank parameter for an absent one', () => {
  expect(faultsOf({ path: '' })).toEqual([]);
});

it('refuses what the database can not take, and what nobody asked for', () => {
  const unstorable = '/path must not hold a NUL character or half of a surrogate pair';
  expect(faultsOf({ path: ['/a', '/\0'], of: 'x' })).toEqual([unstorable, '/of is not a parameter; known are: path']);
  expect(faultsOf({ path: '/\uD800' })).toEqual([unstorable]);
});

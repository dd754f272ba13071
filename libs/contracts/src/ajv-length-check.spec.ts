import { jest } from '@jest/globals';
import { Type } from 'typebox';
import { validator } from './validator.js';

const text = Type.Object({ text: Type.String({ maxLength: 5, pattern: '^b*$', format: 'robots-path' }) });
const times = Type.Object({ id: Type.String({ format: 'uuid' }), time: Type.String({ format: 'date-time' }) });

/** Returns the length of every string that a regular expression was run on. */
function getMatchedLengths(run: () => void): number[] {
  const [test, exec] = [jest.spyOn(RegExp.prototype, 'test'), jest.spyOn(RegExp.prototype, 'exec')];
  run();
  const lengths = [...test.mock.calls, ...exec.mock.calls].map(([matched]) => String(matched).length);
  test.mockRestore();
  exec.mockRestore();
  return lengths;
}

it.each([
  ['string', text, { text: 'a'.repeat(100_000) }, [{ pointer: '/text', detail: 'must have 5 characters or fewer' }]],
  [
    'ID and an overlong time',
    times,
    { id: 'a'.repeat(100_000), time: `2026-11-21T08:30:00.${'0'.repeat(100_000)}` },
    [{ pointer: '/id' }, { pointer: '/time' }],
  ],
])('does not run regular expressions on an overlong %s', (_, schema, value, faults) => {
  const { is, faults: explained } = validator(schema);
  const lengths = getMatchedLengths(() => {
    expect(is(value)).toBe(false);
    expect(explained(value)).toMatchObject(faults);
  });
  expect(Math.max(0, ...lengths)).toBeLessThan(1_000);
});

it('runs regular expressions on text whose length in characters is within the limit', () => {
  const { faults } = validator(text);
  expect(faults({ text: '🤖🤖🤖🤖🤖' })).toEqual([{ pointer: '/text', detail: 'must match pattern "^b*$"' }]);
  expect(faults({ text: 'a://x' })).toHaveLength(2);
});

it.each([{ pattern: '^a$' }, { format: 'uri' }])('fails to compile a schema with %j but no maxLength', (options) => {
  expect(() => validator(Type.Object({ text: Type.String(options) })).is({})).toThrow('no maxLength');
});

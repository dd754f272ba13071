import { errorText, findMainErrors } from './call-errors.js';

const error = (tool: string, calls: number, more: object = {}) =>
  ({ method: 'tools/call', tool, fault: 'tool', code: null, calls, ...more }) as const;

it('finds the most frequent error of each tool', () => {
  const mainErrors = findMainErrors([
    error('search', 3, { fault: 'http', code: 503 }),
    error('search', 7),
    error('buy', 1, { fault: 'protocol', code: -32_602 }),
    error('search', 99, { method: 'resources/read' }),
  ]);
  expect([...mainErrors].map(([tool, main]) => `${tool}: ${errorText(main)}`)).toEqual([
    'search: Tool returned an error',
    'buy: -32602 Invalid params',
  ]);
});

it('names errors by code', () => {
  expect(errorText({ fault: 'http', code: 503 })).toBe('HTTP 503');
  expect(errorText({ fault: 'protocol', code: 42 })).toBe('42');
});

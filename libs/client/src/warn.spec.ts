import { jest } from '@jest/globals';
import { warn } from './warn.js';

it('warns once a minute and always on the final message', () => {
  const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  warn('first');
  warn('second');
  warn('last', true);
  expect(warned.mock.calls).toEqual([['Agent Traffic: first'], ['Agent Traffic: last']]);
  warned.mockRestore();
});

import { jest } from '@jest/globals';
import { warn } from './warn.js';

it('logs at most one warning per minute, but always logs the final one', () => {
  const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  warn('first');
  warn('second');
  warn('last', true);
  expect(warned.mock.calls).toEqual([['Agent Traffic: first'], ['Agent Traffic: last']]);
  warned.mockRestore();
});

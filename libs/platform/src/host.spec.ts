import { isValidHost } from './host.js';

it.each([
  'example.com',
  'example.com:8080',
  'localhost',
  '192.0.2.1:1',
  '[2001:db8::1]:443',
  'a_b',
  'xn--bcher-kva.de',
])('isValidHost accepts %s', (host) => {
  expect(isValidHost(host)).toBe(true);
});

it.each([
  '[',
  ']',
  '[::1',
  '[::1]:99999',
  'a:b:c',
  'a:99999',
  'a b',
  'a@b',
  'a/b',
  'a?b',
  'a#b',
  '\\',
  '%',
  '%00',
  '^',
])('isValidHost rejects %s', (host) => {
  expect(isValidHost(host)).toBe(false);
});

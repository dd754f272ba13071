import { validateAddress, completeAddress, toProjectName } from './site-address.js';

it.each([
  ['', null],
  ['  ', null],
  ['www.example.com', 'https://www.example.com'],
  [' http://localhost:8080/x ', 'http://localhost:8080/x'],
  ['localhost:8080', 'https://localhost:8080'],
])('completes %j to %j', (input, address) => expect(completeAddress(input)).toBe(address));

it.each([
  ['', true],
  ['www.example.com', true],
  ['http://localhost:8080/x', true],
  ['not an address', false],
  ['ftp://www.example.com', false],
])('validates the address %j (valid: %s)', (input, isValid) => expect(validateAddress(input) === null).toBe(isValid));

it.each([
  ['www.shop.example', 'shop.example'],
  ['https://Blog.example/start?x', 'blog.example'],
  ['http://127.0.0.1:8080', '127.0.0.1'],
  ['my shop', ''],
  ['', ''],
])('derives a project name from the site %p: %p', (text, name) => expect(toProjectName(text)).toBe(name));

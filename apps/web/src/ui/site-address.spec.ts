import { addressFault, completeAddress, nameOfSite } from './site-address.js';

it.each([
  ['', null],
  ['  ', null],
  ['www.example.com', 'https://www.example.com'],
  [' http://localhost:8080/x ', 'http://localhost:8080/x'],
  ['localhost:8080', 'https://localhost:8080'],
])('completes %j to %j', (typed, address) => expect(completeAddress(typed)).toBe(address));

it.each([
  ['', true],
  ['www.example.com', true],
  ['http://localhost:8080/x', true],
  ['not an address', false],
  ['ftp://www.example.com', false],
])('validates the address %j (valid: %s)', (typed, isOne) => expect(addressFault(typed) === null).toBe(isOne));

it.each([
  ['www.shop.example', 'shop.example'],
  ['https://Blog.example/start?x', 'blog.example'],
  ['http://127.0.0.1:8080', '127.0.0.1'],
  ['my shop', ''],
  ['', ''],
])('names a project after the site %p: %p', (text, name) => expect(nameOfSite(text)).toBe(name));

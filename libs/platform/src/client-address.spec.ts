import { clientAddress, networkOf } from './client-address.js';

it.each([
  ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['::ffff:172.18.0.5', '10.9.8.7, 198.51.100.1', '198.51.100.1'],
  ['fd00::1', '198.51.100.1, 2001:db8::1', '2001:db8::1'],
  // As whoever listens at `::` sees IPv4, and as nobody else writes them.
  ['::ffff:203.0.113.9', undefined, '203.0.113.9'],
  ['::1', '2001:DB8:0::1', '2001:db8::1'],
  ['10.0.0.1', 'unknown', '10.0.0.1'],
  ['10.0.0.1', '', '10.0.0.1'],
])('of %s with %s: %s', (ip, forwarded, expected) => {
  expect(clientAddress({ ip, headers: { 'x-forwarded-for': forwarded } })).toBe(expected);
});

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2'],
  ['not an address', 'not an address'],
])('counts %s as %s', (address, expected) => {
  expect(networkOf(address)).toBe(expected);
});

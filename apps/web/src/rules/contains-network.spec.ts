import { containsNetwork, toAddressIn } from './contains-network.js';

it.each<[string, string, boolean]>([
  ['203.0.113.0/24', '203.0.113.0/24', true],
  ['203.0.0.0/16', '203.0.113.0/24', true],
  ['203.0.113.0/24', '203.0.113.7', true],
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.0/24', '203.0.0.0/16', false],
  ['203.0.113.0/24', '203.0.114.0/24', false],
  ['0.0.0.0/0', '203.0.113.0/24', true],
  ['2001:DB8::/48', '2001:db8::/48', true],
  ['2001:db8::/32', '203.0.113.0/24', false],
])('%s contains %s: %s', (outer, inner, expected) => expect(containsNetwork(outer, inner)).toBe(expected));

it.each([
  ['203.0.113.0/24', '203.0.113.1'],
  ['203.0.113.7/32', '203.0.113.7'],
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:7::/48', '2001:db8:7::1'],
  ['2001:db8:7::1', '2001:db8:7::1'],
])('finds an address in %s', (network, address) => {
  expect(toAddressIn(network)).toBe(address);
});

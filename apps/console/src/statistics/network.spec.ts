import { getNetwork } from './network.js';

it.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:12:34::5', '2001:db8:12::/48'],
  ['2001:db8::5', '2001:db8::/48'],
  ['::1', '::/48'],
  ['somewhere', null],
  [null, null],
])('maps the address %s to the network %s', (address, network) => {
  expect(getNetwork(address)).toBe(network);
});

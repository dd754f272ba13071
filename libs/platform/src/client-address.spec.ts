import { clientAddress, networksOf } from './client-address.js';
import { readEnvironment } from './env.js';
import { proxySettings, trustedProxies } from './trusted-proxies.js';

const FORGED = '66.249.66.1';
const VISITOR = '198.51.100.1';
const trusting = (text?: string) =>
  trustedProxies(readEnvironment(proxySettings, { TRUSTED_PROXIES: text }).TRUSTED_PROXIES);

it.each<[string | undefined, string, string | undefined, string]>([
  // Default.
  [undefined, '203.0.113.9', VISITOR, '203.0.113.9'],
  [undefined, '127.0.0.1', undefined, '127.0.0.1'],
  [undefined, '127.0.0.1', VISITOR, VISITOR],
  [undefined, '::1', '2001:DB8:0::1', '2001:db8::1'],
  [undefined, '127.0.0.1', `${FORGED}, ${VISITOR}`, VISITOR],
  // Private addresses aren't trusted automatically: on a LAN, they belong to visitors.
  [undefined, '192.168.1.20', FORGED, '192.168.1.20'],
  [undefined, '::ffff:172.18.0.5', FORGED, '172.18.0.5'],
  [undefined, 'fd00::1', FORGED, 'fd00::1'],
  [undefined, '127.0.0.1', `${FORGED}, 192.168.1.20`, '192.168.1.20'],
  // An IPv4 address as received by a server that listens on `::`.
  [undefined, '::ffff:203.0.113.9', undefined, '203.0.113.9'],
  // Networks: two trusted proxies and the addresses they appended.
  ['172.30.7.0/24', '172.30.7.5', `${FORGED}, ${VISITOR}, 172.30.7.1`, VISITOR],
  ['172.30.7.0/24', '::ffff:172.30.7.5', VISITOR, VISITOR],
  ['172.30.7.0/24', '127.0.0.1', VISITOR, '127.0.0.1'],
  ['172.30.7.0/24, 192.0.2.10', '172.30.7.5', `${FORGED}, ${VISITOR}, 192.0.2.10, 172.30.7.1`, VISITOR],
  ['172.30.7.0/24,fd00::/8', 'fd00::7', VISITOR, VISITOR],
  // If the chain ends or can't be parsed: the furthest proxy.
  ['172.30.7.0/24', '172.30.7.5', '172.30.7.1', '172.30.7.1'],
  ['172.30.7.0/24', '172.30.7.5', 'unknown, 172.30.7.1', '172.30.7.1'],
  ['172.30.7.0/24', '172.30.7.5', `${FORGED}, unknown`, '172.30.7.5'],
  ['172.30.7.0/24', '172.30.7.5', '', '172.30.7.5'],
  // Number of proxies, regardless of their addresses.
  ['0', '127.0.0.1', VISITOR, '127.0.0.1'],
  ['1', '203.0.113.9', `${FORGED}, ${VISITOR}`, VISITOR],
  ['2', '203.0.113.9', `${FORGED}, ${VISITOR}, 203.0.113.8`, VISITOR],
  ['2', '203.0.113.9', VISITOR, VISITOR],
  ['2', '203.0.113.9', `${FORGED}, x, 203.0.113.8`, '203.0.113.8'],
])('with trusted proxies %s, maps peer %s and X-Forwarded-For %s to %s', (trusted, ip, forwarded, expected) => {
  expect(clientAddress({ ip, headers: { 'x-forwarded-for': forwarded } }, trusting(trusted))).toBe(expected);
});

it('returns the peer if it is not an IP address', () => {
  expect(clientAddress({ ip: 'unix:', headers: { 'x-forwarded-for': FORGED } }, trusting())).toBe('unix:');
});

it.each(['11', 'private', '10.0.0.0/33', '127.0.0.1, x', '1.2.3'])('rejects %s as TRUSTED_PROXIES', (text) => {
  expect(() => trusting(text)).toThrow(/TRUSTED_PROXIES: must be/);
});

it.each([
  ['203.0.113.9', ['203.0.113.9']],
  ['::ffff:203.0.113.9', ['203.0.113.9']],
  ['2001:db8:1:203:4:5:6:7', ['2001:db8:1:203::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
  ['2001:db8:1:2ff:ffff::1', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
  ['not an address', ['not an address']],
])('maps %s to the networks %j', (address, expected) => {
  expect(networksOf(address)).toEqual(expected);
});

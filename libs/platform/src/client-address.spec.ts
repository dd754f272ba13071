import { clientAddress, networksOf } from './client-address.js';
import { readEnvironment } from './env.js';
import { proxySettings, trustedProxies } from './trusted-proxies.js';

const FORGED = '66.249.66.1';
const VISITOR = '198.51.100.1';
const trusting = (text?: string) =>
  trustedProxies(readEnvironment(proxySettings, { TRUSTED_PROXIES: text }).TRUSTED_PROXIES);

it.each<[string | undefined, string, string | undefined, string]>([
  // By default.
  [undefined, '203.0.113.9', VISITOR, '203.0.113.9'],
  [undefined, '127.0.0.1', undefined, '127.0.0.1'],
  [undefined, '127.0.0.1', VISITOR, VISITOR],
  [undefined, '::1', '2001:DB8:0::1', '2001:db8::1'],
  [undefined, '127.0.0.1', `${FORGED}, ${VISITOR}`, VISITOR],
  // A private address alone is not a reason to trust: on a LAN it is a visitor.
  [undefined, '192.168.1.20', FORGED, '192.168.1.20'],
  [undefined, '::ffff:172.18.0.5', FORGED, '172.18.0.5'],
  [undefined, 'fd00::1', FORGED, 'fd00::1'],
  [undefined, '127.0.0.1', `${FORGED}, 192.168.1.20`, '192.168.1.20'],
  // As a server that listens at `::` sees IPv4.
  [undefined, '::ffff:203.0.113.9', undefined, '203.0.113.9'],
  // Networks: two proxies of ours, and what they appended.
  ['172.30.7.0/24', '172.30.7.5', `${FORGED}, ${VISITOR}, 172.30.7.1`, VISITOR],
  ['172.30.7.0/24', '::ffff:172.30.7.5', VISITOR, VISITOR],
  ['172.30.7.0/24', '127.0.0.1', VISITOR, '127.0.0.1'],
  ['172.30.7.0/24, 192.0.2.10', '172.30.7.5', `${FORGED}, ${VISITOR}, 192.0.2.10, 172.30.7.1`, VISITOR],
  ['172.30.7.0/24,fd00::/8', 'fd00::7', VISITOR, VISITOR],
  // Where the chain ends or can't be read, the furthest proxy.
  ['172.30.7.0/24', '172.30.7.5', '172.30.7.1', '172.30.7.1'],
  ['172.30.7.0/24', '172.30.7.5', 'unknown, 172.30.7.1', '172.30.7.1'],
  ['172.30.7.0/24', '172.30.7.5', `${FORGED}, unknown`, '172.30.7.5'],
  ['172.30.7.0/24', '172.30.7.5', '', '172.30.7.5'],
  // A number of proxies, whatever their addresses.
  ['0', '127.0.0.1', VISITOR, '127.0.0.1'],
  ['1', '203.0.113.9', `${FORGED}, ${VISITOR}`, VISITOR],
  ['2', '203.0.113.9', `${FORGED}, ${VISITOR}, 203.0.113.8`, VISITOR],
  ['2', '203.0.113.9', VISITOR, VISITOR],
  ['2', '203.0.113.9', `${FORGED}, x, 203.0.113.8`, '203.0.113.8'],
])('trusting %s, from %s with %s: %s', (trusted, ip, forwarded, expected) => {
  expect(clientAddress({ ip, headers: { 'x-forwarded-for': forwarded } }, trusting(trusted))).toBe(expected);
});

it('is of the peer where that is not an address', () => {
  expect(clientAddress({ ip: 'unix:', headers: { 'x-forwarded-for': FORGED } }, trusting())).toBe('unix:');
});

it.each(['11', 'private', '10.0.0.0/33', '127.0.0.1, x', '1.2.3'])('refuses %s as TRUSTED_PROXIES', (text) => {
  expect(() => trusting(text)).toThrow(/TRUSTED_PROXIES: must be/);
});

it.each([
  ['203.0.113.9', ['203.0.113.9']],
  ['::ffff:203.0.113.9', ['203.0.113.9']],
  ['2001:db8:1:203:4:5:6:7', ['2001:db8:1:203::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
  ['2001:db8:1:2ff:ffff::1', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
  ['not an address', ['not an address']],
])('counts %s as %j', (address, expected) => {
  expect(networksOf(address)).toEqual(expected);
});

import { resolveClientAddress, getAddressNetworks } from './client-address.js';
import { readEnvironment } from './env.js';
import { proxySettings, parseTrustedProxies } from './trusted-proxies.js';

const FORGED_ADDRESS = '66.249.66.1';
const VISITOR_ADDRESS = '198.51.100.1';
const readTrustedProxies = (text?: string) =>
  parseTrustedProxies(readEnvironment(proxySettings, { TRUSTED_PROXIES: text }).TRUSTED_PROXIES);

it.each<[string | undefined, string, string | undefined, string]>([
  // Default setting.
  [undefined, '203.0.113.9', VISITOR_ADDRESS, '203.0.113.9'],
  [undefined, '127.0.0.1', undefined, '127.0.0.1'],
  [undefined, '127.0.0.1', VISITOR_ADDRESS, VISITOR_ADDRESS],
  [undefined, '::1', '2001:DB8:0::1', '2001:db8::1'],
  [undefined, '127.0.0.1', `${FORGED_ADDRESS}, ${VISITOR_ADDRESS}`, VISITOR_ADDRESS],
  // Private addresses aren't trusted by default because they belong to visitors on a LAN.
  [undefined, '192.168.1.20', FORGED_ADDRESS, '192.168.1.20'],
  [undefined, '::ffff:172.18.0.5', FORGED_ADDRESS, '172.18.0.5'],
  [undefined, 'fd00::1', FORGED_ADDRESS, 'fd00::1'],
  [undefined, '127.0.0.1', `${FORGED_ADDRESS}, 192.168.1.20`, '192.168.1.20'],
  // IPv4 address as received by a server that listens on `::`.
  [undefined, '::ffff:203.0.113.9', undefined, '203.0.113.9'],
  // These settings list networks. The requests pass two trusted proxies, which append addresses.
  ['172.30.7.0/24', '172.30.7.5', `${FORGED_ADDRESS}, ${VISITOR_ADDRESS}, 172.30.7.1`, VISITOR_ADDRESS],
  ['172.30.7.0/24', '::ffff:172.30.7.5', VISITOR_ADDRESS, VISITOR_ADDRESS],
  ['172.30.7.0/24', '127.0.0.1', VISITOR_ADDRESS, '127.0.0.1'],
  [
    '172.30.7.0/24, 192.0.2.10',
    '172.30.7.5',
    `${FORGED_ADDRESS}, ${VISITOR_ADDRESS}, 192.0.2.10, 172.30.7.1`,
    VISITOR_ADDRESS,
  ],
  ['172.30.7.0/24,fd00::/8', 'fd00::7', VISITOR_ADDRESS, VISITOR_ADDRESS],
  // If the chain ends or contains an invalid address, the result is the last proxy reached before that point.
  ['172.30.7.0/24', '172.30.7.5', '172.30.7.1', '172.30.7.1'],
  ['172.30.7.0/24', '172.30.7.5', 'unknown, 172.30.7.1', '172.30.7.1'],
  ['172.30.7.0/24', '172.30.7.5', `${FORGED_ADDRESS}, unknown`, '172.30.7.5'],
  ['172.30.7.0/24', '172.30.7.5', '', '172.30.7.5'],
  // These settings are a number of proxies, which are trusted regardless of their addresses.
  ['0', '127.0.0.1', VISITOR_ADDRESS, '127.0.0.1'],
  ['1', '203.0.113.9', `${FORGED_ADDRESS}, ${VISITOR_ADDRESS}`, VISITOR_ADDRESS],
  ['2', '203.0.113.9', `${FORGED_ADDRESS}, ${VISITOR_ADDRESS}, 203.0.113.8`, VISITOR_ADDRESS],
  ['2', '203.0.113.9', VISITOR_ADDRESS, VISITOR_ADDRESS],
  ['2', '203.0.113.9', `${FORGED_ADDRESS}, x, 203.0.113.8`, '203.0.113.8'],
])(
  'resolveClientAddress with trusted proxies %s resolves peer %s and X-Forwarded-For %s to %s',
  (trustedSetting, ip, forwarded, expected) => {
    expect(
      resolveClientAddress({ ip, headers: { 'x-forwarded-for': forwarded } }, readTrustedProxies(trustedSetting)),
    ).toBe(expected);
  },
);

it("resolveClientAddress returns a peer that isn't an IP address unchanged", () => {
  expect(
    resolveClientAddress({ ip: 'unix:', headers: { 'x-forwarded-for': FORGED_ADDRESS } }, readTrustedProxies()),
  ).toBe('unix:');
});

it.each(['11', 'private', '10.0.0.0/33', '127.0.0.1, x', '1.2.3'])(
  'readEnvironment rejects %s as TRUSTED_PROXIES',
  (text) => {
    expect(() => readTrustedProxies(text)).toThrow(/TRUSTED_PROXIES: must be/);
  },
);

it.each([
  ['203.0.113.9', ['203.0.113.9']],
  ['::ffff:203.0.113.9', ['203.0.113.9']],
  ['2001:db8:1:203:4:5:6:7', ['2001:db8:1:203::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
  ['2001:db8:1:2ff:ffff::1', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
  ['not an address', ['not an address']],
])('getAddressNetworks maps %s to %j', (address, expected) => {
  expect(getAddressNetworks(address)).toEqual(expected);
});

import { readEnvironment } from '#libs/platform';
import { dnsServersSetting } from './dns-servers.js';

const read = (text: string) =>
  readEnvironment({ DNS_SERVERS: dnsServersSetting({ default: 'system' }) }, { DNS_SERVERS: text }).DNS_SERVERS;

describe('dnsServersSetting', () => {
  it.each([
    ['', 'system'],
    ['system', 'system'],
    ['off', 'off'],
    ['192.0.2.53', ['192.0.2.53']],
    ['192.0.2.53:5353, [2001:db8::53]:53,[2001:db8::54]', ['192.0.2.53:5353', '[2001:db8::53]:53', '[2001:db8::54]']],
    ['2001:db8::53', ['2001:db8::53']],
  ])('parses the DNS servers %j', (text, servers) => {
    expect(read(text)).toEqual(servers);
  });

  it.each([
    'ns.example',
    '192.0.2',
    '192.0.2.53:',
    '192.0.2.53:0',
    '192.0.2.53:65536',
    '192.0.2.53:dns',
    '[192.0.2.53]',
    '[]:53',
    '[2001:db8::53',
    '[2001:db8::53]53',
    'off',
    '',
  ])('rejects the invalid entry %j', (entry) => {
    const text = `192.0.2.1,${entry},192.0.2.2`;
    expect(() => read(text)).toThrow(`DNS_SERVERS: must be system, off, or comma-separated addresses`);
    expect(() => read(text)).toThrow(`(got ${JSON.stringify(entry)})`);
  });
});

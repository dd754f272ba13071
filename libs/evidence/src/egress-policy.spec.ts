import ipaddr from 'ipaddr.js';
import { isPublicAddress, PUBLIC_EGRESS, getUrlRejection } from './egress-policy.js';

describe('isPublicAddress', () => {
  it.each([
    ['0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.255', '169.254.169.254'],
    ['172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.168.0.1', '198.18.0.1', '198.19.255.255'],
    ['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
    ['::', '::1', '::ffff:8.8.8.8', '::ffff:7f00:1', '64:ff9b::808:808', '64:ff9b:1::1', '100::1', '2001::1'],
    ['2001:1ff::1', '2001:db8::1', '2002:808:808::1', '3fff::1', 'fc00::1', 'fdff::1', 'fe80::1', 'fec0::1', 'ff02::1'],
    [
      '64:ff9b:1:2::1',
      '100:0:0:1::1',
      '2001:2::1',
      '2001:4:112::1',
      '2001:10::1',
      '2001:20::1',
      '2001:30::1',
      '5f00::1',
    ],
    ['192.0.0.9', '192.31.196.1', '192.52.193.1', '192.88.99.2', '192.175.48.1', '2620:4f:8000::1', '3fff:fff::1'],
    ['::127.0.0.1', '4000::1', 'fe80::1%eth0', '2606:4700::1%eth0', '', 'localhost', '127.1', '8.8.8.8:443'],
  ])('rejects the address %s and similar ones', (...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  it('accepts addresses adjacent to the reserved ranges', () => {
    const addresses = ['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'];
    addresses.push('128.0.0.0', '169.253.255.255', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.167.255.255');
    addresses.push('192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '8.8.8.8');
    addresses.push('2001:200::1', '2001:db9::1', '2003::1', '2606:4700::1111', '2a00:1450::1');
    expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([]);
    expect(addresses.filter((address) => ipaddr.parse(address).range() !== 'unicast')).toEqual([]);
  });
});

describe('getUrlRejection', () => {
  const getRejection = (url: string) => getUrlRejection(new URL(url), PUBLIC_EGRESS);

  it.each([
    ['http://example.com/', /https/],
    ['https://user@example.com/', /user/],
    ['https://example.com:8443/', /8443/],
    ['https://192.0.2.1/', /address/],
    ['https://0x7f.1/', /address/],
    ['https://2130706433/', /address/],
    ['https://[::1]/', /address/],
    ['https://intranet/', /private/],
    ['https://intranet./', /private/],
    ['https://localhost/', /private/],
    ['https://printer.local/', /private/],
    ['https://metadata.google.internal/', /private/],
    ['https://a.LOCALHOST./', /private/],
    ['https://router.home.arpa/', /private/],
    ['https://agent.invalid/', /private/],
  ])('rejects the URL %s', (url, pattern) => {
    expect(getRejection(url)).toMatch(pattern);
  });

  it('allows public host names', () => {
    expect(getRejection('https://chatgpt.com/a?b')).toBeNull();
    expect(getRejection('https://chatgpt.com:443/')).toBeNull();
    expect(getRejection('https://notlocal.example.com./')).toBeNull();
    expect(getRejection('https://thelocal.com/')).toBeNull();
  });

  it("allows http only if the policy permits it, and only on the policy's ports", () => {
    const policy = { allowPrivateAddresses: false, allowHttp: true, allowedPorts: [80, 443] };
    for (const url of ['http://example.com/', 'http://example.com:443/', 'https://example.com/']) {
      expect(getUrlRejection(new URL(url), policy)).toBeNull();
    }
    expect(getUrlRejection(new URL('http://example.com:8080/'), policy)).toMatch('8080');
    expect(getUrlRejection(new URL('http://example.com/'), { ...policy, allowedPorts: [443] })).toMatch('port 80');
    expect(getUrlRejection(new URL('http://127.0.0.1/'), policy)).toMatch(/address/);
    expect(getUrlRejection(new URL('ftp://example.com/'), policy)).toMatch(/http or https/);
  });

  it('allows IP addresses only if the policy permits them and they are public', () => {
    const policy = { allowPrivateAddresses: false, allowAddresses: true, allowedPorts: 'any' as const };
    expect(getUrlRejection(new URL('https://93.184.216.34:8443/'), policy)).toBeNull();
    expect(getUrlRejection(new URL('https://[2606:2800:220:1::1]/'), policy)).toBeNull();
    for (const url of ['https://127.0.0.1/', 'https://[::1]/', 'https://0x7f.1/', 'https://[::ffff:10.0.0.1]/']) {
      expect(getUrlRejection(new URL(url), policy)).toMatch(/not public/);
    }
  });

  it('allows private addresses on permitted ports if the policy permits them', () => {
    const policy = { allowPrivateAddresses: true, allowedPorts: [8443] };
    expect(getUrlRejection(new URL('https://127.0.0.1:8443/'), policy)).toBeNull();
    expect(getUrlRejection(new URL('https://127.0.0.1/'), policy)).toMatch('443');
  });
});

import { parseAddress, parseHost } from './address.js';
import { formatCidr, mergeBlocks, parseCidr } from './address-block.js';
import { compileProxyRanges } from './proxy-ranges.js';

const MALFORMED = [
  '',
  '1.2.3.4 ',
  ...'1.2.3 1.2.3.4.5 1.2.3.256 01.2.3.4 1.2.3.04 0x7f.0.0.1 2130706433 1..3.4 .1.2.3.4 1.2.3.4.'.split(' '),
  ...'unknown _hidden : ::: 1::2::3 12345:: ::ffff:010.0.0.1 ::1.2.3 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 [::1] g::1'.split(
    ' ',
  ),
];

describe('parseAddress', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['::', '::'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
  ])('parses %s as %s', (text, canonical) => {
    expect(parseAddress(text)?.text).toBe(canonical);
  });

  it.each(MALFORMED)('rejects the malformed address %j', (text) => {
    expect(parseAddress(text)).toBeNull();
  });
});

describe('parseHost', () => {
  it.each([
    ['192.0.2.1:443', '192.0.2.1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[::ffff:192.0.2.1]:_p', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
  ])('parses %s as %s', (text, canonical) => {
    expect(parseHost(text)?.text).toBe(canonical);
  });

  it.each(['192.0.2.1:', '192.0.2.1:x', '[192.0.2.1]', '[::1', '[::1]x', '[::1]:', 'host:80', '192.0.2.1:123456'])(
    'rejects the malformed host %j',
    (text) => {
      expect(parseHost(text)).toBeNull();
    },
  );
});

describe('compileProxyRanges', () => {
  it('finds addresses in nested and adjacent blocks', () => {
    const ranges = compileProxyRanges([
      '10.0.0.0/8',
      '10.1.0.0/16',
      '192.0.2.7/32',
      '198.51.100.77/25',
      '224.0.0.0/3',
      '203.0.113.9',
      '2001:db8::/32',
      '2001:db8:1::/48',
      '::1',
      'ff00::/8',
    ]);
    const contains = (text: string) => ranges.contains(parseAddress(text)!);
    const inside = [
      '10.0.0.0',
      '10.255.255.255',
      '10.1.2.3',
      '192.0.2.7',
      '198.51.100.0',
      '198.51.100.127',
      '203.0.113.9',
    ];
    const outside = ['9.255.255.255', '11.0.0.0', '192.0.2.6', '192.0.2.8', '198.51.100.128', '203.0.113.10', '::2'];
    expect(inside.filter((text) => !contains(text))).toEqual([]);
    expect(outside.filter(contains)).toEqual([]);
    const inside6 = ['255.255.255.255', '2001:db8::', '2001:db8:ffff::1', '::1', 'ffff::'];
    expect(inside6.filter((text) => !contains(text))).toEqual([]);
    expect(['2001:db7:ffff::', '2001:db9::', 'fe00::'].filter(contains)).toEqual([]);
    expect(compileProxyRanges([]).contains(parseAddress('::1')!)).toBe(false);
    expect(compileProxyRanges(['0.0.0.0/0']).contains(parseAddress('8.8.8.8')!)).toBe(true);
  });

  it.each([
    '',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '::/129',
    '10.0.0/8',
    '::ffff:10.0.0.0/104',
  ])('rejects the malformed address block %j', (text) => {
    expect(parseCidr(text)).toBeNull();
    expect(() => compileProxyRanges([text])).toThrow(RangeError);
  });
});

describe('mergeBlocks', () => {
  const mergeTexts = (...texts: string[]) => mergeBlocks(texts.map((text) => parseCidr(text)!)).map(formatCidr);

  it('merges adjacent blocks and drops nested ones', () => {
    expect(mergeTexts('11.0.1.0/24', '11.0.0.0/24', '11.0.0.7', '11.0.2.0/23')).toEqual(['11.0.0.0/22']);
    expect(mergeTexts('2600:1::/48', '2600:1:1::/48', '2600:1::/48', '2600:1:0:5::/64')).toEqual(['2600:1::/47']);
    expect(mergeTexts('128.0.0.0/1', '0.0.0.0/1', '8000::/1', '::/1')).toEqual(['0.0.0.0/0', '::/0']);
  });

  it('does not merge adjacent blocks that do not form a larger block', () => {
    const separateBlocks = [
      '11.0.1.0/24',
      '11.0.2.0/24',
      '11.0.4.0/23',
      '11.0.6.0/24',
      '2600:1:1::/48',
      '2600:1:2::/48',
    ];
    expect(mergeTexts(...separateBlocks.toReversed())).toEqual(separateBlocks);
    expect(mergeTexts()).toEqual([]);
  });

  it('merges blocks without changing the set of addresses', () => {
    // Every prefix length from 20 to 32, in arbitrary order.
    const texts = Array.from(
      { length: 2_000 },
      (_, n) => `11.0.${(n * 7_919) % 64}.${(n * 104_729) % 256}/${32 - (n % 13)}`,
    );
    const [before, after] = [texts, mergeTexts(...texts)].map((ranges) => compileProxyRanges(ranges));
    const addresses = Array.from({ length: 64 * 256 }, (_, n) => parseAddress(`11.0.${n >> 8}.${n & 255}`)!);
    expect(addresses.filter((address) => before!.contains(address) !== after!.contains(address))).toEqual([]);
    expect(mergeTexts(...texts).length).toBeLessThan(texts.length / 10);
  });
});

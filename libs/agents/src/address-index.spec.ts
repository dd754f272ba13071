import { compileAddressIndex } from './address-index.js';
import { parseAddress, type Address } from './address.js';

const toAddress = (text: string): Address => parseAddress(text)!;

describe('compileAddressIndex', () => {
  const index = compileAddressIndex([
    { list: 'wide', ranges: ['10.0.0.0/8', '2001:db8::/32', '::/0', '203.0.113.9'] },
    { list: 'narrow', ranges: ['10.1.0.0/16', '10.1.2.0/24', '2001:db8:0:1::/64', '2001:db8::7', '10.255.255.255/32'] },
    { list: 'same', ranges: ['10.1.2.77/24', '10.0.0.0/8', '0.0.0.0/32', '255.255.255.255/32'] },
  ]);

  it.each([
    ['10.0.0.0', '10.0.0.0/8', 'wide'],
    ['10.1.1.255', '10.1.0.0/16', 'narrow'],
    ['10.1.2.0', '10.1.2.0/24', 'narrow'],
    ['10.1.2.255', '10.1.2.0/24', 'narrow'],
    // After a nested block ends, the enclosing block applies again.
    ['10.1.3.0', '10.1.0.0/16', 'narrow'],
    ['10.2.0.0', '10.0.0.0/8', 'wide'],
    ['10.255.255.255', '10.255.255.255/32', 'narrow'],
    ['203.0.113.9', '203.0.113.9', 'wide'],
    ['0.0.0.0', '0.0.0.0/32', 'same'],
    ['255.255.255.255', '255.255.255.255/32', 'same'],
    ['2001:db8::7', '2001:db8::7', 'narrow'],
    ['2001:db8::8', '2001:db8::/32', 'wide'],
    ['2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64', 'narrow'],
    ['2001:db8:0:2::', '2001:db8::/32', 'wide'],
    ['2001:db9::', '::/0', 'wide'],
    ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '::/0', 'wide'],
    // IPv4-mapped addresses match IPv4 ranges, not ::/0.
    ['::ffff:10.0.0.1', '10.0.0.0/8', 'wide'],
  ])('finds the most specific block for %s: %s in list %s', (text, range, list) => {
    expect(index.find(toAddress(text))).toMatchObject({ range, list });
    expect(index.contains(toAddress(text))).toBe(true);
  });

  it.each(['9.255.255.255', '11.0.0.0', '203.0.113.8', '203.0.113.10', '0.0.0.1', '255.255.255.254'])(
    'returns null for %s, which is not in any block',
    (text) => {
      expect(index.find(toAddress(text))).toBeNull();
      expect(index.contains(toAddress(text))).toBe(false);
    },
  );

  it('returns null if the index is empty, and throws an error containing the invalid block', () => {
    expect(compileAddressIndex([]).find(toAddress('::'))).toBeNull();
    expect(() => compileAddressIndex([{ list: 1, ranges: ['10.0.0.0/8', '10.0.0.0/99'] }])).toThrow('10.0.0.0/99');
  });

  it('finds the same blocks as a linear scan', () => {
    let state = 7;
    const random = (limit: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    // With only a few distinct values, blocks nest deeply and addresses hit their boundaries.
    const randomGroup = (): string => ['0', '1', '80', 'ff', 'ffff'][random(5)]!;
    const randomIpv4 = (): string => Array.from({ length: 4 }, () => [0, 1, 128, 255][random(4)]).join('.');
    const randomIpv6 = (): string => Array.from({ length: 8 }, randomGroup).join(':');
    const ranges = Array.from({ length: 300 }, (_, row) =>
      row % 2 === 0 ? `${randomIpv4()}/${random(33)}` : `${randomIpv6()}/${random(129)}`,
    );
    const toBits = (text: string): string => {
      const { family, value } = toAddress(text);
      return BigInt(family === 4 ? value : `0x${value}`)
        .toString(2)
        .padStart(family === 4 ? 32 : 128, '0');
    };
    const prefixes = ranges.map((range) => {
      const [text, length] = range.split('/') as [string, string];
      const bits = toBits(text);
      return { bits: bits.slice(0, Number(length)), of: bits.length };
    });
    const longestPrefixLength = (text: string): number | null => {
      const bits = toBits(text);
      const lengths = prefixes
        .filter((prefix) => prefix.of === bits.length && bits.startsWith(prefix.bits))
        .map((prefix) => prefix.bits.length);
      return lengths.length === 0 ? null : Math.max(...lengths);
    };
    const index = compileAddressIndex([{ list: null, ranges }]);
    const texts = Array.from({ length: 1_000 }, (_, row) => (row % 2 === 0 ? randomIpv4() : randomIpv6()));
    const mismatches = texts.filter(
      (text) => (index.find(toAddress(text))?.prefixLength ?? null) !== longestPrefixLength(text),
    );
    expect(mismatches).toEqual([]);
    expect(new Set(texts.map(longestPrefixLength)).size).toBeGreaterThan(20);
  });
});

import { measureGrowth, MAX_GROWTH } from '../../../test/kit/cost.js';
import { findGroups, MAX_ROBOTS_BYTES, parseRobotsFile, decodeRobotsText } from './robots-file.js';

const read = (text: string) => parseRobotsFile(Buffer.from(text));
/** Formats each group as its user agents, a colon and its rules. */
const formatGroups = (text: string) =>
  read(text).groups.map(({ userAgents, rules }) =>
    [userAgents.map(({ name }) => name), rules.map(({ isAllow, path }) => (isAllow ? '+' : '-') + path)].join(': '),
  );
const findRuleLines = (text: string, token: string) =>
  findGroups(read(text), token).flatMap(({ rules }) => rules.map(({ line }) => line));

describe('parseRobotsFile groups (RFC 9309, sections 2.1 and 2.2)', () => {
  it('starts a group with its user agents and ends it at the next user agent', () => {
    expect(formatGroups('User-agent: a\nUser-agent: b\nAllow: /x\nDisallow: /\n\nUser-agent: c\nDisallow: /y')).toEqual(
      ['a,b: +/x,-/', 'c: -/y'],
    );
  });

  it('accepts groups without rules or paths', () => {
    expect(formatGroups('User-agent: a\nDisallow:\nUser-agent: b\nDisallow: /\nUser-agent: c')).toEqual([
      'a: ',
      'b: -/',
      'c: ',
    ]);
  });

  it('continues a group across empty lines and comments', () => {
    expect(formatGroups('User-agent: a\n\n# so\nUser-agent: b\n\nDisallow: /x\n\n#\nDisallow: /y')).toEqual([
      'a,b: -/x,-/y',
    ]);
  });

  it.each(['Sitemap: https://example.com/s', 'Crawl-delay: 1', 'Foo: bar', 'no colon', ': /'])(
    'continues a group across "%s" (section 2.2.4)',
    (other) => {
      expect(
        formatGroups(`User-agent: a\n${other}\nUser-agent: b\n${other}\nDisallow: /x\n${other}\nDisallow: /y`),
      ).toEqual(['a,b: -/x,-/y']);
    },
  );

  it('ignores rules before the first user agent', () => {
    expect(formatGroups('Disallow: /\nAllow: /x\nUser-agent: a\nDisallow: /y')).toEqual(['a: -/y']);
  });

  it('matches an empty user agent name to no agent', () => {
    expect(formatGroups('User-agent: a\nDisallow: /\nUser-agent:\nDisallow: /x')).toEqual(['a: -/', ': -/x']);
    expect(findRuleLines('User-agent:\nDisallow: /x', 'a')).toEqual([]);
  });
});

describe('parseRobotsFile lines (RFC 9309, section 2.2)', () => {
  it('splits and numbers lines that end in CR, LF or both', () => {
    for (const end of ['\n', '\r', '\r\n']) {
      expect(findRuleLines(['# a', '', 'User-agent: a', 'Disallow: /'].join(end), 'a')).toEqual([4]);
    }
    expect(formatGroups('User-agent: a\nDisallow: /y\u2028Disallow: /')).toEqual(['a: -/y\u2028Disallow: /']);
  });

  it('trims spaces and tabs around names and values', () => {
    expect(formatGroups(' \tUser-agent \t:\t a \t\n\tDisallow : \t/x y\t')).toEqual(['a: -/x y']);
    expect(formatGroups('User-agent: a\nDisallow: \u00a0/')).toEqual(['a: -\u00a0/']);
  });

  it('treats field names as case-insensitive', () => {
    expect(formatGroups('USER-AGENT: a\nuser-agent: b\ndisallow: /X\naLLOW: /Y')).toEqual(['a,b: -/X,+/Y']);
  });

  it('strips comments, which can start anywhere', () => {
    expect(formatGroups('User-agent: a# b\nDisallow: /x#y\nAllow: # z')).toEqual(['a: -/x']);
  });

  it('ignores lines without a colon', () => {
    expect(formatGroups('User-agent a\nDisallow: /\nUser-agent: b\nDisallow /')).toEqual(['b: ']);
  });

  it('preserves the text in a line without its comment', () => {
    expect(read(' User-agent:a\n Disallow : /x # y').groups[0]).toMatchObject({
      userAgents: [{ line: 1, text: 'User-agent:a' }],
      rules: [{ line: 2, text: 'Disallow : /x' }],
    });
  });

  it('accepts a byte order mark', () => {
    expect(formatGroups('\ufeffUser-agent: a\nDisallow: /')).toEqual(['a: -/']);
  });

  it('accepts arbitrary file content', () => {
    expect(read('').groups).toEqual([]);
    expect(read('<!doctype html>\n<a href="https://example.com">#</a>\0').groups).toEqual([]);
    expect(parseRobotsFile(Uint8Array.from([0xff, 0xfe, 0x00, 0x0a, 0xc3])).groups).toEqual([]);
  });
});

describe('findGroups (RFC 9309, section 2.2.1)', () => {
  it('finds groups for an agent regardless of case', () => {
    expect(findRuleLines('User-agent: GPTBOT\nDisallow: /', 'gptBot')).toEqual([2]);
  });

  it('combines all groups that name the agent', () => {
    const text = 'User-agent: a\nDisallow: /1\nUser-agent: b\nDisallow: /2\nUser-agent: c\nUser-agent: A\nDisallow: /3';
    expect(findRuleLines(text, 'a')).toEqual([2, 7]);
    expect(findGroups(read(text), 'a').map(({ userAgent }) => userAgent.line)).toEqual([1, 6]);
  });

  it('combines the wildcard groups only if no group names the agent', () => {
    const text = 'User-agent: *\nDisallow: /1\nUser-agent: a\nDisallow:\nUser-agent: * # all\nDisallow: /2';
    expect(findRuleLines(text, 'a')).toEqual([]);
    expect(findRuleLines(text, 'b')).toEqual([2, 6]);
    expect(findRuleLines(text, '*')).toEqual([2, 6]);
  });

  it('returns a group once even if it names the agent twice', () => {
    expect(findRuleLines('User-agent: a\nUser-agent: b\nUser-agent: A\nUser-agent: a/1\nDisallow: /', 'a')).toEqual([
      5,
    ]);
  });

  it("prefers the agent's groups to wildcard groups even if they have no rules", () => {
    expect(findRuleLines('User-agent: *\nDisallow: /\nUser-agent: a', 'a')).toEqual([]);
  });

  it('returns an empty array if no group matches', () => {
    expect(findGroups(read('User-agent: a\nDisallow: /'), 'b')).toEqual([]);
    expect(findGroups(read('User-agent: a\nDisallow: /'), '*')).toEqual([]);
  });

  it('matches the entire token, which ends at the first invalid character', () => {
    for (const name of ['GPTBot/1.2', 'GPTBot 1.2', 'GPTBot*', 'GPTBot (+https://example.com)']) {
      expect(findRuleLines(`User-agent: ${name}\nDisallow: /`, 'GPTBot')).toEqual([2]);
    }
    for (const name of ['GPTBot-Image', 'GPT', 'MyGPTBot', 'My GPTBot', '*Bot']) {
      expect(findRuleLines(`User-agent: ${name}\nDisallow: /`, 'GPTBot')).toEqual([]);
    }
  });

  it("finds groups for names that aren't product tokens", () => {
    for (const name of ['007ac9 Crawler', '360Spider', 'visionheight.com/scan', 'Y!J']) {
      expect(findRuleLines(`User-agent: ${name}\nDisallow: /`, name.toLowerCase())).toEqual([2]);
    }
    expect(
      findRuleLines('User-agent: 360Spider-Image\nDisallow: /\nUser-agent: Sogou\nDisallow: /', '360Spider'),
    ).toEqual([]);
    expect(findRuleLines('User-agent: Sogou\nDisallow: /', 'Sogou web spider')).toEqual([]);
  });
});

describe('parseRobotsFile size limit (RFC 9309, section 2.5)', () => {
  const filler = '#'.repeat(MAX_ROBOTS_BYTES - 'User-agent: a\n'.length - 'Disallow: /x'.length - 1);

  it('reads up to 500 KiB of a file', () => {
    const text = `User-agent: a\n${filler}\nDisallow: /x`;
    expect(Buffer.byteLength(text)).toBe(512_000);
    expect(read(text)).toMatchObject({ isTruncated: false, groups: [{ rules: [{ path: '/x' }] }] });
  });

  it('drops an incomplete last line', () => {
    expect(read(`User-agent: a\n${filler}\nDisallow: /xy`)).toMatchObject({
      isTruncated: true,
      groups: [{ rules: [] }],
    });
  });

  it('stops reading at the size limit', () => {
    const bytes = Buffer.from('User-agent: *\n'.repeat(400_000));
    expect(parseRobotsFile(bytes).groups[0]!.userAgents).toHaveLength(Math.floor(MAX_ROBOTS_BYTES / 14));
  });
});

it.each([' ', ':', 'a:\t', 'User-agent: *\n', 'User-agent: a\nDisallow: /\n', 'User-agent: a b\n'])(
  'parseRobotsFile reads repeated %j in linear time',
  async (piece) => {
    // Costs per line only become visible in larger files than costs per character.
    const minSize = piece.includes('\n') ? 8_000 : 500;
    const createWork = (size: number) => {
      const text = piece.repeat(size / piece.length);
      return () => read(text);
    };
    expect(await measureGrowth(createWork, minSize)).toBeLessThan(MAX_GROWTH);
  },
);

describe('decodeRobotsText', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const findRuleLines = (text: string, maxBytes: number) =>
    parseRobotsFile(bytes(text), maxBytes).groups.flatMap(({ rules }) => rules);

  it.each(['\n', '\r', '\r\n'])(
    'preserves the rules in a file truncated at any byte, with lines that end in %j',
    (end) => {
      const text = ['User-agent: *', 'Disallow: /käse', 'Disallow: /wine'].join(end);
      for (let maxBytes = 1; maxBytes <= bytes(text).length; maxBytes++) {
        const reparsed = parseRobotsFile(bytes(decodeRobotsText(bytes(text), maxBytes)), Infinity).groups.flatMap(
          ({ rules }) => rules,
        );
        const rulePositions = reparsed.map(({ line, path }) => [line, path]);
        expect([maxBytes, rulePositions]).toEqual([
          maxBytes,
          findRuleLines(text, maxBytes).map(({ line, path }) => [line, path]),
        ]);
      }
    },
  );

  it("replaces bytes that PostgreSQL can't store", () => {
    expect(decodeRobotsText(new Uint8Array([0x41, 0, 0xff, 0x0a]))).toBe('A\uFFFD\uFFFD\n');
  });
});

import { growth, MAX_GROWTH } from '../../../test/kit/cost.js';
import { groupsFor, MAX_ROBOTS_BYTES, readRobotsFile, robotsText } from './robots-file.js';

const read = (text: string) => readRobotsFile(Buffer.from(text));
/** Formats each group as its user agents, a colon and its rules. */
const shape = (text: string) =>
  read(text).groups.map(({ userAgents, rules }) =>
    [userAgents.map(({ name }) => name), rules.map(({ isAllow, path }) => (isAllow ? '+' : '-') + path)].join(': '),
  );
const lines = (text: string, token: string) =>
  groupsFor(read(text), token).flatMap(({ rules }) => rules.map(({ line }) => line));

describe('groups (RFC 9309 section 2.1 and 2.2)', () => {
  it('have one or more user agents and the rules up to the next user agent', () => {
    expect(shape('User-agent: a\nUser-agent: b\nAllow: /x\nDisallow: /\n\nUser-agent: c\nDisallow: /y')).toEqual([
      'a,b: +/x,-/',
      'c: -/y',
    ]);
  });

  it('can have no rules, or a single rule without a path', () => {
    expect(shape('User-agent: a\nDisallow:\nUser-agent: b\nDisallow: /\nUser-agent: c')).toEqual([
      'a: ',
      'b: -/',
      'c: ',
    ]);
  });

  it('continue across empty lines and comments', () => {
    expect(shape('User-agent: a\n\n# so\nUser-agent: b\n\nDisallow: /x\n\n#\nDisallow: /y')).toEqual(['a,b: -/x,-/y']);
  });

  it.each(['Sitemap: https://example.com/s', 'Crawl-delay: 1', 'Foo: bar', 'no colon', ': /'])(
    'continue across "%s" (section 2.2.4)',
    (other) => {
      expect(shape(`User-agent: a\n${other}\nUser-agent: b\n${other}\nDisallow: /x\n${other}\nDisallow: /y`)).toEqual([
        'a,b: -/x,-/y',
      ]);
    },
  );

  it('exclude rules before the first user agent', () => {
    expect(shape('Disallow: /\nAllow: /x\nUser-agent: a\nDisallow: /y')).toEqual(['a: -/y']);
  });

  it('match no agent if the name is empty', () => {
    expect(shape('User-agent: a\nDisallow: /\nUser-agent:\nDisallow: /x')).toEqual(['a: -/', ': -/x']);
    expect(lines('User-agent:\nDisallow: /x', 'a')).toEqual([]);
  });
});

describe('lines (section 2.2)', () => {
  it('end with CR, LF or both and are numbered accordingly', () => {
    for (const end of ['\n', '\r', '\r\n']) {
      expect(lines(['# a', '', 'User-agent: a', 'Disallow: /'].join(end), 'a')).toEqual([4]);
    }
    expect(shape('User-agent: a\nDisallow: /y\u2028Disallow: /')).toEqual(['a: -/y\u2028Disallow: /']);
  });

  it('can have spaces and tabs around names and values', () => {
    expect(shape(' \tUser-agent \t:\t a \t\n\tDisallow : \t/x y\t')).toEqual(['a: -/x y']);
    expect(shape('User-agent: a\nDisallow: \u00a0/')).toEqual(['a: -\u00a0/']);
  });

  it('have case-insensitive names', () => {
    expect(shape('USER-AGENT: a\nuser-agent: b\ndisallow: /X\naLLOW: /Y')).toEqual(['a,b: -/X,+/Y']);
  });

  it('can end in a comment, which can start anywhere', () => {
    expect(shape('User-agent: a# b\nDisallow: /x#y\nAllow: # z')).toEqual(['a: -/x']);
  });

  it('require a colon', () => {
    expect(shape('User-agent a\nDisallow: /\nUser-agent: b\nDisallow /')).toEqual(['b: ']);
  });

  it('preserve their text without the comment', () => {
    expect(read(' User-agent:a\n Disallow : /x # y').groups[0]).toMatchObject({
      userAgents: [{ line: 1, text: 'User-agent:a' }],
      rules: [{ line: 2, text: 'Disallow : /x' }],
    });
  });

  it('can follow a byte order mark', () => {
    expect(shape('\ufeffUser-agent: a\nDisallow: /')).toEqual(['a: -/']);
  });

  it('can contain anything', () => {
    expect(read('').groups).toEqual([]);
    expect(read('<!doctype html>\n<a href="https://example.com">#</a>\0').groups).toEqual([]);
    expect(readRobotsFile(Uint8Array.from([0xff, 0xfe, 0x00, 0x0a, 0xc3])).groups).toEqual([]);
  });
});

describe('the groups of an agent (section 2.2.1)', () => {
  it('are found regardless of case', () => {
    expect(lines('User-agent: GPTBOT\nDisallow: /', 'gptBot')).toEqual([2]);
  });

  it('are combined', () => {
    const text = 'User-agent: a\nDisallow: /1\nUser-agent: b\nDisallow: /2\nUser-agent: c\nUser-agent: A\nDisallow: /3';
    expect(lines(text, 'a')).toEqual([2, 7]);
    expect(groupsFor(read(text), 'a').map(({ userAgent }) => userAgent.line)).toEqual([1, 6]);
  });

  it('are the wildcard groups, combined, only if no group names the agent', () => {
    const text = 'User-agent: *\nDisallow: /1\nUser-agent: a\nDisallow:\nUser-agent: * # all\nDisallow: /2';
    expect(lines(text, 'a')).toEqual([]);
    expect(lines(text, 'b')).toEqual([2, 6]);
    expect(lines(text, '*')).toEqual([2, 6]);
  });

  it('include a group once, even if it names the agent twice', () => {
    expect(lines('User-agent: a\nUser-agent: b\nUser-agent: A\nUser-agent: a/1\nDisallow: /', 'a')).toEqual([5]);
  });

  it('replace the wildcard groups even if they have no rules', () => {
    expect(lines('User-agent: *\nDisallow: /\nUser-agent: a', 'a')).toEqual([]);
  });

  it('are empty if no group matches', () => {
    expect(groupsFor(read('User-agent: a\nDisallow: /'), 'b')).toEqual([]);
    expect(groupsFor(read('User-agent: a\nDisallow: /'), '*')).toEqual([]);
  });

  it('are matched by the entire token, which ends at the first invalid character', () => {
    for (const name of ['GPTBot/1.2', 'GPTBot 1.2', 'GPTBot*', 'GPTBot (+https://example.com)']) {
      expect(lines(`User-agent: ${name}\nDisallow: /`, 'GPTBot')).toEqual([2]);
    }
    for (const name of ['GPTBot-Image', 'GPT', 'MyGPTBot', 'My GPTBot', '*Bot']) {
      expect(lines(`User-agent: ${name}\nDisallow: /`, 'GPTBot')).toEqual([]);
    }
  });

  it('can belong to agents whose names are not product tokens', () => {
    for (const name of ['007ac9 Crawler', '360Spider', 'visionheight.com/scan', 'Y!J']) {
      expect(lines(`User-agent: ${name}\nDisallow: /`, name.toLowerCase())).toEqual([2]);
    }
    expect(lines('User-agent: 360Spider-Image\nDisallow: /\nUser-agent: Sogou\nDisallow: /', '360Spider')).toEqual([]);
    expect(lines('User-agent: Sogou\nDisallow: /', 'Sogou web spider')).toEqual([]);
  });
});

describe('the size limit (section 2.5)', () => {
  const filler = '#'.repeat(MAX_ROBOTS_BYTES - 'User-agent: a\n'.length - 'Disallow: /x'.length - 1);

  it('is 500 KiB', () => {
    const text = `User-agent: a\n${filler}\nDisallow: /x`;
    expect(Buffer.byteLength(text)).toBe(512_000);
    expect(read(text)).toMatchObject({ isCut: false, groups: [{ rules: [{ path: '/x' }] }] });
  });

  it('drops the line it cuts off', () => {
    expect(read(`User-agent: a\n${filler}\nDisallow: /xy`)).toMatchObject({ isCut: true, groups: [{ rules: [] }] });
  });

  it('stops reading an oversized file at the limit', () => {
    const bytes = Buffer.from('User-agent: *\n'.repeat(400_000));
    expect(readRobotsFile(bytes).groups[0]!.userAgents).toHaveLength(Math.floor(MAX_ROBOTS_BYTES / 14));
  });
});

it.each([' ', ':', 'a:\t', 'User-agent: *\n', 'User-agent: a\nDisallow: /\n', 'User-agent: a b\n'])(
  'reads a file full of %j in linear time',
  async (piece) => {
    // Costs per line and per character show at different sizes.
    const least = piece.includes('\n') ? 8_000 : 500;
    const workOf = (size: number) => {
      const text = piece.repeat(size / piece.length);
      return () => read(text);
    };
    expect(await growth(workOf, least)).toBeLessThan(MAX_GROWTH);
  },
);

describe('robotsText', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const lines = (text: string, most: number) => readRobotsFile(bytes(text), most).groups.flatMap(({ rules }) => rules);

  it.each(['\n', '\r', '\r\n'])('preserves the rules of a file cut at any byte, with lines that end in %j', (end) => {
    const text = ['User-agent: *', 'Disallow: /käse', 'Disallow: /wine'].join(end);
    for (let most = 1; most <= bytes(text).length; most++) {
      const again = readRobotsFile(bytes(robotsText(bytes(text), most)), Infinity).groups.flatMap(({ rules }) => rules);
      const found = again.map(({ line, path }) => [line, path]);
      expect([most, found]).toEqual([most, lines(text, most).map(({ line, path }) => [line, path])]);
    }
  });

  it('replaces bytes that PostgreSQL rejects', () => {
    expect(robotsText(new Uint8Array([0x41, 0, 0xff, 0x0a]))).toBe('A\uFFFD\uFFFD\n');
  });
});

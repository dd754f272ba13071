import { parsePattern } from '#libs/agents';
import { bundledCatalog } from '#libs/catalog';
import { loosenedPattern, MAX_ALTERNATIVE_BYTES, translatePattern } from './pattern-translation.js';

const pcre = (source: string): string[] | null => translatePattern(parsePattern(source)!, 'pcre');
const re2 = (source: string): string[] | null => translatePattern(parsePattern(source)!, 're2');

/** What is written for RE2 is an ECMAScript expression but for these. */
function runnable(texts: string[]): RegExp[] {
  return texts.map((text) => new RegExp(text.replaceAll('\\z', '$').replaceAll('(?s:.)', '[^]'), 'i'));
}

describe('translatePattern', () => {
  it.each<[string, string[]]>([
    ['\\bGPTBot\\b', ['\\bGPTBot\\b']],
    ['^Fast$', ['^Fast\\z']],
    ['(?=^curl\\b).', ['^curl\\b']],
    ['(?=\\bScrapy\\b)..', ['\\bScrapy\\b']],
    ['PayPal(?= IPN|\\/)', ['PayPal(?: IPN|/)']],
    ['(?<=My)Bot', ['MyBot']],
    ['Foo|Bar(?=x)', ['Foo', 'Barx']],
    ['(Foo|(?<http_host>Bar))x', ['(?:Foo|Bar)x']],
    ['Foo.{0,120}bar', ['Foo(?:.{0,120})bar']],
    ['Foo\\d{2,}', ['Foo(?:\\d{2,})']],
    ['Foo[ab]{1200}x', ['Foo(?:[ab]{1000}[ab]{200})x']],
    ['Foo[ab]{900,1500}x', ['Foo(?:[ab]{900,1000}[ab]{0,500})x']],
    ['Foo(?:Bar)??', ['Foo(?:Bar)?']],
    ['x{5000}foo', []],
  ])('writes %s the same for all', (source, texts) => {
    expect(pcre(source)).toEqual(texts);
    expect(re2(source)).toEqual(texts);
  });

  it.each<[string, string[] | null, string[] | null]>([
    ['(?<!~)Feedly', ['(?<!~)Feedly'], ['(?:^|[^~])Feedly']],
    ['urllib(?!3)', ['urllib(?!3)'], ['urllib(?:\\z|[^3])']],
    ['(?=urllib(?!3)).', ['urllib(?!3)'], ['urllib(?:\\z|[^3])']],
    ['(?<!ab)(?<!b)Foo', ['(?<!ab)(?<!b)Foo'], ['(?:^|[^b])Foo']],
    ['(?<!ab)Foo', ['(?<!ab)Foo'], ['(?:^|[^b]|(?:^|[^a])b)Foo']],
    ['Foo(?!\\d+)x', ['Foo(?!\\d+)x'], null],
    ['(?<!a+)Foo', null, null],
    ['Foo(?=.{0,9}x)bar', ['Foo(?=(?:.{0,9})x)bar'], null],
    ['Foo(?<=\\u6f22|x)bar', null, null],
    ['Foo[😀]', null, null],
  ])('writes %s', (source, ofPcre, ofRe2) => {
    expect(pcre(source)).toEqual(ofPcre);
    expect(re2(source)).toEqual(ofRe2);
  });

  it('parts what would be too long', () => {
    const letters = Array.from('abcdefghijklmnopqrst', (letter) => letter.repeat(250));
    expect(pcre(`x(?:${letters.join('|')})y`)).toEqual(letters.map((text) => `x${text}y`));
    expect(pcre('x'.repeat(MAX_ALTERNATIVE_BYTES + 1))).toBeNull();
    expect(pcre('foo\\u6f22{4000}')).toBeNull();
    expect(pcre('foo\\u6f22{300}')).toEqual(['foo(?:(?:\\xE6\\xBC\\xA2){300})']);
    expect(pcre(`foo(?:${Array(20).fill('a\\u6f22{300}').join('|')})`)).toBeNull();
    expect(pcre('foo(?:a\\u6f22{300})?(?:b\\u6f22{300})?')).toBeNull();
    expect(pcre(`foo${'(?:a|b'.repeat(200)}${')'.repeat(200)}`)).toBeNull();
  });

  const patterns = bundledCatalog().agents.flatMap((agent) =>
    agent.user_agent_patterns.map((source, index) => ({ source, sample: agent.sample_user_agents![index]! })),
  );

  it('can say every bundled pattern', () => {
    const unsaid = patterns.filter(({ source }) => pcre(source) === null || re2(source) === null);
    expect(unsaid).toEqual([]);
    const written = patterns.flatMap(({ source }) => [...pcre(source)!, ...re2(source)!]);
    expect(written.filter((text) => !/^[\x20-\x7e]+$/.test(text) || /["'`$#%]|\\\\|\\[nrt]/.test(text))).toEqual([]);
  });

  it('matches where the pattern does', () => {
    const looking = patterns.filter(({ source }) => /[[({?+*]/.test(source));
    const parts = looking.flatMap(({ sample }) => [sample, sample.slice(1), sample.slice(0, -1), sample.slice(3, 20)]);
    const texts = [
      ...new Set(parts),
      'like Googlebot',
      'with Googlebot',
      'ike Googlebot',
      'Python-urllib',
      'Python-urllib4',
    ];
    expect(looking.length).toBeGreaterThan(100);
    for (const { source } of looking) {
      const [pattern, written] = [new RegExp(source, 'i'), runnable(re2(source)!)];
      const differing = texts.filter((text) => pattern.test(text) !== written.some((one) => one.test(text)));
      expect([source, differing]).toEqual([source, []]);
    }
  });

  it('rules out texts exactly where they stand', () => {
    const letters = ['a', 'b', 'c'];
    let texts = [''];
    const all: string[] = [];
    for (let length = 0; length < 6; length++) {
      all.push(...texts);
      texts = texts.flatMap((text) => letters.map((letter) => text + letter));
    }
    for (const source of [
      '(?<!ab)(?<!cab)(?<!c)abc',
      'abc(?!ab)(?!bc|c)',
      '(?<!a|bc)ab(?!b)',
      '(?<!ca)(?=abc(?!a)).',
    ]) {
      const [pattern, written] = [new RegExp(source, 'i'), runnable(re2(source)!)];
      expect(all.filter((text) => pattern.test(text) !== written.some((one) => one.test(text)))).toEqual([]);
    }
  });
});

describe('loosenedPattern', () => {
  it('names the texts that are required', () => {
    expect(loosenedPattern(parsePattern('(?<!a+)Foo"(?:Bar|Baz)')!)).toEqual(['foo\\x22bar', 'foo\\x22baz']);
  });
});

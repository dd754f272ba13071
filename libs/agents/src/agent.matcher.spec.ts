import type { AgentDefinition } from './agent.js';
import { AgentMatcher } from './agent.matcher.js';

function agent(token: string, ...user_agent_patterns: string[]): AgentDefinition {
  const defaults = { operator: null, url: null, robots_token: null, verification: {} };
  return { id: token, token, type: 'Fetcher', user_agent_patterns, ...defaults };
}

function findMatch(agents: AgentDefinition[], userAgent: string): [string, string, number] | null {
  const match = new AgentMatcher(agents).match(userAgent);
  return match && [match.agent.token, match.matchedText, match.start];
}

const looseAgent = (token: string, pattern: string) => ({ ...agent(token, pattern), loose_patterns: [pattern] });
const google = { ...agent('Googlebot', 'Googlebot'), excluded_prefixes: ['like '] };
const feedly = { ...agent('Feedly', 'Feedly(?:Bot)?'), excluded_prefixes: ['~'] };
const image = agent('Googlebot-Image', 'Googlebot-Image');
const curl = { ...agent('curl', '^curl\\b'), generic: true };
const wget = { ...agent('Wget', 'Wget[\\/ ]'), generic: true };
const scrapy = { ...agent('Scrapy', '\\bScrapy\\b'), generic: true, framework: true };
const yandex = { ...agent('Yandex', 'Yandex[^)]{0,80}\\/bots'), fallback_patterns: ['Yandex[^)]{0,80}\\/bots'] };
const legacyAgent = agent('Earlier', '(?<!like )Earlier(?=bot)');

describe('AgentMatcher', () => {
  it.each<[string, AgentDefinition[], string, [string, string, number] | null]>([
    ['returns null if the User-Agent contains no known agent', [google], 'Mozilla/5.0', null],
    ['returns null for an empty header', [google], '', null],
    ['returns the matched text in its original case', [google], 'x GOOGLEbot/2', ['Googlebot', 'GOOGLEbot', 2]],
    ['prefers the longest match', [google, image], 'Googlebot-Image/1.0', ['Googlebot-Image', 'Googlebot-Image', 0]],
    ['prefers a longer match to one further left', [curl, google], 'curl/8 Googlebot', ['Googlebot', 'Googlebot', 7]],
    [
      'prefers the leftmost of two equally long matches',
      [agent('B', 'Bbbb'), agent('A', 'Aaaa')],
      'x aaaa bbbb',
      ['A', 'aaaa', 2],
    ],
    [
      'prefers the leftmost match if it requires a regular expression',
      [agent('B', 'Bbb\\d'), agent('A', 'Aaaa')],
      'bbb1 aaaa',
      ['B', 'bbb1', 0],
    ],
    ['prefers the agent listed first', [agent('B', 'Same'), agent('A', 'same')], 'same', ['B', 'same', 0]],
    [
      'prefers the agent listed first if it requires a regular expression',
      [agent('B', 'Sam[eE]\\b'), agent('A', 'same')],
      'same',
      ['B', 'same', 0],
    ],
    [
      'prefers the agent listed first if only the other requires a regular expression',
      [agent('B', 'same'), agent('A', 'Sam[eE]\\b')],
      'same',
      ['B', 'same', 0],
    ],
    ['prefers a framework to a library', [curl, scrapy], 'curl/8 Scrapy/2', ['Scrapy', 'Scrapy', 7]],
    ['prefers the leftmost library', [curl, wget], 'curl Wget/1', ['curl', 'curl', 0]],
    ['prefers the leftmost library regardless of length and order', [wget, curl], 'curl Wget/1', ['curl', 'curl', 0]],
    [
      'prefers a framework matched by a regular expression to a library',
      [wget, scrapy],
      'Wget/1 scrapy',
      ['Scrapy', 'scrapy', 7],
    ],
    [
      'prefers any named agent to a longer fallback pattern',
      [yandex, agent('LCC', 'LCC')],
      'LCC YandexNew/bots',
      ['LCC', 'LCC', 0],
    ],
    [
      'prefers a fallback pattern to a library',
      [yandex, wget],
      'Wget/1 YandexNew/bots',
      ['Yandex', 'YandexNew/bots', 7],
    ],
    [
      'supports unportable patterns from earlier releases',
      [legacyAgent],
      'like Earlierbot earlierBot',
      ['Earlier', 'earlier', 16],
    ],
    ['skips an excluded regular expression match', [feedly], '~FeedlyBot Feedlybot', ['Feedly', 'Feedlybot', 11]],
    ['returns null if the only regular expression match is excluded', [feedly], '~Feedly', null],
    ['ignores case in excluded prefixes', [google], 'LIKE Googlebot', null],
    ['returns null if the only match is excluded', [google], 'Mozilla (like Googlebot)', null],
    ['skips an excluded match', [google], 'like Googlebot Googlebot', ['Googlebot', 'Googlebot', 15]],
    ['matches only whole words', [agent('Bot', '\\bBot\\b')], 'Robots _bot bot', ['Bot', 'bot', 12]],
    ['matches inside words if the pattern is loose', [looseAgent('Bot', '\\BBot')], 'bot robot', ['Bot', 'bot', 6]],
    ['supports the end-of-text anchor', [agent('Fast', '^Fast$')], 'fast', ['Fast', 'fast', 0]],
    ['does not match the end-of-text anchor before a newline', [agent('Fast', '^Fast$')], 'fast\n', null],
    ['matches a pattern without a required literal', [agent('X', '[a-f]\\d')], 'zz c3', ['X', 'c3', 3]],
    ['matches a pattern with a backreference', [agent('X', '(a|b)\\1')], 'ab bb', ['X', 'bb', 3]],
    ["tries all of an agent's patterns", [agent('X', 'none', 'Some')], 'some', ['X', 'some', 0]],
    ['ignores empty matches', [agent('X', 'x*')], 'abc', null],
    ['finds an agent after non-ASCII characters', [agent('K', 'kilo')], '\u212Ailo \u0130 kilo', ['K', 'kilo', 7]],
  ])('%s', (_, agents, userAgent, expected) => {
    expect(findMatch(agents, userAgent)).toEqual(expected);
  });

  it('searches only the first 4,096 characters', () => {
    expect(findMatch([image], `${' '.repeat(4_096 - 15)}Googlebot-Image`)).not.toBeNull();
    expect(findMatch([google, image], `${' '.repeat(4_096 - 14)}Googlebot-Image`)?.[0]).toBe('Googlebot');
  });

  it('finds all agents named in a text, in catalog order', () => {
    const matcher = new AgentMatcher([curl, agent('X', '[a-f]\\d'), google, agent('None', 'none'), image]);
    const names = (text: string) => matcher.findAll(text).map(({ token }) => token);
    expect(names('Googlebot-IMAGE/1.0 Googlebot c3')).toEqual(['X', 'Googlebot', 'Googlebot-Image']);
    expect(names('curl/8 (like Googlebot)')).toEqual(['curl']);
    expect(names('curl/8 like Googlebot Googlebot')).toEqual(['curl', 'Googlebot']);
    expect(names('')).toEqual([]);
  });

  it('returns the same agents with and without the cache', () => {
    const matcher = new AgentMatcher([google, scrapy, agent('X', 'Bbb\\d')]);
    const texts = ['Scrapy Googlebot', 'bbb1', 'nothing', 'bbb2 bbb3'];
    const results = texts.map((text) => matcher.find(text));
    expect(texts.map((text) => matcher.match(text))).toEqual(results);
    expect(texts.map((text) => matcher.match(text))).toEqual(results);
  });

  it('throws a SyntaxError if a pattern is invalid', () => {
    expect(() => new AgentMatcher([agent('X', '(')])).toThrow(SyntaxError);
  });

  it('lists the patterns without a required literal', () => {
    const matcher = new AgentMatcher([google, agent('X', '[a-f]\\d'), legacyAgent]);
    expect(matcher.unfilteredPatterns).toEqual(['[a-f]\\d', '(?<!like )Earlier(?=bot)']);
  });
});

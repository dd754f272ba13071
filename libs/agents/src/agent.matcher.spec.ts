import type { AgentDefinition } from './agent.js';
import { AgentMatcher } from './agent.matcher.js';

function agent(token: string, ...user_agent_patterns: string[]): AgentDefinition {
  const unknown = { operator: null, url: null, robots_token: null, verification: {} };
  return { id: token, token, type: 'Fetcher', user_agent_patterns, ...unknown };
}

function found(agents: AgentDefinition[], userAgent: string): [string, string, number] | null {
  const match = new AgentMatcher(agents).match(userAgent);
  return match && [match.agent.token, match.matchedText, match.start];
}

const loose = (token: string, pattern: string) => ({ ...agent(token, pattern), loose_patterns: [pattern] });
const google = { ...agent('Googlebot', 'Googlebot'), excluded_prefixes: ['like '] };
const feedly = { ...agent('Feedly', 'Feedly(?:Bot)?'), excluded_prefixes: ['~'] };
const image = agent('Googlebot-Image', 'Googlebot-Image');
const curl = { ...agent('curl', '^curl\\b'), generic: true };
const wget = { ...agent('Wget', 'Wget[\\/ ]'), generic: true };
const scrapy = { ...agent('Scrapy', '\\bScrapy\\b'), generic: true, framework: true };
const yandex = { ...agent('Yandex', 'Yandex[^)]{0,80}\\/bots'), fallback_patterns: ['Yandex[^)]{0,80}\\/bots'] };
const earlier = agent('Earlier', '(?<!like )Earlier(?=bot)');

describe('AgentMatcher', () => {
  it.each<[string, AgentDefinition[], string, [string, string, number] | null]>([
    ['nothing known', [google], 'Mozilla/5.0', null],
    ['an empty header', [google], '', null],
    ['the text as sent', [google], 'x GOOGLEbot/2', ['Googlebot', 'GOOGLEbot', 2]],
    ['the longest', [google, image], 'Googlebot-Image/1.0', ['Googlebot-Image', 'Googlebot-Image', 0]],
    ['the longest, though further right', [curl, google], 'curl/8 Googlebot', ['Googlebot', 'Googlebot', 7]],
    ['the one further left', [agent('B', 'Bbbb'), agent('A', 'Aaaa')], 'x aaaa bbbb', ['A', 'aaaa', 2]],
    ['the one further left, by expression', [agent('B', 'Bbb\\d'), agent('A', 'Aaaa')], 'bbb1 aaaa', ['B', 'bbb1', 0]],
    ['the one listed first', [agent('B', 'Same'), agent('A', 'same')], 'same', ['B', 'same', 0]],
    ['the one listed first, by expression', [agent('B', 'Sam[eE]\\b'), agent('A', 'same')], 'same', ['B', 'same', 0]],
    ['the one listed first, plain', [agent('B', 'same'), agent('A', 'Sam[eE]\\b')], 'same', ['B', 'same', 0]],
    ['a framework over a library', [curl, scrapy], 'curl/8 Scrapy/2', ['Scrapy', 'Scrapy', 7]],
    ['a library further left', [curl, wget], 'curl Wget/1', ['curl', 'curl', 0]],
    ['a library further left, however short', [wget, curl], 'curl Wget/1', ['curl', 'curl', 0]],
    ['a framework by an expression', [wget, scrapy], 'Wget/1 scrapy', ['Scrapy', 'scrapy', 7]],
    ['a named one, however short', [yandex, agent('LCC', 'LCC')], 'LCC YandexNew/bots', ['LCC', 'LCC', 0]],
    ['one of last resort', [yandex, wget], 'Wget/1 YandexNew/bots', ['Yandex', 'YandexNew/bots', 7]],
    ['what an earlier release took', [earlier], 'like Earlierbot earlierBot', ['Earlier', 'earlier', 16]],
    ['a second, not excluded, by expression', [feedly], '~FeedlyBot Feedlybot', ['Feedly', 'Feedlybot', 11]],
    ['an excluded one by expression', [feedly], '~Feedly', null],
    ['an excluded one in any case', [google], 'LIKE Googlebot', null],
    ['an excluded one', [google], 'Mozilla (like Googlebot)', null],
    ['a second, not excluded', [google], 'like Googlebot Googlebot', ['Googlebot', 'Googlebot', 15]],
    ['whole words only', [agent('Bot', '\\bBot\\b')], 'Robots _bot bot', ['Bot', 'bot', 12]],
    ['inside words, where it says so', [loose('Bot', '\\BBot')], 'bot robot', ['Bot', 'bot', 6]],
    ['the end', [agent('Fast', '^Fast$')], 'fast', ['Fast', 'fast', 0]],
    ['not the end', [agent('Fast', '^Fast$')], 'fast\n', null],
    ['what no literal sieves', [agent('X', '[a-f]\\d')], 'zz c3', ['X', 'c3', 3]],
    ['what is not analyzed', [agent('X', '(a|b)\\1')], 'ab bb', ['X', 'bb', 3]],
    ['several patterns of one agent', [agent('X', 'none', 'Some')], 'some', ['X', 'some', 0]],
    ['a match of no text', [agent('X', 'x*')], 'abc', null],
    ['characters past ASCII', [agent('K', 'kilo')], '\u212Ailo \u0130 kilo', ['K', 'kilo', 7]],
  ])('finds %s', (_, agents, userAgent, expected) => {
    expect(found(agents, userAgent)).toEqual(expected);
  });

  it('searches only the first 4,096 characters', () => {
    expect(found([image], `${' '.repeat(4_096 - 15)}Googlebot-Image`)).not.toBeNull();
    expect(found([google, image], `${' '.repeat(4_096 - 14)}Googlebot-Image`)?.[0]).toBe('Googlebot');
  });

  it('finds every agent that a text names, in catalog order', () => {
    const matcher = new AgentMatcher([curl, agent('X', '[a-f]\\d'), google, agent('None', 'none'), image]);
    const names = (text: string) => matcher.findAll(text).map(({ token }) => token);
    expect(names('Googlebot-IMAGE/1.0 Googlebot c3')).toEqual(['X', 'Googlebot', 'Googlebot-Image']);
    expect(names('curl/8 (like Googlebot)')).toEqual(['curl']);
    expect(names('curl/8 like Googlebot Googlebot')).toEqual(['curl', 'Googlebot']);
    expect(names('')).toEqual([]);
  });

  it('returns the same results for repeated calls', () => {
    const matcher = new AgentMatcher([google, scrapy, agent('X', 'Bbb\\d')]);
    const texts = ['Scrapy Googlebot', 'bbb1', 'nothing', 'bbb2 bbb3'];
    const answers = texts.map((text) => matcher.find(text));
    expect(texts.map((text) => matcher.match(text))).toEqual(answers);
    expect(texts.map((text) => matcher.match(text))).toEqual(answers);
  });

  it('throws on an invalid pattern', () => {
    expect(() => new AgentMatcher([agent('X', '(')])).toThrow(SyntaxError);
  });

  it('lists the patterns that cannot be prefiltered by a literal', () => {
    const matcher = new AgentMatcher([google, agent('X', '[a-f]\\d'), earlier]);
    expect(matcher.unsievedPatterns).toEqual(['[a-f]\\d', '(?<!like )Earlier(?=bot)']);
  });
});

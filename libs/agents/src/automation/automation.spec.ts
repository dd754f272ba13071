import { AutomationJudge } from './automation.js';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const CHROME_OF_2022 = CHROME.replace('142', '100');
const CHROME_OF_2016 = CHROME.replace('142', '50');
const NOW = Date.parse('2026-11-23T12:00:00Z');

const judge = new AutomationJudge();
const judged = (
  headers: Record<string, unknown>,
  { path = '/', at = NOW, isInDataCenter = false }: Partial<Parameters<AutomationJudge['judge']>[0]> = {},
) => {
  const { verdict, signs } = judge.judge({ headers, path, at, isInDataCenter });
  return [verdict, ...signs];
};
const ofBrowser = { Accept: '*/*', 'Accept-Language': 'de', 'Sec-CH-UA': '"Chromium";v="142"' };

describe('AutomationJudge', () => {
  it('has nothing against a browser, whatever its source reports of it', () => {
    expect(judged({ 'User-Agent': CHROME, ...ofBrowser })).toEqual(['unlikely']);
    expect(judged({ 'user-agent': CHROME, referer: 'https://example.com/', host: 'example.com' })).toEqual([
      'unlikely',
    ]);
    expect(judged({ 'user-agent': CHROME_OF_2022, 'x-forwarded-for': '192.0.2.1' })).toEqual(['unlikely']);
  });

  it.each([
    ['no Accept-Language', { 'User-Agent': CHROME, Accept: '*/*' }, '/', 'no_accept_language'],
    ['one of null', { 'User-Agent': CHROME, accept: '*/*', 'accept-language': null }, '/', 'no_accept_language'],
    ['a fetch of robots.txt', { 'User-Agent': CHROME }, '/robots.txt?a', 'robots_txt'],
    [
      'an old version without client hints',
      { 'User-Agent': CHROME_OF_2022, Accept: '*/*', 'accept-language': 'de' },
      '/',
      'old_browser',
    ],
    ['a very old version', { 'User-Agent': CHROME_OF_2016 }, '/', 'old_browser'],
    ['a pattern of isbot', { 'User-Agent': `${CHROME} FeedStation` }, '/', 'isbot'],
    ['a link', { 'User-Agent': `${CHROME} (https://toolbar.example)` }, '/', 'contact'],
  ])('is not sure by %s alone', (_, headers, path, sign) => {
    expect(judged(headers, { path })).toEqual(['unclear', sign]);
  });

  it('is sure by two signs', () => {
    expect(judged({ 'User-Agent': CHROME, 'Accept-Encoding': 'gzip' }, { path: '/robots.txt' })).toEqual([
      'likely',
      'no_accept_language',
      'robots_txt',
    ]);
  });

  it('does not accuse people with a VPN, and takes a data center for a second sign', () => {
    const isInDataCenter = true;
    expect(judged({ 'User-Agent': CHROME, ...ofBrowser }, { isInDataCenter })).toEqual(['unclear', 'data_center']);
    expect(judged({ 'User-Agent': CHROME, Accept: '*/*' }, { isInDataCenter })).toEqual([
      'likely',
      'no_accept_language',
      'data_center',
    ]);
    expect(judged({ 'User-Agent': CHROME_OF_2016 }, { isInDataCenter })).toEqual([
      'likely',
      'old_browser',
      'data_center',
    ]);
    expect(judged({ 'User-Agent': '[redacted]' }, { isInDataCenter })).toEqual(['unclear', 'data_center']);
  });

  it.each([
    ['an empty user agent', { 'User-Agent': ' ' }, 'unclear', ['no_user_agent']],
    ['none among other headers', { Accept: '*/*', 'Accept-Language': 'de' }, 'unclear', ['no_user_agent']],
    ['none, and no language', { Accept: '*/*' }, 'likely', ['no_user_agent', 'no_accept_language']],
    ['what calls itself a bot', { 'User-Agent': `${CHROME} AcmeBot` }, 'likely', ['bot_name', 'isbot']],
    [
      'a version that opens no https site',
      { 'User-Agent': 'Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)' },
      'likely',
      ['obsolete_browser', 'old_browser'],
    ],
    ['quotes around it', { 'User-Agent': `"${CHROME}"` }, 'likely', ['not_a_browser', 'mistake']],
    ['a version that was cut', { 'User-Agent': CHROME.replace(/.$/, '') }, 'unclear', ['mistake']],
    [
      'a program within a browser',
      { 'User-Agent': CHROME.replace('x64', 'x64; compatible; Acme/1.0') },
      'likely',
      ['bot_name', 'compatible_name'],
    ],
    ['a browser without a version', { 'User-Agent': CHROME.replace('/142.0.0.0', '') }, 'unclear', ['mistake']],
    [
      'a crawler within a browser',
      { 'User-Agent': `${CHROME} (+https://acme.test/)` },
      'likely',
      ['compatible_name', 'contact'],
    ],
  ])('judges %s', (_, headers, verdict, signs) => {
    expect(judged(headers)).toEqual([verdict, ...signs]);
  });

  it.each([
    [
      'the compatibility mode of Internet Explorer 11',
      'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.1; Trident/7.0)',
    ],
    ['a console', 'Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; Trident/5.0; Xbox)'],
    [
      'a television',
      'Mozilla/5.0 (Linux; NetCast; U) AppleWebKit/537.31 (KHTML, like Gecko) Chrome/38.0.2125.122 Safari/537.31 SmartTV/7.0',
    ],
    [
      'a device with the name of a bot',
      'Mozilla/5.0 (Linux; Android 9; SPIDER X2 Build/PPR1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/110.0.0.0 Mobile Safari/537.36',
    ],
  ])('has nothing against %s', (_, userAgent) => {
    expect(judged({ 'User-Agent': userAgent })).toEqual(['unlikely']);
  });

  it('takes no app for a library whose name it has a part of', () => {
    const ofApp = (product: string): string[] =>
      judged({ 'User-Agent': `${product}/8.1 (iPhone; iOS 17.0; Scale/3.00)` });
    expect(ofApp('TrustWallet')).toEqual(['unclear', 'not_a_browser']);
    expect(ofApp('Superlist')).toEqual(['unclear', 'not_a_browser']);
    expect(ofApp('Perl')).toEqual(['likely', 'http_library', 'not_a_browser', 'isbot']);
  });

  it('does not know what a log without user agents leaves out', () => {
    expect(judged({ host: 'example.com' })).toEqual(['unclear', 'no_user_agent']);
    expect(judged({ host: 'example.com' }, { isInDataCenter: true })).toEqual([
      'unclear',
      'no_user_agent',
      'data_center',
    ]);
  });

  it('has nothing against a user agent that was redacted', () => {
    expect(judged({ 'User-Agent': '[redacted]', 'Accept-Language': 'de', Accept: '*/*' })).toEqual(['unlikely']);
  });

  it('judges a version by when it visited', () => {
    expect(judged({ 'User-Agent': CHROME_OF_2016 }, { at: Date.parse('2017-01-01') })).toEqual(['unlikely']);
    expect(judged({ 'User-Agent': CHROME_OF_2016 })).toEqual(['unclear', 'old_browser']);
  });

  it('takes one fact for one sign: isbot does not see the link', () => {
    expect(judged({ 'User-Agent': `${CHROME} (http://www.acme.com/)` })).toEqual(['unclear', 'contact']);
  });

  it('gives suspects the group of their user agent, and nobody else one', () => {
    const groupOf = (headers: Record<string, string>) => judge.judge({ headers, path: '/', at: NOW }).user_agent_group;
    expect(groupOf({ 'User-Agent': 'acme-sync/1.2.3' })).toBe('acme-sync/*');
    expect(groupOf({ 'User-Agent': 'X (Windows NT)', Accept: '*/*' })).toBe('X (Windows NT)');
    expect(groupOf({ Accept: '*/*' })).toBe('(no user agent)');
    expect(groupOf({ 'User-Agent': CHROME, ...ofBrowser })).toBeUndefined();
  });
});

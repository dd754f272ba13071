import { AutomationJudge } from './automation-judge.js';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const CHROME_2022 = CHROME.replace('142', '100');
const CHROME_2016 = CHROME.replace('142', '50');
const NOW = Date.parse('2026-11-23T12:00:00Z');

const judge = new AutomationJudge();
const judgeVisit = (
  headers: Record<string, unknown>,
  { path = '/', at = NOW, isInDataCenter = false }: Partial<Parameters<AutomationJudge['judge']>[0]> = {},
) => {
  const { verdict, signs } = judge.judge({ headers, path, at, isInDataCenter });
  return [verdict, ...signs];
};
const BROWSER_HEADERS = { Accept: '*/*', 'Accept-Language': 'de', 'Sec-CH-UA': '"Chromium";v="142"' };

describe('AutomationJudge', () => {
  it('does not flag a browser, even if the source reports only a few headers', () => {
    expect(judgeVisit({ 'User-Agent': CHROME, ...BROWSER_HEADERS })).toEqual(['unlikely']);
    expect(judgeVisit({ 'user-agent': CHROME, referer: 'https://example.com/', host: 'example.com' })).toEqual([
      'unlikely',
    ]);
    expect(judgeVisit({ 'user-agent': CHROME_2022, 'x-forwarded-for': '192.0.2.1' })).toEqual(['unlikely']);
  });

  it.each([
    ['a missing Accept-Language header', { 'User-Agent': CHROME, Accept: '*/*' }, '/', 'no_accept_language'],
    [
      'an Accept-Language header of null',
      { 'User-Agent': CHROME, accept: '*/*', 'accept-language': null },
      '/',
      'no_accept_language',
    ],
    ['a request for robots.txt', { 'User-Agent': CHROME }, '/robots.txt?a', 'robots_txt'],
    [
      'an old browser version without client hints',
      { 'User-Agent': CHROME_2022, Accept: '*/*', 'accept-language': 'de' },
      '/',
      'old_browser',
    ],
    ['a very old browser version', { 'User-Agent': CHROME_2016 }, '/', 'old_browser'],
    ['an isbot match', { 'User-Agent': `${CHROME} FeedStation` }, '/', 'isbot'],
    ['a link in the user agent', { 'User-Agent': `${CHROME} (https://toolbar.example)` }, '/', 'contact'],
  ])('returns "unclear" for a single sign of automation: %s', (_, headers, path, sign) => {
    expect(judgeVisit(headers, { path })).toEqual(['unclear', sign]);
  });

  it('returns "likely" for two signs of automation', () => {
    expect(judgeVisit({ 'User-Agent': CHROME, 'Accept-Encoding': 'gzip' }, { path: '/robots.txt' })).toEqual([
      'likely',
      'no_accept_language',
      'robots_txt',
    ]);
  });

  it('counts a data center as a second sign, but never as sufficient on its own', () => {
    const isInDataCenter = true;
    expect(judgeVisit({ 'User-Agent': CHROME, ...BROWSER_HEADERS }, { isInDataCenter })).toEqual([
      'unclear',
      'data_center',
    ]);
    expect(judgeVisit({ 'User-Agent': CHROME, Accept: '*/*' }, { isInDataCenter })).toEqual([
      'likely',
      'no_accept_language',
      'data_center',
    ]);
    expect(judgeVisit({ 'User-Agent': CHROME_2016 }, { isInDataCenter })).toEqual([
      'likely',
      'old_browser',
      'data_center',
    ]);
    expect(judgeVisit({ 'User-Agent': '[redacted]' }, { isInDataCenter })).toEqual(['unclear', 'data_center']);
  });

  it.each([
    ['an empty user agent', { 'User-Agent': ' ' }, 'unclear', ['no_user_agent']],
    [
      'a missing user agent among other headers',
      { Accept: '*/*', 'Accept-Language': 'de' },
      'unclear',
      ['no_user_agent'],
    ],
    [
      'a missing user agent without Accept-Language',
      { Accept: '*/*' },
      'likely',
      ['no_user_agent', 'no_accept_language'],
    ],
    ['a user agent with a bot name', { 'User-Agent': `${CHROME} AcmeBot` }, 'likely', ['bot_name']],
    [
      'a browser too old for HTTPS sites',
      { 'User-Agent': 'Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)' },
      'unclear',
      ['obsolete_browser'],
    ],
    ['a user agent in quotes', { 'User-Agent': `"${CHROME}"` }, 'likely', ['handwritten', 'mistake']],
    ['a truncated version', { 'User-Agent': CHROME.replace(/.$/, '') }, 'unclear', ['mistake']],
    [
      'a program name inside a browser user agent',
      { 'User-Agent': CHROME.replace('x64', 'x64; compatible; Acme/1.0') },
      'likely',
      ['compatible_name'],
    ],
    ['a browser without a version', { 'User-Agent': CHROME.replace('/142.0.0.0', '') }, 'unclear', ['mistake']],
    [
      'a crawler link inside a browser user agent',
      { 'User-Agent': `${CHROME} (+https://acme.test/)` },
      'likely',
      ['compatible_name', 'contact'],
    ],
  ])('judges a request with %s', (_, headers, verdict, signs) => {
    expect(judgeVisit(headers)).toEqual([verdict, ...signs]);
  });

  it.each([
    ['Internet Explorer 11 in compatibility mode', 'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.1; Trident/7.0)'],
    ['a game console', 'Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; Trident/5.0; Xbox)'],
    [
      'a TV',
      'Mozilla/5.0 (Linux; NetCast; U) AppleWebKit/537.31 (KHTML, like Gecko) Chrome/38.0.2125.122 Safari/537.31 SmartTV/7.0',
    ],
    [
      'a device whose model sounds like a bot',
      'Mozilla/5.0 (Linux; Android 9; SPIDER X2 Build/PPR1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/110.0.0.0 Mobile Safari/537.36',
    ],
  ])('does not flag the user agent of %s', (_, userAgent) => {
    expect(judgeVisit({ 'User-Agent': userAgent })).toEqual(['unlikely']);
  });

  it('ignores library names inside app names', () => {
    const judgeApp = (product: string): string[] =>
      judgeVisit({ 'User-Agent': `${product}/8.1 (iPhone; iOS 17.0; Scale/3.00)` });
    expect(judgeApp('TrustWallet')).toEqual(['unclear', 'not_a_browser']);
    expect(judgeApp('Superlist')).toEqual(['unclear', 'not_a_browser']);
    expect(judgeApp('Perl')).toEqual(['unclear', 'not_a_browser']);
  });

  it("finds no second sign in an app's name, link or headers", () => {
    const judgeApp = (userAgent: string): string[] => judgeVisit({ 'User-Agent': userAgent, Accept: '*/*' });
    expect(judgeApp('Baby Monitor/3.4 (iPhone; iOS 18.1; Scale/3.00)')).toEqual(['unclear', 'not_a_browser']);
    expect(judgeApp('Spider%20Solitaire/12 CFNetwork/1494.0.7 Darwin/23.4.0')).toEqual(['unclear', 'not_a_browser']);
    expect(judgeApp('Larkspur/2.0 (+https://larkspur.example; Android podcast app)')).toEqual([
      'unclear',
      'not_a_browser',
    ]);
    expect(judgeApp('Larkspur/2.0 okhttp/4.12.0')).toEqual(['unclear', 'not_a_browser']);
    expect(judgeApp('LarkspurBot/2.0 okhttp/4.12.0')).toContain('http_library');
    expect(judgeApp('Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X; +https://larkspur.example/bot)')).toContain(
      'bot_name',
    );
  });

  it('returns "unclear" if the log contains no user agents', () => {
    expect(judgeVisit({ host: 'example.com' })).toEqual(['unclear', 'no_user_agent']);
    expect(judgeVisit({ host: 'example.com' }, { isInDataCenter: true })).toEqual([
      'unclear',
      'no_user_agent',
      'data_center',
    ]);
  });

  it('does not flag a redacted user agent', () => {
    expect(judgeVisit({ 'User-Agent': '[redacted]', 'Accept-Language': 'de', Accept: '*/*' })).toEqual(['unlikely']);
  });

  it('judges the browser version as of the time of the visit', () => {
    expect(judgeVisit({ 'User-Agent': CHROME_2016 }, { at: Date.parse('2017-01-01') })).toEqual(['unlikely']);
    expect(judgeVisit({ 'User-Agent': CHROME_2016 })).toEqual(['unclear', 'old_browser']);
  });

  it('counts both browser age signs as one', () => {
    const at = Date.parse('2040-01-01');
    const headers = { 'User-Agent': CHROME_2022, Accept: '*/*', 'Accept-Language': 'de' };
    expect(judgeVisit(headers, { at })).toEqual(['unclear', 'obsolete_browser', 'old_browser']);
    expect(judgeVisit({ ...headers, 'Accept-Language': null }, { at })).toEqual([
      'likely',
      'obsolete_browser',
      'old_browser',
      'no_accept_language',
    ]);
  });

  it('flags program names in desktop browsers, but not in mobile apps', () => {
    const phone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
    expect(judgeVisit({ 'User-Agent': `${CHROME} HomeInspector/2.0` })).toEqual(['likely', 'bot_name']);
    expect(judgeVisit({ 'User-Agent': `${phone} HomeTaskAgent/2.0` })).toEqual(['unlikely']);
    expect(judgeVisit({ 'User-Agent': CHROME.replace('Gecko)', 'Gecko; Acme)') })).toEqual([
      'likely',
      'compatible_name',
    ]);
    for (const link of ['(https://acme.example)', '(via http://acme.example/)', 'www.acme.example'])
      expect(judgeVisit({ 'User-Agent': `${CHROME} Acme/1.0 ${link}` })).toEqual([
        'likely',
        'compatible_name',
        'contact',
      ]);
    expect(judgeVisit({ 'User-Agent': 'News.com/8.1 (iPhone; iOS 17.0; Scale/3.00)' })).toEqual([
      'unclear',
      'not_a_browser',
    ]);
    expect(judgeVisit({ 'User-Agent': 'News/8.1 (iPhone; iOS 17.0) https://news.example' })).toEqual([
      'unclear',
      'not_a_browser',
    ]);
  });

  it('does not treat a link in a user agent as an isbot match as well', () => {
    expect(judgeVisit({ 'User-Agent': `${CHROME} (http://www.acme.com/)` })).toEqual(['unclear', 'contact']);
  });

  it('returns a user agent group only for suspected automation', () => {
    const getGroup = (headers: Record<string, string>) => judge.judge({ headers, path: '/', at: NOW }).user_agent_group;
    expect(getGroup({ 'User-Agent': 'acme-sync/1.2.3' })).toBe('acme-sync/*');
    expect(getGroup({ 'User-Agent': 'X (Windows NT)', Accept: '*/*' })).toBe('X (Windows NT)');
    expect(getGroup({ Accept: '*/*' })).toBe('(no user agent)');
    expect(getGroup({ 'User-Agent': CHROME, ...BROWSER_HEADERS })).toBeUndefined();
  });

  it.each([
    ['sig1="https://new-agent.example"', 'https://new-agent.example'],
    ['sig1="https://new-agent.example";type=directory', 'https://new-agent.example'],
    ['sig1="https://new-agent.example/jwks";type=jwks_uri', 'https://new-agent.example/jwks'],
    ['"https://new-agent.example"', 'https://new-agent.example'],
    ['https://new-agent.example', 'https://new-agent.example'],
    ['a="https://one.example", b="https://two.example"', 'https://one.example'],
    ['sig1="http://new-agent.example"', 'http://new-agent.example'],
    ['sig1="data:application/json,{}"', 'data:application/json,{}'],
    ['sig1=("https://new-agent.example")', 'https://new-agent.example'],
    ['"https://new-agent.example', '"https://new-agent.example'],
  ])('groups by the signer in Signature-Agent: %s', (signatureAgent, name) => {
    const headers = { 'User-Agent': CHROME, ...BROWSER_HEADERS, 'Signature-Agent': signatureAgent };
    expect(judge.judge({ headers, path: '/', at: NOW })).toEqual({
      verdict: 'likely',
      signs: ['signed'],
      user_agent_group: `signed by ${name}`,
    });
  });

  it('flags web-bot-auth signatures without Signature-Agent, but not those added by a proxy', () => {
    const signedHeaders = (tag: string) => ({
      'User-Agent': CHROME,
      ...BROWSER_HEADERS,
      'Signature-Input': `sig1=("@authority");created=1;keyid="a";tag="${tag}"`,
    });
    expect(judgeVisit(signedHeaders('web-bot-auth'))).toEqual(['likely', 'signed']);
    expect(judgeVisit(signedHeaders('origin'))).toEqual(['unlikely']);
    expect(judgeVisit({ 'User-Agent': CHROME, ...BROWSER_HEADERS, 'Signature-Agent': null })).toEqual(['unlikely']);
  });

  const windows = CHROME;
  const mac = CHROME.replace('Windows NT 10.0; Win64; x64', 'Macintosh; Intel Mac OS X 10_15_7');
  const linux = CHROME.replace('Windows NT 10.0; Win64; x64', 'X11; Linux x86_64');
  const chromeOs = CHROME.replace('Windows NT 10.0; Win64; x64', 'X11; CrOS x86_64 14541.0.0');
  const phone = CHROME.replace('Windows NT 10.0; Win64; x64', 'Linux; Android 10; K').replace(
    'Safari',
    'Mobile Safari',
  );
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
  const safari =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
  const brands = '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"';
  it.each<[string, string, Record<string, string>, string[]]>([
    [
      'a headless browser',
      windows,
      { 'sec-ch-ua': '"HeadlessChrome";v="142", "Chromium";v="142"' },
      ['likely', 'headless'],
    ],
    [
      'a headless browser, named only in the full version list',
      windows,
      { 'sec-ch-ua-full-version-list': '"HeadlessChrome";v="142.0.7444.60"' },
      ['likely', 'headless'],
    ],
    ['a different version', windows, { 'sec-ch-ua': brands.replaceAll('142', '131') }, ['likely', 'client_hints']],
    [
      'a different full version',
      windows,
      { 'sec-ch-ua-full-version-list': '"Chromium";v="131.0.6778.85"' },
      ['likely', 'client_hints'],
    ],
    [
      'two contradictory versions',
      windows,
      { 'sec-ch-ua': brands, 'sec-ch-ua-full-version-list': '"Chromium";v="131.0.6778.85"' },
      ['likely', 'client_hints'],
    ],
    ['Chromium in Firefox', firefox, { 'sec-ch-ua': brands }, ['likely', 'client_hints']],
    ['Chromium in Safari', safari, { 'sec-ch-ua': brands }, ['likely', 'client_hints']],
    ['Linux on Windows', windows, { 'sec-ch-ua': brands, 'sec-ch-ua-platform': '"Linux"' }, ['likely', 'client_hints']],
    ['Linux on a Mac', mac, { 'sec-ch-ua-platform': '"Linux"' }, ['likely', 'client_hints']],
    ['Windows on a Mac', mac, { 'sec-ch-ua-platform': '"Windows"' }, ['likely', 'client_hints']],
    ['Windows on a phone', phone, { 'sec-ch-ua-platform': '"Windows"' }, ['likely', 'client_hints']],
    ['Linux on a phone', phone, { 'sec-ch-ua-platform': '"Linux"' }, ['unclear', 'client_hints_doubt']],
    [
      'a phone in desktop-site mode',
      linux,
      { 'sec-ch-ua': brands, 'sec-ch-ua-mobile': '?0', 'sec-ch-ua-platform': '"Android"' },
      ['unlikely'],
    ],
    ['Android on Windows', windows, { 'sec-ch-ua-platform': '"Android"' }, ['unclear', 'client_hints_doubt']],
    ['a desktop with the mobile hint', windows, { 'sec-ch-ua-mobile': '?1' }, ['unclear', 'client_hints_doubt']],
    [
      'a different version behind a proxy',
      windows,
      { 'sec-ch-ua': brands.replaceAll('142', '131'), via: '1.1 proxy.example' },
      ['unclear', 'client_hints_doubt'],
    ],
    [
      'a matching Windows PC',
      windows,
      { 'sec-ch-ua': brands, 'sec-ch-ua-mobile': '?0', 'sec-ch-ua-platform': '"Windows"' },
      ['unlikely'],
    ],
    ['a matching Chromebook', chromeOs, { 'sec-ch-ua': brands, 'sec-ch-ua-platform': '"Chrome OS"' }, ['unlikely']],
    [
      'a matching phone',
      phone,
      { 'sec-ch-ua': brands, 'sec-ch-ua-mobile': '?1', 'sec-ch-ua-platform': '"Android"' },
      ['unlikely'],
    ],
    [
      'Edge',
      `${windows} Edg/142.0.0.0`,
      { 'sec-ch-ua': '"Not A(Brand";v="8", "Chromium";v="142", "Microsoft Edge";v="142"' },
      ['unlikely'],
    ],
    [
      'Opera',
      `${windows} OPR/126.0.0.0`,
      { 'sec-ch-ua': '"Chromium";v="142", "Opera";v="126", "Not?A_Brand";v="24"' },
      ['unlikely'],
    ],
    ['Brave', windows, { 'sec-ch-ua': '"Brave";v="142", "Chromium";v="142", "Not)A;Brand";v="24"' }, ['unlikely']],
    [
      'Samsung Internet',
      phone.replace('Mobile', 'SamsungBrowser/29.0 Mobile').replace('Chrome/142', 'Chrome/136'),
      { 'sec-ch-ua': '"Chromium";v="136", "Samsung Internet";v="29.0", "Not.A/Brand";v="99"' },
      ['unlikely'],
    ],
    ['an unknown platform', windows, { 'sec-ch-ua-platform': '"Unknown"' }, ['unlikely']],
  ])('compares client hints with the user agent: %s', (_, userAgent, hints, expected) => {
    expect(judgeVisit({ 'user-agent': userAgent, accept: '*/*', 'accept-language': 'de', ...hints })).toEqual(expected);
  });

  it.each([
    ['text/markdown, text/html;q=0.9, */*;q=0.8', {}, true],
    ['text/markdown', {}, true],
    ['text/x-markdown;q=0.9, text/html;q=0.5', {}, true],
    ['text/html, text/markdown', {}, true],
    ['text/html, text/markdown;q=0.5', {}, false],
    ['text/markdown;q=0, text/html', {}, false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', {}, false],
    ['text/markdown', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }, false],
    ['text/markdown', { 'sec-fetch-mode': 'cors' }, true],
  ])('judges Accept: %s with %j', (accept, headers, isProgram) => {
    const signs = isProgram ? ['likely', 'markdown'] : ['unlikely'];
    expect(judgeVisit({ 'User-Agent': CHROME, ...BROWSER_HEADERS, Accept: accept, ...headers })).toEqual(signs);
  });

  it.each([
    ['crawler@example.com', ['likely', 'from_header']],
    ['bot(at)example.com', ['likely', 'from_header']],
    ['Crawl Team <crawl@example.com>', ['likely', 'from_header']],
    ['h5', ['unlikely']],
  ])('judges the From header %s', (from, expected) => {
    expect(judgeVisit({ 'User-Agent': CHROME, ...BROWSER_HEADERS, From: from })).toEqual(expected);
  });
});

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
  it('does not suspect a browser, even if its source reports few headers', () => {
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
  ])('returns unclear for a single sign: %s', (_, headers, path, sign) => {
    expect(judged(headers, { path })).toEqual(['unclear', sign]);
  });

  it('returns likely for two signs', () => {
    expect(judged({ 'User-Agent': CHROME, 'Accept-Encoding': 'gzip' }, { path: '/robots.txt' })).toEqual([
      'likely',
      'no_accept_language',
      'robots_txt',
    ]);
  });

  it('counts a data center as a second sign, but does not suspect VPN users', () => {
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
    ['what calls itself a bot', { 'User-Agent': `${CHROME} AcmeBot` }, 'likely', ['bot_name']],
    [
      'a version that opens no https site',
      { 'User-Agent': 'Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)' },
      'unclear',
      ['obsolete_browser'],
    ],
    ['quotes around it', { 'User-Agent': `"${CHROME}"` }, 'likely', ['handwritten', 'mistake']],
    ['a version that was cut', { 'User-Agent': CHROME.replace(/.$/, '') }, 'unclear', ['mistake']],
    [
      'a program within a browser',
      { 'User-Agent': CHROME.replace('x64', 'x64; compatible; Acme/1.0') },
      'likely',
      ['compatible_name'],
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
  ])('does not suspect %s', (_, userAgent) => {
    expect(judged({ 'User-Agent': userAgent })).toEqual(['unlikely']);
  });

  it('ignores library names inside the name of an app', () => {
    const ofApp = (product: string): string[] =>
      judged({ 'User-Agent': `${product}/8.1 (iPhone; iOS 17.0; Scale/3.00)` });
    expect(ofApp('TrustWallet')).toEqual(['unclear', 'not_a_browser']);
    expect(ofApp('Superlist')).toEqual(['unclear', 'not_a_browser']);
    expect(ofApp('Perl')).toEqual(['likely', 'http_library', 'not_a_browser']);
  });

  it('stays unclear if the log has no user agents', () => {
    expect(judged({ host: 'example.com' })).toEqual(['unclear', 'no_user_agent']);
    expect(judged({ host: 'example.com' }, { isInDataCenter: true })).toEqual([
      'unclear',
      'no_user_agent',
      'data_center',
    ]);
  });

  it('does not suspect a redacted user agent', () => {
    expect(judged({ 'User-Agent': '[redacted]', 'Accept-Language': 'de', Accept: '*/*' })).toEqual(['unlikely']);
  });

  it('judges the browser version by the time of the visit', () => {
    expect(judged({ 'User-Agent': CHROME_OF_2016 }, { at: Date.parse('2017-01-01') })).toEqual(['unlikely']);
    expect(judged({ 'User-Agent': CHROME_OF_2016 })).toEqual(['unclear', 'old_browser']);
  });

  it('counts the age of a browser as one sign', () => {
    const at = Date.parse('2040-01-01');
    const headers = { 'User-Agent': CHROME_OF_2022, Accept: '*/*', 'Accept-Language': 'de' };
    expect(judged(headers, { at })).toEqual(['unclear', 'obsolete_browser', 'old_browser']);
    expect(judged({ ...headers, 'Accept-Language': null }, { at })).toEqual([
      'likely',
      'obsolete_browser',
      'old_browser',
      'no_accept_language',
    ]);
  });

  it('finds program names in desktop browsers, but does not flag apps by name', () => {
    const phone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
    expect(judged({ 'User-Agent': `${CHROME} HomeInspector/2.0` })).toEqual(['likely', 'bot_name']);
    expect(judged({ 'User-Agent': `${phone} HomeTaskAgent/2.0` })).toEqual(['unlikely']);
    expect(judged({ 'User-Agent': CHROME.replace('Gecko)', 'Gecko; Acme)') })).toEqual(['likely', 'compatible_name']);
    for (const link of ['(https://acme.example)', '(via http://acme.example/)', 'www.acme.example'])
      expect(judged({ 'User-Agent': `${CHROME} Acme/1.0 ${link}` })).toEqual(['likely', 'compatible_name', 'contact']);
    expect(judged({ 'User-Agent': 'News.com/8.1 (iPhone; iOS 17.0; Scale/3.00)' })).toEqual([
      'unclear',
      'not_a_browser',
    ]);
    expect(judged({ 'User-Agent': 'News/8.1 (iPhone; iOS 17.0) https://news.example' })).toEqual([
      'likely',
      'not_a_browser',
      'contact',
    ]);
  });

  it('counts a link as a single sign, and not as an isbot match too', () => {
    expect(judged({ 'User-Agent': `${CHROME} (http://www.acme.com/)` })).toEqual(['unclear', 'contact']);
  });

  it('returns a user agent group for suspected automation only', () => {
    const groupOf = (headers: Record<string, string>) => judge.judge({ headers, path: '/', at: NOW }).user_agent_group;
    expect(groupOf({ 'User-Agent': 'acme-sync/1.2.3' })).toBe('acme-sync/*');
    expect(groupOf({ 'User-Agent': 'X (Windows NT)', Accept: '*/*' })).toBe('X (Windows NT)');
    expect(groupOf({ Accept: '*/*' })).toBe('(no user agent)');
    expect(groupOf({ 'User-Agent': CHROME, ...ofBrowser })).toBeUndefined();
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
  ])('names the signer of %s', (signatureAgent, name) => {
    const headers = { 'User-Agent': CHROME, ...ofBrowser, 'Signature-Agent': signatureAgent };
    expect(judge.judge({ headers, path: '/', at: NOW })).toEqual({
      verdict: 'likely',
      signs: ['signed'],
      user_agent_group: `signed by ${name}`,
    });
  });

  it('flags unnamed web-bot-auth signers, but not visitors behind a signing proxy', () => {
    const signed = (tag: string) => ({
      'User-Agent': CHROME,
      ...ofBrowser,
      'Signature-Input': `sig1=("@authority");created=1;keyid="a";tag="${tag}"`,
    });
    expect(judged(signed('web-bot-auth'))).toEqual(['likely', 'signed']);
    expect(judged(signed('origin'))).toEqual(['unlikely']);
    expect(judged({ 'User-Agent': CHROME, ...ofBrowser, 'Signature-Agent': null })).toEqual(['unlikely']);
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
      'only in full versions',
      windows,
      { 'sec-ch-ua-full-version-list': '"HeadlessChrome";v="142.0.7444.60"' },
      ['likely', 'headless'],
    ],
    ['another version', windows, { 'sec-ch-ua': brands.replaceAll('142', '131') }, ['likely', 'client_hints']],
    [
      'another full version',
      windows,
      { 'sec-ch-ua-full-version-list': '"Chromium";v="131.0.6778.85"' },
      ['likely', 'client_hints'],
    ],
    [
      'two versions',
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
      'a phone with the desktop site',
      linux,
      { 'sec-ch-ua': brands, 'sec-ch-ua-mobile': '?0', 'sec-ch-ua-platform': '"Android"' },
      ['unlikely'],
    ],
    ['the same with Windows', windows, { 'sec-ch-ua-platform': '"Android"' }, ['unclear', 'client_hints_doubt']],
    ['a desktop that says mobile', windows, { 'sec-ch-ua-mobile': '?1' }, ['unclear', 'client_hints_doubt']],
    [
      'behind a proxy',
      windows,
      { 'sec-ch-ua': brands.replaceAll('142', '131'), via: '1.1 proxy.example' },
      ['unclear', 'client_hints_doubt'],
    ],
    [
      'Windows',
      windows,
      { 'sec-ch-ua': brands, 'sec-ch-ua-mobile': '?0', 'sec-ch-ua-platform': '"Windows"' },
      ['unlikely'],
    ],
    ['a Chromebook', chromeOs, { 'sec-ch-ua': brands, 'sec-ch-ua-platform': '"Chrome OS"' }, ['unlikely']],
    [
      'a phone',
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
    expect(judged({ 'user-agent': userAgent, accept: '*/*', 'accept-language': 'de', ...hints })).toEqual(expected);
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
    expect(judged({ 'User-Agent': CHROME, ...ofBrowser, Accept: accept, ...headers })).toEqual(signs);
  });

  it.each([
    ['crawler@example.com', ['likely', 'from_header']],
    ['bot(at)example.com', ['likely', 'from_header']],
    ['Crawl Team <crawl@example.com>', ['likely', 'from_header']],
    ['h5', ['unlikely']],
  ])('judges From: %s', (from, expected) => {
    expect(judged({ 'User-Agent': CHROME, ...ofBrowser, From: from })).toEqual(expected);
  });
});

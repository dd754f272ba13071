import { ReferralMatcher } from './referral-matcher.js';

const createAssistant = (name: string, members: object) => ({
  name,
  operator: `${name} Inc.`,
  hosts: [],
  query_values: [],
  android_apps: [],
  ...members,
});
const matcher = new ReferralMatcher([
  createAssistant('Chat', {
    hosts: ['chat.example', 'duck.example'],
    query_values: ['chat'],
    android_apps: ['example.app'],
  }),
  createAssistant('Sidebar', { hosts: ['side.chat.example'] }),
]);

function describeReferral(path: string, referer?: string, hostNames: string[] = ['shop.example'], headers = {}) {
  const request = { path, headers: { ...headers, ...(referer !== undefined && { Referer: referer }) } };
  const referral = matcher.find(request, hostNames);
  return referral === null ? null : `${referral.assistant} by ${referral.source}: ${referral.value}`;
}

it.each([
  ['https://chat.example/', 'Chat by referer: chat.example'],
  ['https://CHAT.example', 'Chat by referer: chat.example'],
  ['http://www.chat.example:8443/c/1?q=2', 'Chat by referer: chat.example'],
  ['https://side.chat.example/', 'Sidebar by referer: side.chat.example'],
  ['https://a.side.chat.example./', 'Sidebar by referer: side.chat.example'],
  ['android-app://example.app/', 'Chat by referer: example.app'],
  ['android-app://example.app', 'Chat by referer: example.app'],
  ['https://example.app/', null],
  ['android-app://chat.example/', null],
  ['android-app://example.app.other/', null],
  ['https://notchat.example/', null],
  ['https://chat.example.evil.test/', null],
  ['https://evil.test/https://chat.example/', null],
  ['https://evil.test/?from=chat.example', null],
  ['https://chat.example@evil.test/', null],
  ['https://duckduck.example/', null],
  ['chat.example', null],
  ['', null],
])('ReferralMatcher maps Referer %s to %p', (referer, expected) => {
  expect(describeReferral('/', referer)).toBe(expected);
});

it.each([
  ['/?utm_source=chat', 'Chat by utm_source: chat'],
  ['/?a=1&UTM_Source=Chat.Example&b', 'Chat by utm_source: chat.example'],
  ['/?utm_source=www.chat.example', 'Chat by utm_source: chat.example'],
  ['/?utm_source=%63hat', 'Chat by utm_source: chat'],
  ['/?utm_source=%zz', null],
  ['/?source=chat', 'Chat by source: chat'],
  ['/?ref=chat', 'Chat by ref: chat'],
  ['/?ref=chat&source=side.chat.example', 'Sidebar by source: side.chat.example'],
  ['/?ref=chat&utm_source=newsletter', 'Chat by ref: chat'],
  ['/?utm_source=newsletter', null],
  ['/?utm_source=newsletter&utm_source=chat', null],
  ['/?resource=chat&xref=chat&utm_sources=chat', null],
  ['/?utm_source=', null],
  ['/utm_source=chat', null],
  ['/chat?source', null],
])('ReferralMatcher maps path %s to %p', (path, expected) => {
  expect(describeReferral(path)).toBe(expected);
});

it('ReferralMatcher prefers the query to the Referer header', () => {
  expect(describeReferral('/?utm_source=chat', 'https://side.chat.example/')).toBe('Chat by utm_source: chat');
  expect(describeReferral('/?utm_source=newsletter', 'https://side.chat.example/')).toBe(
    'Sidebar by referer: side.chat.example',
  );
  expect(matcher.find({ path: '/', headers: { rEFERER: ['https://chat.example/'] } }, [])?.assistant).toBe('Chat');
  expect(matcher.find({ path: '/', headers: { referer: null } }, [])).toBeNull();
});

it('ReferralMatcher ignores links within the site, even if the parameter is still in the URL', () => {
  expect(describeReferral('/?utm_source=chat', 'https://shop.example/')).toBeNull();
  expect(describeReferral('/?utm_source=chat', 'https://www.shop.example:443/')).toBeNull();
  expect(
    describeReferral('/?utm_source=chat', 'https://other.example/', [], { Host: 'other.example:8080' }),
  ).toBeNull();
  expect(describeReferral('/', 'https://chat.example/', ['chat.example'])).toBeNull();
  expect(describeReferral('/?utm_source=chat', 'https://elsewhere.example/')).toBe('Chat by utm_source: chat');
});

it('ReferralMatcher prefers the first assistant that lists a host', () => {
  const matcherWithSharedHost = new ReferralMatcher([
    createAssistant('A', { hosts: ['x.example'] }),
    createAssistant('B', { hosts: ['x.example'] }),
  ]);
  expect(matcherWithSharedHost.find({ path: '/', headers: { referer: 'https://x.example' } }, [])?.assistant).toBe('A');
});

it('ReferralMatcher ignores values that are longer than a host name', () => {
  const subdomains = 'a.'.repeat(100_000);
  expect(describeReferral('/', 'https://a.a.a.chat.example/')).toBe('Chat by referer: chat.example');
  expect(describeReferral(`/?ref=${subdomains}chat.example`, `https://${subdomains}chat.example/`)).toBeNull();
});

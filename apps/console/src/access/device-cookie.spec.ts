import { DeviceCookie } from './device-cookie.js';
import { SessionCookie } from './session-cookie.js';

const cookie = new DeviceCookie('secret', 'http://127.0.0.1:3000');
const issue = (email: string): string => cookie.issue(email, undefined);
const toCookieHeader = (setCookie: string): string => setCookie.slice(0, setCookie.indexOf(';'));

it('recognizes a device and its account', () => {
  const [header, other] = [toCookieHeader(issue('Ada@example.com')), toCookieHeader(issue('ada@example.com'))];
  const device = cookie.readDevice(`a=b; ${header}`)!;
  expect(cookie.findDevice(' ada@EXAMPLE.com', header)).toEqual(device);
  expect(cookie.findDevice('eve@example.com', header)).toBeNull();
  expect(cookie.readDevice(other)!.id).not.toBe(device.id);
  expect(header).not.toMatch(/ada|example/i);
  // The ID doesn't change on another sign-in, so earlier attempts still count.
  expect(cookie.readDevice(toCookieHeader(cookie.issue('ada@example.com', header)))!.id).toBe(device.id);
  expect(cookie.readDevice(toCookieHeader(cookie.issue('eve@example.com', header)))!.id).not.toBe(device.id);
});

it('recognizes a shared device for up to ten accounts', () => {
  const people = Array.from({ length: 10 }, (_, number) => `person${number}@example.com`);
  const signedIn = (header: string | undefined, email: string): string => toCookieHeader(cookie.issue(email, header));
  let shared = people.reduce<string | undefined>(signedIn, undefined)!;
  const devices = people.map((email) => cookie.findDevice(email, shared));
  expect(new Set(devices.map((device) => device?.id)).size).toBe(10);
  expect(cookie.readDevice(shared)).toEqual(devices[9]);
  // The most recent account moves to the front, and the least recent one is dropped.
  shared = signedIn(signedIn(shared, people[0]!), 'ada@example.com');
  expect(cookie.findDevice(people[0]!, shared)).toEqual(devices[0]);
  expect(cookie.findDevice(people[1]!, shared)).toBeNull();
});

it('recognizes an account by its new email address instead of the old one', () => {
  const before = toCookieHeader(issue('ada@example.com'));
  const after = toCookieHeader(cookie.issue('ada@new.example', before, 'ada@example.com'));
  expect(cookie.findDevice('ada@new.example', after)!.id).toBe(cookie.readDevice(before)!.id);
  expect(cookie.findDevice('ada@example.com', after)).toBeNull();
});

it('issues a cookie that expires after a year, is HttpOnly, and has the __Host- prefix on HTTPS sites', () => {
  expect(issue('ada@example.com')).toMatch(
    /^agent_traffic_device=\S+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
  );
  const secure = new DeviceCookie('secret', 'https://visits.example').issue('ada@example.com', undefined);
  expect(secure).toMatch(/^__Host-agent_traffic_device=\S+; Path=\/; .*; Secure$/);
});

it.each([
  ['missing', undefined],
  [
    'signed with another secret',
    toCookieHeader(new DeviceCookie('another', 'http://127.0.0.1:3000').issue('ada@example.com', undefined)),
  ],
  ['moved to another account', toCookieHeader(issue('ada@example.com')).replace(/\.[\w-]{43}/, `.${'A'.repeat(43)}`)],
  ['sent under another name', toCookieHeader(issue('ada@example.com')).replace('device', 'session')],
  ['truncated', toCookieHeader(issue('ada@example.com')).slice(0, 60)],
])('rejects a cookie that is %s', (_, header) => {
  expect(cookie.readDevice(header)).toBeNull();
});

it("issues device cookies that can't be used as session cookies, even with the same secret", () => {
  const session = new SessionCookie('secret', 'http://127.0.0.1:3000');
  expect(session.readToken(toCookieHeader(issue('ada@example.com')))).toBeNull();
});

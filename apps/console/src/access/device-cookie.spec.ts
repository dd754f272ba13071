import { DeviceCookie } from './device-cookie.js';
import { SessionCookie } from './session-cookie.js';

const cookie = new DeviceCookie('secret', 'http://127.0.0.1:3000');
const issue = (email: string): string => cookie.issue(email, undefined);
const sent = (setCookie: string): string => setCookie.slice(0, setCookie.indexOf(';'));

it('recognizes a device and the account it belongs to', () => {
  const [header, other] = [sent(issue('Ada@example.com')), sent(issue('ada@example.com'))];
  const device = cookie.deviceIn(`a=b; ${header}`)!;
  expect(cookie.deviceOf(' ada@EXAMPLE.com', header)).toEqual(device);
  expect(cookie.deviceOf('eve@example.com', header)).toBeNull();
  expect(cookie.deviceIn(other)!.id).not.toBe(device.id);
  expect(header).not.toMatch(/ada|example/i);
  // Signing in again keeps the ID, so earlier attempts still count.
  expect(cookie.deviceIn(sent(cookie.issue('ada@example.com', header)))!.id).toBe(device.id);
  expect(cookie.deviceIn(sent(cookie.issue('eve@example.com', header)))!.id).not.toBe(device.id);
});

it('recognizes a shared device for up to ten accounts', () => {
  const people = Array.from({ length: 10 }, (_, number) => `person${number}@example.com`);
  const signedIn = (header: string | undefined, email: string): string => sent(cookie.issue(email, header));
  let shared = people.reduce<string | undefined>(signedIn, undefined)!;
  const devices = people.map((email) => cookie.deviceOf(email, shared));
  expect(new Set(devices.map((device) => device?.id)).size).toBe(10);
  expect(cookie.deviceIn(shared)).toEqual(devices[9]);
  // The account that signed in last moves to the front. The least recent one is dropped.
  shared = signedIn(signedIn(shared, people[0]!), 'ada@example.com');
  expect(cookie.deviceOf(people[0]!, shared)).toEqual(devices[0]);
  expect(cookie.deviceOf(people[1]!, shared)).toBeNull();
});

it('follows an account to a new email address and forgets the old one', () => {
  const before = sent(issue('ada@example.com'));
  const after = sent(cookie.issue('ada@new.example', before, 'ada@example.com'));
  expect(cookie.deviceOf('ada@new.example', after)!.id).toBe(cookie.deviceIn(before)!.id);
  expect(cookie.deviceOf('ada@example.com', after)).toBeNull();
});

it('expires after a year, is HttpOnly, and uses the __Host- prefix behind HTTPS', () => {
  expect(issue('ada@example.com')).toMatch(
    /^agent_traffic_device=\S+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
  );
  const secure = new DeviceCookie('secret', 'https://visits.example').issue('ada@example.com', undefined);
  expect(secure).toMatch(/^__Host-agent_traffic_device=\S+; Path=\/; .*; Secure$/);
});

it.each([
  ['none', undefined],
  ['of another secret', sent(new DeviceCookie('another', 'http://127.0.0.1:3000').issue('ada@example.com', undefined))],
  ['moved to another account', sent(issue('ada@example.com')).replace(/\.[\w-]{43}/, `.${'A'.repeat(43)}`)],
  ['of another name', sent(issue('ada@example.com')).replace('device', 'session')],
  ['cut short', sent(issue('ada@example.com')).slice(0, 60)],
])('rejects a cookie that is %s', (_, header) => {
  expect(cookie.deviceIn(header)).toBeNull();
});

it('issues cookies that are not valid as session cookies, even with the same secret', () => {
  const session = new SessionCookie('secret', 'http://127.0.0.1:3000');
  expect(session.tokenIn(sent(issue('ada@example.com')))).toBeNull();
});

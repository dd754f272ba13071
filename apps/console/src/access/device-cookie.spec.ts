import { DeviceCookie } from './device-cookie.js';
import { SessionCookie } from './session-cookie.js';

const cookie = new DeviceCookie('secret', 'http://127.0.0.1:3000');
const issue = (email: string): string => cookie.issue(email, undefined);
const sent = (setCookie: string): string => setCookie.slice(0, setCookie.indexOf(';'));

it('knows a device again, and for which account', () => {
  const [header, other] = [sent(issue('Ada@example.com')), sent(issue('ada@example.com'))];
  const device = cookie.deviceIn(`a=b; ${header}`)!;
  expect(cookie.isOf(device, ' ada@EXAMPLE.com')).toBe(true);
  expect(cookie.isOf(device, 'eve@example.com')).toBe(false);
  expect(cookie.deviceIn(other)!.id).not.toBe(device.id);
  expect(header).not.toMatch(/ada|example/i);
  // Signing in once more gives it no attempts that were not counted.
  expect(cookie.deviceIn(sent(cookie.issue('ada@example.com', header)))!.id).toBe(device.id);
  expect(cookie.deviceIn(sent(cookie.issue('eve@example.com', header)))!.id).not.toBe(device.id);
});

it('is for a year, out of reach of scripts, and behind https for this host alone', () => {
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
])('knows no device by a cookie that is %s', (_, header) => {
  expect(cookie.deviceIn(header)).toBeNull();
});

it('does not stand in for the cookie of a session, even under one secret', () => {
  const session = new SessionCookie('secret', 'http://127.0.0.1:3000');
  expect(session.tokenIn(sent(issue('ada@example.com')))).toBeNull();
});

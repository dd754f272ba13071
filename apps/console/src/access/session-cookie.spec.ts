import { createHmac } from 'node:crypto';
import { SessionCookie } from './session-cookie.js';

const cookie = new SessionCookie('secret', 'http://127.0.0.1:3000');
const signed = (token: string, secret = 'secret'): string =>
  encodeURIComponent(`${token}.${createHmac('sha256', secret).update(token).digest('base64')}`);

describe('SessionCookie', () => {
  it('finds the token among other cookies', () => {
    expect(cookie.readToken(`a=b; ${cookie.name}=${signed('token')}; c=d`)).toBe('token');
    expect(cookie.readToken(`${cookie.name}=${signed('to.ken')}`)).toBe('to.ken');
  });

  it('requires the __Host- prefix on HTTPS sites', () => {
    const secure = new SessionCookie('secret', 'https://visits.example');
    expect([secure.name, secure.isSecure]).toEqual(['__Host-agent_traffic_session', true]);
    expect(secure.readToken(`agent_traffic_session=${signed('token')}`)).toBeNull();
    expect(secure.readToken(`__Host-agent_traffic_session=${signed('token')}`)).toBe('token');
  });

  it.each([
    undefined,
    '',
    'a=b',
    `${cookie.name}=`,
    `${cookie.name}=token`,
    `${cookie.name}=token.`,
    `${cookie.name}=token.AAAA`,
    `${cookie.name}=%`,
    `x${cookie.name}=${signed('token')}`,
    `${cookie.name}=${signed('token', 'another')}`,
    `${cookie.name}=${signed('token').replace('token', 'other')}`,
  ])('returns null for the Cookie header %s', (header) => {
    expect(cookie.readToken(header)).toBeNull();
  });
});

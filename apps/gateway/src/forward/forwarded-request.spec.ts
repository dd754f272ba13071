import { forwardedRequest } from './forwarded-request.js';

it('reads the headers set by nginx and drops the ones that belong to its subrequest', () => {
  const { item, paths } = forwardedRequest({
    host: '127.0.0.1:3000',
    authorization: 'Bearer agt_secret',
    'user-agent': 'GPTBot/1.2',
    'x-original-uri': '/a?b=c',
    'x-original-method': 'POST',
    'x-forwarded-host': 'shop.example',
    'x-forwarded-for': '203.0.113.7',
  });
  expect(paths).toEqual(['/a?b=c']);
  expect(item).toEqual({
    method: 'POST',
    path: '/a?b=c',
    headers: {
      host: 'shop.example',
      'user-agent': 'GPTBot/1.2',
      'x-forwarded-host': 'shop.example',
      'x-forwarded-for': '203.0.113.7',
    },
  });
});

it('reads the headers set by Caddy and Traefik, and falls back to the Host header', () => {
  const { item } = forwardedRequest({ host: 'shop.example', 'x-forwarded-uri': '/', 'x-forwarded-method': 'HEAD' });
  expect(item).toEqual({ method: 'HEAD', path: '/', headers: { host: 'shop.example' } });
});

it('returns both paths and methods if headers contradict each other, but uses neither for identification', () => {
  const { item, paths, methods } = forwardedRequest({
    'x-forwarded-uri': '/private/',
    'x-forwarded-method': 'GET',
    'x-original-uri': '/robots.txt',
    'x-original-method': 'PUT',
  });
  expect(paths.toSorted()).toEqual(['/private/', '/robots.txt']);
  expect(methods.toSorted()).toEqual(['GET', 'PUT']);
  expect(item).toMatchObject({ path: null, method: null });
});

it('trusts path headers that agree', () => {
  const same = {
    'x-forwarded-uri': '/a',
    'x-original-uri': '/a',
    'x-forwarded-method': 'GET',
    'x-original-method': 'GET',
  };
  expect(forwardedRequest(same)).toMatchObject({ item: { path: '/a', method: 'GET' }, paths: ['/a'] });
});

it.each([
  [Buffer.from('/käse').toString('latin1'), '/käse'],
  ['http://shop.example/a?b', '/a?b'],
  ['http://shop.example', '/'],
  ['*', '/*'],
  ['a:b', '/a:b'],
  ['//shop.example/a', '//shop.example/a'],
  ['\u00ff\u00fe', '/\ufffd\ufffd'],
])('reads %j as the path %j', (uri, path) => {
  expect(forwardedRequest({ 'x-original-uri': uri }).paths).toEqual([path]);
});

it.each([{}, { 'x-original-uri': '', 'x-forwarded-method': 'GET' }])(
  'rejects %j because the path is missing',
  (headers) => {
    expect(() => forwardedRequest(headers)).toThrow('The request has no path.');
  },
);

import { validator, VisitSchema } from '#libs/contracts';
import { toVisit } from './log-visit.js';

const LINE = { client: '192.0.2.7', time: '2015-05-17T10:05:03+02:00', method: 'GET', path: '/a' };

it('maps line fields to the visit schema', () => {
  const visit = toVisit({
    ...LINE,
    host: 'a.example',
    status: 404,
    size: 12,
    referer: 'https://b.example/',
    userAgent: 'Bot/1',
  });
  expect(visit).toEqual({
    request_path: '/a',
    request_method: 'GET',
    request_headers: {
      host: 'a.example',
      'user-agent': 'Bot/1',
      referer: 'https://b.example/',
    },
    client_address: '192.0.2.7',
    response_status_code: 404,
    response_size_in_bytes: 12,
    created: '2015-05-17T10:05:03+02:00',
  });
  expect(validator(VisitSchema).faults(visit)).toEqual([]);
});

it('separates the client from the forwarded address and omits missing fields', () => {
  expect(toVisit({ ...LINE, forwardedFor: '203.0.113.9' })).toMatchObject({
    request_headers: { 'x-forwarded-for': '203.0.113.9' },
    client_address: '192.0.2.7',
  });
  const named = toVisit({ ...LINE, client: 'crawl.example.net' });
  expect(named.request_headers).toEqual({});
  expect(named).not.toHaveProperty('client_address');
  expect(named['client_host_name']).toBe('crawl.example.net');
});

it('serializes visits byte for byte like earlier versions, so repeated lines are recognized', () => {
  const all = {
    host: 'a.example',
    referer: '/b',
    userAgent: 'Bot/1',
    forwardedFor: '203.0.113.9',
    status: 404,
    size: 12,
  };
  expect(JSON.stringify(toVisit({ ...LINE, ...all }))).toBe(
    '{"request_path":"/a","request_method":"GET","request_headers":{"host":"a.example","user-agent":"Bot/1",' +
      '"referer":"/b","x-forwarded-for":"203.0.113.9"},"client_address":"192.0.2.7","response_status_code":404,' +
      '"response_size_in_bytes":12,"created":"2015-05-17T10:05:03+02:00"}',
  );
  expect(JSON.stringify(toVisit({ ...LINE, client: 'crawl.example.net', size: 1 }))).toBe(
    '{"request_path":"/a","request_method":"GET","request_headers":{},"response_size_in_bytes":1,' +
      '"client_host_name":"crawl.example.net","created":"2015-05-17T10:05:03+02:00"}',
  );
});

import { validator, VisitSchema } from '#libs/contracts';
import { toVisit } from './log-visit.js';

const LINE = { client: '192.0.2.7', time: '2015-05-17T10:05:03+02:00', method: 'GET', path: '/a' };

it('puts everything the line knows where the interface has it', () => {
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
      'x-forwarded-for': '192.0.2.7',
    },
    response_status_code: 404,
    response_size_in_bytes: 12,
    created: '2015-05-17T10:05:03+02:00',
  });
  expect(validator(VisitSchema).faults(visit)).toEqual([]);
});

it('appends the client to what a proxy forwarded, and leaves out what is unknown', () => {
  expect(toVisit({ ...LINE, forwardedFor: '203.0.113.9' }).request_headers).toEqual({
    'x-forwarded-for': '203.0.113.9, 192.0.2.7',
  });
  const named = toVisit({ ...LINE, client: 'crawl.example.net' });
  expect(named.request_headers).toEqual({});
  expect(named['client_host_name']).toBe('crawl.example.net');
});

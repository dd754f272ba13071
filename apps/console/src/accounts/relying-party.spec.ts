import type { FastifyRequest } from 'fastify';
import { toRelyingParty } from './relying-party.js';

const getRelyingParty = (host: string | undefined, publicUrl: string) =>
  toRelyingParty({ headers: { host } } as FastifyRequest, publicUrl);

it.each([
  ['https://visits.example', 'visits.example', { id: 'visits.example', origin: 'https://visits.example' }],
  ['https://visits.example:8443', 'evil.example', { id: 'visits.example', origin: 'https://visits.example:8443' }],
  // If the public URL uses https, the `Host` header doesn't affect the relying party.
  ['https://visits.example', 'localhost:3000', { id: 'visits.example', origin: 'https://visits.example' }],
  ['https://192.0.2.1', '192.0.2.1', null],
  ['https://[2001:db8::1]', '[2001:db8::1]', null],
  ['http://127.0.0.1:3000', 'localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://localhost:3000', 'localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://127.0.0.1:3000', '127.0.0.1:3000', null],
  ['http://visits.example', 'visits.example', null],
  ['http://127.0.0.1:3000', 'localhost.evil.example', null],
  ['http://127.0.0.1:3000', 'not a host', null],
  ['http://127.0.0.1:3000', undefined, null],
])('maps the public URL %s and the host %p to the relying party %p', (publicUrl, host, expected) => {
  expect(getRelyingParty(host, publicUrl)).toEqual(expected);
});

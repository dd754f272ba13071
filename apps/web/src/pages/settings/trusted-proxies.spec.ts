import { proxyFields, trustedProxies } from './trusted-proxies.js';

it.each([
  [{}, 'default'],
  [{ mode: 'none' as const }, 'none'],
  [{ hops: 2 }, 'hops'],
  [{ ranges: ['203.0.113.0/24'] }, 'default'],
  [{ networks: [] }, 'networks'],
  [{ networks: ['Cloudflare', 'Fly.io'], ranges: ['203.0.113.0/24'] }, 'networks'],
  [{ networks: ['Cloudflare'], header: 'cf-connecting-ip' }, 'header'],
  [{ header: 'cf-connecting-ip' }, 'header'],
  [{ header: 'x-forwarded-for', hops: 2, ranges: ['203.0.113.0/24'] }, 'header'],
])('restores %j unchanged from the form', (setting, kind) => {
  const fields = proxyFields(setting);
  expect(fields.kind).toBe(kind);
  expect(trustedProxies(fields, setting)).toEqual(setting);
});

it('drops values that do not apply to the selected kind', () => {
  const fields = proxyFields({ hops: 2, ranges: ['203.0.113.0/24'] });
  expect(trustedProxies({ ...fields, kind: 'none' }, {})).toEqual({ mode: 'none' });
  expect(trustedProxies({ ...fields, kind: 'default' }, {})).toEqual({ ranges: ['203.0.113.0/24'] });
  expect(trustedProxies({ ...fields, kind: 'networks', networks: ['Fastly'] }, {})).toEqual({
    networks: ['Fastly'],
    ranges: ['203.0.113.0/24'],
  });
  expect(trustedProxies({ ...fields, networks: ['Fastly'], kind: 'default' }, { networks: ['Fastly'] })).toEqual({
    ranges: ['203.0.113.0/24'],
  });
  expect(trustedProxies({ ...fields, kind: 'header', header: ' CF-Connecting-IP ' }, {})).toEqual({
    header: 'cf-connecting-ip',
    ranges: ['203.0.113.0/24'],
  });
});

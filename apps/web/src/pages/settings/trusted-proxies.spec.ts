import { toProxyFields, toTrustedProxies } from './trusted-proxies.js';

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
])('preserves %j in a round trip through the form', (setting, kind) => {
  const fields = toProxyFields(setting);
  expect(fields.kind).toBe(kind);
  expect(toTrustedProxies(fields, setting)).toEqual(setting);
});

it("drops proxy settings that don't apply to the selected kind", () => {
  const fields = toProxyFields({ hops: 2, ranges: ['203.0.113.0/24'] });
  expect(toTrustedProxies({ ...fields, kind: 'none' }, {})).toEqual({ mode: 'none' });
  expect(toTrustedProxies({ ...fields, kind: 'default' }, {})).toEqual({ ranges: ['203.0.113.0/24'] });
  expect(toTrustedProxies({ ...fields, kind: 'networks', networks: ['Fastly'] }, {})).toEqual({
    networks: ['Fastly'],
    ranges: ['203.0.113.0/24'],
  });
  expect(toTrustedProxies({ ...fields, networks: ['Fastly'], kind: 'default' }, { networks: ['Fastly'] })).toEqual({
    ranges: ['203.0.113.0/24'],
  });
  expect(toTrustedProxies({ ...fields, kind: 'header', header: ' CF-Connecting-IP ' }, {})).toEqual({
    header: 'cf-connecting-ip',
    ranges: ['203.0.113.0/24'],
  });
});

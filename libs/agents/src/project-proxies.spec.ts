import { validateProjectProxies } from './project-proxies.js';

describe('validateProjectProxies', () => {
  it.each([
    {},
    { mode: 'none' },
    { mode: 'default', hops: 10, ranges: ['192.0.2.0/24', '2001:db8::/32', '192.0.2.1'], header: 'CF-Connecting-IP' },
    { hops: undefined },
  ])('accepts the proxy settings %j', (value) => {
    expect(validateProjectProxies(value)).toEqual([]);
  });

  it.each([null, [], 'none', 3])('rejects the proxy settings %j', (value) => {
    expect(validateProjectProxies(value).map((fault) => fault.pointer)).toEqual(['']);
  });

  it('returns a pointer to every fault in the proxy settings', () => {
    const ranges = ['10.0.0.0/33', '10.0.0.0/8', '0.0.0.0/0', '::/0', 7];
    const value = { mode: 'all', hops: 1.5, ranges, header: 'x real ip', 'a/b~': 1 };
    const pointers = validateProjectProxies(value).map((fault) => fault.pointer);
    expect(pointers).toEqual([
      '/mode',
      '/hops',
      '/ranges/0',
      '/ranges/2',
      '/ranges/3',
      '/ranges/4',
      '/header',
      '/a~1b~0',
    ]);
    expect([0, 11, '1', null].flatMap((hops) => validateProjectProxies({ hops }))).toHaveLength(4);
    expect(validateProjectProxies({ ranges: 'x', header: null }).map((fault) => fault.pointer)).toEqual([
      '/ranges',
      '/header',
    ]);
  });
});

import { projectProxiesFaults } from './project-proxies.js';

describe('projectProxiesFaults', () => {
  it.each([
    {},
    { mode: 'none' },
    { mode: 'default', hops: 10, ranges: ['192.0.2.0/24', '2001:db8::/32', '192.0.2.1'], header: 'CF-Connecting-IP' },
    { hops: undefined },
  ])('accepts %j', (value) => {
    expect(projectProxiesFaults(value)).toEqual([]);
  });

  it.each([null, [], 'none', 3])('rejects %j', (value) => {
    expect(projectProxiesFaults(value).map((fault) => fault.pointer)).toEqual(['']);
  });

  it('points to every fault', () => {
    const ranges = ['10.0.0.0/33', '10.0.0.0/8', '0.0.0.0/0', '::/0', 7];
    const value = { mode: 'all', hops: 1.5, ranges, header: 'x real ip', 'a/b~': 1 };
    const pointers = projectProxiesFaults(value).map((fault) => fault.pointer);
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
    expect([0, 11, '1', null].flatMap((hops) => projectProxiesFaults({ hops }))).toHaveLength(4);
    expect(projectProxiesFaults({ ranges: 'x', header: null }).map((fault) => fault.pointer)).toEqual([
      '/ranges',
      '/header',
    ]);
  });
});

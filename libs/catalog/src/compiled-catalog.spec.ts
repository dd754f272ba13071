import { parseAddress } from '#libs/agents';
import { bundledCatalog } from './bundled-catalog.js';
import { compileCatalog } from './compiled-catalog.js';

const catalog = bundledCatalog();

it('compiles agents once while only addresses are others', () => {
  const url = 'https://example.com/ranges.json';
  const before = compileCatalog(structuredClone(catalog));
  const after = compileCatalog({
    ...structuredClone(catalog),
    version: 'next',
    dataCenterRanges: ['192.0.2.0/24'],
    lists: [{ url, ranges: ['198.51.100.0/24'], fetchedAt: 0 }],
  });
  expect(after.matcher).toBe(before.matcher);
  expect([before.dataCenters, after.dataCenters?.contains(parseAddress('192.0.2.1')!)]).toEqual([null, true]);
  expect([before.version, after.version]).toEqual([catalog.version, 'next']);
});

it('compiles agents anew when one is another', () => {
  const before = compileCatalog(catalog);
  const [first, ...others] = catalog.agents;
  const after = compileCatalog({ ...catalog, agents: [{ ...first!, operator: 'Another' }, ...others] });
  expect(after.matcher).not.toBe(before.matcher);
  expect(after.byId.get(first!.id)?.operator).toBe('Another');
});

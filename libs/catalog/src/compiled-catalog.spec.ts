import { parseAddress } from '#libs/agents';
import { getBundledCatalog } from './bundled-catalog.js';
import { compileCatalog } from './compiled-catalog.js';

const catalog = getBundledCatalog();

it('reuses the compiled agents when only IP ranges change', () => {
  const url = 'https://example.com/ranges.json';
  const before = compileCatalog(structuredClone(catalog));
  const after = compileCatalog({
    ...structuredClone(catalog),
    version: 'next',
    dataCenterRanges: ['192.0.2.0/24'],
    lists: [{ url, ranges: ['198.51.100.0/24'], fetchedAt: 0, changedAt: 0 }],
  });
  expect(after.matcher).toBe(before.matcher);
  expect([before.dataCenters, after.dataCenters?.contains(parseAddress('192.0.2.1')!)]).toEqual([null, true]);
  expect([before.version, after.version]).toEqual([catalog.version, 'next']);
});

it('recompiles the agents when one changes', () => {
  const before = compileCatalog(catalog);
  const [first, ...others] = catalog.agents;
  const after = compileCatalog({ ...catalog, agents: [{ ...first!, operator: 'Another' }, ...others] });
  expect(after.matcher).not.toBe(before.matcher);
  expect(after.byId.get(first!.id)?.operator).toBe('Another');
});

describe('compileCatalog', () => {
  const GOOGLEBOT_LIST = 'https://developers.google.com/static/search/apis/ipranges/googlebot.json';
  const findOrigin = (address: string, lists: typeof catalog.lists = []) =>
    compileCatalog({ ...catalog, lists }).findAddressOrigin(parseAddress(address)!);

  it('finds the origin of an address in bundled ranges and newer lists', () => {
    expect(findOrigin('66.249.66.1')).toMatchObject({
      agent_token: 'Googlebot',
      operator_name: 'Google',
      list_url: null,
    });
    const time = Date.parse('2026-11-27T00:00:00Z');
    const list = { url: GOOGLEBOT_LIST, ranges: ['203.0.113.0/28'], fetchedAt: time, changedAt: time };
    expect(findOrigin('203.0.113.9', [list])).toEqual({
      agent_token: 'Googlebot',
      operator_name: 'Google',
      range: '203.0.113.0/28',
      list_url: GOOGLEBOT_LIST,
      as_of: '2026-11-27T00:00:00.000Z',
    });
    expect(findOrigin('203.0.113.9')).toBeNull();
  });

  it('finds no origin in proxy networks, which people also use', () => {
    expect(findOrigin('104.28.1.1')).toBeNull();
  });
});

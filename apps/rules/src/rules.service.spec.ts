import { createCatalog, compileCatalog, CurrentCatalog } from '#libs/catalog';
import { RulesService } from './rules.service.js';

class Catalog extends CurrentCatalog {
  use(...tokens: string[]): void {
    const agents = tokens.map((token) => ({
      token,
      type: 'Scraper',
      operator: null,
      robots_token: token,
      url: null,
      user_agent_patterns: [token],
      verification: {},
    }));
    this.swap(compileCatalog(createCatalog({ agents, proxies: [] })), 1);
  }
}

it('caches rendered rules until the catalog changes', async () => {
  const catalog = new Catalog();
  const rules = new RulesService(catalog);
  catalog.use('AlphaBot');
  const first = await rules.robotsTxt({ agent_types: ['Scraper'] });
  expect(first.content.toString()).toBe('User-agent: AlphaBot\nDisallow: /\n');
  expect(first.catalogVersion).toBe(catalog.current.version);
  expect(await rules.robotsTxt({ agent_types: ['Scraper'] })).toBe(first);
  expect(await rules.robotsTxt({ agent_types: ['Scraper'], disallow: '/a' })).not.toBe(first);

  catalog.use('AlphaBot', 'BetaBot');
  const second = await rules.robotsTxt({ agent_types: ['Scraper'] });
  expect(second.content.toString()).toContain('BetaBot');
  expect(second.catalogVersion).toBe(catalog.current.version);
  expect(second.catalogVersion).not.toBe(first.catalogVersion);
});

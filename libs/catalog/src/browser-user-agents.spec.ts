import { getBundledCatalog } from './bundled-catalog.js';
import { compileCatalog } from './compiled-catalog.js';
import { getBrowserUserAgents } from './browser-user-agents.js';

const { matcher } = compileCatalog(getBundledCatalog());

describe('User-Agents of ordinary browsers', () => {
  it("don't match any agent", () => {
    const all = getBrowserUserAgents();
    expect(all.length).toBeGreaterThanOrEqual(500);
    expect(all.filter((userAgent) => matcher.match(userAgent) !== null)).toEqual([]);
  });

  it('match an agent whose name is appended', () => {
    const unnamed = getBrowserUserAgents().filter(
      (userAgent) => matcher.match(`${userAgent} (compatible; GPTBot/1.2)`)?.agent.token !== 'GPTBot',
    );
    expect(unnamed).toEqual([]);
  });
});

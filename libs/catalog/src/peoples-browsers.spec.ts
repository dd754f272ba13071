import { bundledCatalog } from './bundled-catalog.js';
import { compileCatalog } from './compiled-catalog.js';
import { peoplesBrowsers } from './peoples-browsers.js';

const { matcher } = compileCatalog(bundledCatalog());

describe("people's browsers", () => {
  it('are not agents', () => {
    const all = peoplesBrowsers();
    expect(all.length).toBeGreaterThanOrEqual(500);
    expect(all.filter((userAgent) => matcher.match(userAgent) !== null)).toEqual([]);
  });

  it('match an agent that their User-Agent names', () => {
    const unnamed = peoplesBrowsers().filter(
      (userAgent) => matcher.match(`${userAgent} (compatible; GPTBot/1.2)`)?.agent.token !== 'GPTBot',
    );
    expect(unnamed).toEqual([]);
  });
});

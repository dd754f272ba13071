import { browsers } from '../../../test/kit/browsers.js';
import { bundledCatalogue } from './bundled-catalogue.js';
import { compileCatalogue } from './compiled-catalogue.js';

const { matcher } = compileCatalogue(bundledCatalogue());

describe("people's browsers", () => {
  it('are no agents', () => {
    const all = browsers();
    expect(all.length).toBeGreaterThanOrEqual(500);
    expect(all.filter((userAgent) => matcher.match(userAgent) !== null)).toEqual([]);
  });

  it('are agents with one named in them', () => {
    const unnamed = browsers().filter(
      (userAgent) => matcher.match(`${userAgent} (compatible; GPTBot/1.2)`)?.agent.token !== 'GPTBot',
    );
    expect(unnamed).toEqual([]);
  });
});

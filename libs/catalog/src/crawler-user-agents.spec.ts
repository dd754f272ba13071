import crawlers from 'crawler-user-agents';
import { bundledCatalog } from './bundled-catalog.js';
import { compileCatalog } from './compiled-catalog.js';

const { matcher } = compileCatalog(bundledCatalog());

/**
 * User-Agents from the `crawler-user-agents` package. Four of the 2,118 in version 1.60.0 are deliberately unidentified:
 * an invented one for `Google-Extended`, which is never sent, and three browsers (in Instagram, in Facebook, and Fluid).
 */
const instances = [...new Set(crawlers.flatMap((crawler) => crawler.instances))];

describe('crawler-user-agents', () => {
  it('contains at most 0.2 % unidentified User-Agents', () => {
    const unnamed = instances.filter((userAgent) => matcher.match(userAgent) === null);
    expect(instances.length).toBeGreaterThanOrEqual(2_118);
    expect(1 - unnamed.length / instances.length >= 0.998 ? [] : unnamed).toEqual([]);
  });
});

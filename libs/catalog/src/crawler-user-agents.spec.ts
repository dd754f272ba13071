import crawlers from 'crawler-user-agents';
import { getBundledCatalog } from './bundled-catalog.js';
import { compileCatalog } from './compiled-catalog.js';

const { matcher } = compileCatalog(getBundledCatalog());

/**
 * User-Agents from the `crawler-user-agents` package. In version 1.60.0, 4 of the 2,118 intentionally match no agent:
 * an invented one for `Google-Extended`, which is never sent, and three browsers (Instagram, Facebook and Fluid).
 */
const instances = [...new Set(crawlers.flatMap((crawler) => crawler.instances))];

describe('AgentMatcher', () => {
  it('identifies at least 99.8% of the User-Agents in crawler-user-agents', () => {
    const unnamed = instances.filter((userAgent) => matcher.match(userAgent) === null);
    expect(instances.length).toBeGreaterThanOrEqual(2_118);
    expect(1 - unnamed.length / instances.length >= 0.998 ? [] : unnamed).toEqual([]);
  });
});

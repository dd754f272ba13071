/**
 * Measures the cost of blocking all agents in web servers: requests per second with and without the generated
 * configuration.
 */
import { join } from 'node:path';
import { EXPORT_FORMATS, SERVER_KINDS, WebServer, type ServerKind } from '../rules/web-servers.ts';
import { isQuick, printRows, ROUNDS, WARM_UP_ROUNDS, type Row } from './compare.ts';

const DIST = join(import.meta.dirname, '../../dist');
const USER_AGENTS = {
  'a common browser':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'another browser':
    'Mozilla/5.0 (Linux; Android 14; SM-A546B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36 DuckDuckGo/5',
  'an agent': 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
};
const SECONDS = isQuick ? 0.2 : 0.5;

const { SERVER_CONFIGS } = (await import(
  join(DIST, 'apps/rules/src/server-config/index.js')
)) as typeof import('../../apps/rules/src/server-config/index.ts');
const { getBundledCatalog: bundledCatalog, compileCatalog } = (await import(
  join(DIST, 'libs/catalog/src/index.js')
)) as typeof import('../../libs/catalog/src/index.ts');
const catalog = compileCatalog(bundledCatalog());

const rows: Row[] = [];
for (const kind of SERVER_KINDS) rows.push(...(await measureServer(kind)));
printRows(`${catalog.byId.size} agents`, rows);

async function measureServer(kind: ServerKind): Promise<Row[]> {
  const createConfig = (agents: Parameters<(typeof SERVER_CONFIGS)['apache']>[0]): string =>
    SERVER_CONFIGS[EXPORT_FORMATS[kind]](agents, catalog);
  const blockingServer = await WebServer.start(kind, createConfig([...catalog.byId.values()]));
  const plainServer = await WebServer.start(kind, createConfig([]));
  const found: Row[] = [];
  for (const [name, userAgent] of Object.entries(USER_AGENTS)) {
    const row: Row = {
      what: `${kind}, ${name}, all agents blocked`,
      peer: 'same server, no agents blocked',
      unit: 'requests/s',
      ours: [],
      theirs: [],
      goal: null,
    };
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      const [ours, theirs] = [
        await blockingServer.measureRequestsPerSecond(userAgent, SECONDS),
        await plainServer.measureRequestsPerSecond(userAgent, SECONDS),
      ];
      if (round < 0) continue;
      row.ours.push(ours);
      row.theirs.push(theirs);
      process.stderr.write('.');
    }
    found.push(row);
  }
  await Promise.all([blockingServer.dispose(), plainServer.dispose()]);
  return found;
}

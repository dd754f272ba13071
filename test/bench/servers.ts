/** Cost of blocking all agents in web servers: requests per second with and without the generated configuration. */
import { join } from 'node:path';
import { FORMATS, KINDS, WebServer, type Kind } from '../rules/web-servers.ts';
import { isQuick, printRows, ROUNDS, WARM_UPS, type Row } from './compare.ts';

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
const { bundledCatalog, compileCatalog } = (await import(
  join(DIST, 'libs/catalog/src/index.js')
)) as typeof import('../../libs/catalog/src/index.ts');
const catalog = compileCatalog(bundledCatalog());

const rows: Row[] = [];
for (const kind of KINDS) rows.push(...(await rowsOf(kind)));
printRows(`${catalog.byId.size} agents`, rows);

async function rowsOf(kind: Kind): Promise<Row[]> {
  const part = (agents: Parameters<(typeof SERVER_CONFIGS)['apache']>[0]): string =>
    SERVER_CONFIGS[FORMATS[kind]](agents, catalog);
  const refusing = await WebServer.start(kind, part([...catalog.byId.values()]));
  const plain = await WebServer.start(kind, part([]));
  const found: Row[] = [];
  for (const [name, userAgent] of Object.entries(USER_AGENTS)) {
    const row: Row = {
      what: `${kind}, ${name}, with all agents listed`,
      peer: 'the same with none',
      unit: 'requests/s',
      ours: [],
      theirs: [],
      goal: null,
    };
    for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
      const [ours, theirs] = [await refusing.speed(userAgent, SECONDS), await plain.speed(userAgent, SECONDS)];
      if (round < 0) continue;
      row.ours.push(ours);
      row.theirs.push(theirs);
      process.stderr.write('.');
    }
    found.push(row);
  }
  await Promise.all([refusing.dispose(), plain.dispose()]);
  return found;
}

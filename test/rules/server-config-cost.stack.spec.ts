import { bundledCatalogue, compileCatalogue } from '#libs/catalogue';
import { SERVER_CONFIGS } from '../../apps/rules/src/server-config/index.js';
import { FORMATS, KINDS, WebServer } from './web-servers.ts';

const USER_AGENTS = {
  'a common browser':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'another browser':
    'Mozilla/5.0 (Linux; Android 14; SM-A546B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36 DuckDuckGo/5',
  'an agent': 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
};

/** How many of a common browser's requests a server has to serve with the part, for each that it serves without. */
const LEAST_SHARE = 0.2;
/** The same where the part is read anew at each request. */
const LEAST_SHARE_READ_ANEW = 0.01;

const catalogue = compileCatalogue(bundledCatalogue());

/** Requests a second for each User-Agent; the best of several, because other programs run as well. */
async function speeds(kind: (typeof KINDS)[number], isListing: boolean): Promise<number[]> {
  const part = SERVER_CONFIGS[FORMATS[kind]](isListing ? [...catalogue.byId.values()] : [], catalogue);
  const server = await WebServer.start(kind, part);
  const best: number[] = [];
  for (let round = 0; round < 2; round++) {
    for (const [index, userAgent] of Object.values(USER_AGENTS).entries()) {
      best[index] = Math.max(best[index] ?? 0, await server.speed(userAgent, 1));
    }
  }
  await server.dispose();
  return best;
}

it.each(KINDS)(
  '%s serves common browsers about as fast with all agents listed',
  async (kind) => {
    const [without, listing] = [await speeds(kind, false), await speeds(kind, true)];
    const rows = Object.keys(USER_AGENTS).map((name, index) => {
      const [before, after] = [without[index]!, listing[index]!];
      const cost = 1e6 / after - 1e6 / before;
      return `${kind}, ${name}: ${Math.round(before)}/s without, ${Math.round(after)}/s with, ${Math.round(cost)} µs more each`;
    });
    console.log(rows.join('\n'));
    expect(listing[0]! / without[0]!).toBeGreaterThan(
      kind === 'apache .htaccess' ? LEAST_SHARE_READ_ANEW : LEAST_SHARE,
    );
  },
  120_000,
);

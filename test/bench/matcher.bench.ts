/**
 * Measures identification by User-Agent, uncached, against `isbot` (which says yes or no) and against running every
 * pattern. From the sources: `node --conditions=source test/bench/matcher.bench.ts [access.log.gz]`; after a build the
 * condition can be left out. The log is in the combined format; without one, the bundled samples are used.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { isbot } from 'isbot';

// Sources import one another by the names their builds will have.
registerHooks({
  resolve(specifier, context, next) {
    try {
      return next(specifier, context);
    } catch (error) {
      if (!specifier.startsWith('.') || !specifier.endsWith('.js')) throw error;
      return next(specifier.replace(/\.js$/, '.ts'), context);
    }
  },
});

const { bundledCatalogue, compileCatalogue } = await import('#libs/catalogue');

const catalogue = bundledCatalogue();
const started = performance.now();
const { matcher } = compileCatalogue(catalogue);
const compiledIn = performance.now() - started;
const expressions = catalogue.agents.flatMap((agent) =>
  agent.user_agent_patterns.map((source) => new RegExp(source, 'i')),
);

const log = process.argv[2];
const userAgents = log === undefined ? samples() : logged(log);

function samples(): string[] {
  return catalogue.agents.flatMap((agent) => agent.sample_user_agents ?? []);
}

function logged(path: string): string[] {
  const lines = gunzipSync(readFileSync(path)).toString().split('\n');
  return [...new Set(lines.map((line) => line.split('"')[5] ?? ''))].filter((text) => text !== '');
}

/** The best of some rounds, in nanoseconds a User-Agent. The texts are made anew, as they come with requests. */
function measure(run: (userAgent: string) => unknown, rounds: number): number {
  let best = Infinity;
  let found = 0;
  const json = JSON.stringify(userAgents);
  for (let round = 0; round < rounds; round++) {
    const fresh = JSON.parse(json) as string[];
    const start = performance.now();
    for (const userAgent of fresh) if (run(userAgent)) found++;
    best = Math.min(best, ((performance.now() - start) * 1e6) / fresh.length);
  }
  if (found < 0) throw new Error('unreachable: keeps the work from being optimised away');
  return best;
}

const found = userAgents.filter((userAgent) => matcher.find(userAgent) !== null).length;
const results = {
  'find, uncached': measure((userAgent) => matcher.find(userAgent), 300),
  'match, remembered': measure((userAgent) => matcher.match(userAgent), 300),
  isbot: measure((userAgent) => isbot(userAgent), 300),
  'every pattern': measure((userAgent) => expressions.filter((expression) => expression.exec(userAgent)).length, 3),
};
console.log(`${userAgents.length} User-Agents, ${found} of agents; compiled in ${compiledIn.toFixed(0)} ms`);
for (const [name, nanoseconds] of Object.entries(results)) {
  const ratio = nanoseconds / results['find, uncached'];
  console.log(
    `${name.padEnd(20)} ${nanoseconds.toFixed(0).padStart(8)} ns  ${ratio.toFixed(2).padStart(8)} times as long`,
  );
}

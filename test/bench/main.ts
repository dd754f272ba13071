/**
 * Runs the benchmarks, which compare this build with another tool or commit. Both sides alternate within a run. Only the
 * ratios matter, because absolute figures depend on the machine. See docs/speed.md.
 */
import { argv } from 'node:process';
import { runFunctions } from './functions.ts';

const USAGE = `\
  npm run bench                       individual functions, then standalone mode (about six minutes)
  npm run bench -- --micro            only individual functions, one process per *.bench.ts file
  npm run bench -- --stack [WORD…]    each service with Kafka, Redis and PostgreSQL; WORD selects rows
  npm run bench -- --goatcounter      standalone mode compared with GoatCounter; each shares a core with PostgreSQL
  npm run bench -- --install          time from a clone or a package to the first visit
  npm run bench -- --servers          cost of blocking agents in nginx, Apache, Caddy and HAProxy
  npm run bench -- --client           response time added by the client library, and decisions in the site's process compared with isbot
  npm run bench -- --forward [WORD…]  cost of checking each visit with a subrequest in reverse proxies; WORD selects them
  npm run bench -- --overload         more visits than can be stored; with --stack on Kafka
  npm run bench -- --writers          two and four processes storing one project's visits, compared with one
  npm run bench -- --sizing [RATE…]   cost of steady rates (200, 1,000 and 5,000 visits/s) for each service and server
  npm run bench -- --reidentify       re-identification of stored visits, and its effect on new visits
  npm run bench -- --alerts           alert evaluation for 1,000 projects
  npm run bench -- --reading [WORD…]  dashboard requests and pages with ten million visits; WORD selects names
  npm run bench -- --store clickhouse [WORD…]
                                      ClickHouse as the visit store compared with PostgreSQL, and dashboard requests
                                      with ten million visits; --visits MILLIONS sets another number
  npm run bench -- --move             a million visits to ClickHouse and back under load, with identical exports
  npm run bench -- --against COMMIT [--stack] [NAME…]
                                      this build compared with another commit's, in standalone mode or with --stack on
                                      Kafka. Takes six minutes, or less than one for a single row. --env NAME=VALUE
                                      applies only to this build, so --against HEAD measures the cost of a setting
  npm run bench -- --quick            short smoke test, can be combined with any of the above
`;

if (argv.includes('--help')) {
  process.stdout.write(USAGE);
} else if (argv.some((word) => word.startsWith('--against'))) {
  await import('./against/compare-builds.ts');
} else if (argv.includes('--overload')) {
  await import('./overload.ts');
} else if (argv.includes('--stack')) {
  await import('./distributed.ts');
} else if (argv.includes('--goatcounter')) {
  await import('./goatcounter.ts');
} else if (argv.includes('--install')) {
  await import('./install.ts');
} else if (argv.includes('--servers')) {
  await import('./servers.ts');
} else if (argv.includes('--client')) {
  await import('./client.ts');
} else if (argv.includes('--forward')) {
  await import('./forward.ts');
} else if (argv.includes('--writers')) {
  await import('./writers.ts');
} else if (argv.includes('--sizing')) {
  await import('./sizing.ts');
} else if (argv.includes('--reidentify')) {
  await import('./reidentify.ts');
} else if (argv.includes('--alerts')) {
  await import('./alerts.ts');
} else if (argv.includes('--move')) {
  await import('./move.ts');
} else if (argv.includes('--store')) {
  await import('./visit-store.ts');
} else if (argv.includes('--reading')) {
  await import('./reading.ts');
} else {
  await runFunctions(argv.slice(2));
  if (!argv.includes('--micro')) {
    await import('./embedded.ts');
    await import('./goatcounter.ts');
  }
}

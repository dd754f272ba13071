/**
 * Runs the benchmarks. They compare ours with a peer or another commit, in turn and in the same run. Only the ratios
 * matter, because absolute figures depend on the machine. See docs/speed.md.
 */
import { argv } from 'node:process';
import { runFunctions } from './functions.ts';

const USAGE = `\
  npm run bench                functions by themselves, then the standalone: about six minutes
  npm run bench -- --micro     only the functions: every *.bench.ts here, each in a process of its own
  npm run bench -- --stack [WORD…]   each service on its own, on Kafka, Redis and PostgreSQL; only rows with a word in their name
  npm run bench -- --goatcounter   the standalone against GoatCounter, each with its PostgreSQL on one core
  npm run bench -- --install   from a clone, and from a package, to the first visit
  npm run bench -- --servers   what refusing agents costs nginx, Apache, Caddy and HAProxy
  npm run bench -- --client    what the client library adds to the response times of sites
  npm run bench -- --forward   what it costs nginx and Caddy to ask about each request
  npm run bench -- --overload  more visits than can be stored; with --stack on Kafka
  npm run bench -- --writers   one project's visits stored by two and four processes, against one
  npm run bench -- --reidentify   stored visits identified again, and new ones meanwhile
  npm run bench -- --alerts    how long it takes to evaluate the alerts of 1,000 projects
  npm run bench -- --reading [WORD…]   what the dashboard reads, with ten million visits; only what has a word in its name
  npm run bench -- --against COMMIT [--stack] [NAME…]
                               the standalone, or the services on Kafka, against what the commit builds to: six minutes,
                               or under one for a row by its name; with --env NAME=VALUE ours runs with that setting,
                               which shows what it costs: against HEAD
  npm run bench -- --quick     one short round, to see that it works; with any of these
`;

if (argv.includes('--help')) {
  process.stdout.write(USAGE);
} else if (argv.some((word) => word.startsWith('--against'))) {
  await import('./against/against.ts');
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
} else if (argv.includes('--reidentify')) {
  await import('./reidentify.ts');
} else if (argv.includes('--alerts')) {
  await import('./alerts.ts');
} else if (argv.includes('--reading')) {
  await import('./reading.ts');
} else {
  await runFunctions(argv.slice(2));
  if (!argv.includes('--micro')) {
    await import('./embedded.ts');
    await import('./goatcounter.ts');
  }
}

/** Runs the integration tests that store or read visits, with ClickHouse as the visit store. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const USAGE = `\
  npm run test:clickhouse                 all integration tests that use visits, on a local ClickHouse server
  npm run test:clickhouse -- WORD…        those whose paths contain one of the words
  npm run test:clickhouse -- --url URL    on another server, such as http://user:password@host:8123. Each test creates
                                          its own database, and drops it afterwards
  npm run test:clickhouse -- … -- OPTION… with options for Jest
`;

const ROOT = join(import.meta.dirname, '../..');
/** Text in test files that use visits. */
const USES_VISITS =
  /storeVisits|readVisits|createRepository|openVisitStore|ReidentificationHistory|\/visits|VisitsRepository|VisitStore/;
/** Tests of PostgreSQL as the visit store, with the reason. */
const EXCLUDED: Record<string, string> = {
  'apps/console/src/journeys/journey-limit.int.spec.ts': 'tests how PostgreSQL reads visits',
  'apps/console/src/payments/payment-index.int.spec.ts': 'tests which index PostgreSQL uses',
  'apps/console/src/visits/partition-pruning.int.spec.ts': 'tests which partitions PostgreSQL reads',
  'apps/ingest/src/visit-forms.int.spec.ts': 'only PostgreSQL stores visits as forms and values',
  'test/console/read-replica.int.spec.ts': 'tests reads from a PostgreSQL replica',
  'test/queries/queries.int.spec.ts': "records PostgreSQL's statements and plans",
};

const { values, positionals } = parseArgs({
  options: { url: { type: 'string' }, help: { type: 'boolean' } },
  allowPositionals: true,
  tokens: true,
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit();
}
const separator = process.argv.indexOf('--', 2);
const jestOptions = separator === -1 ? [] : process.argv.slice(separator + 1);
const words = positionals.slice(0, positionals.length - jestOptions.length);
const files = globSync('{apps,libs,test}/**/*.int.spec.ts', { cwd: ROOT })
  .filter((file) => !(file in EXCLUDED) && USES_VISITS.test(readFileSync(join(ROOT, file), 'utf8')))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .toSorted();
if (files.length === 0) throw new Error('No integration test that uses visits has one of the words in its path');
const { status } = spawnSync(
  'npm',
  [
    'run',
    '--silent',
    'jest',
    '--',
    '--maxWorkers=2',
    '--selectProjects',
    'int',
    ...jestOptions,
    '--runTestsByPath',
    ...files,
  ],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, TEST_VISIT_STORE: 'clickhouse', ...(values.url && { TEST_CLICKHOUSE_URL: values.url }) },
  },
);
process.exit(status ?? 1);

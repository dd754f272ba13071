/**
 * Speed as ratios: ours and a named peer in turn, in the same run. Absolute figures tell about the machine and are
 * printed beside.
 *
 *   npm run bench              the standalone, about three minutes
 *   npm run bench -- --stack   each service on its own, on Kafka, Redis and PostgreSQL
 *   npm run bench -- --quick   one short round, to see that it works
 */
import { argv } from 'node:process';

await (argv.includes('--stack') ? import('./distributed.ts') : import('./embedded.ts'));

/**
 * Runs slow files first, so that workers don't idle while the last file runs. Jest only knows the durations of files that
 * it has already run.
 */
import Sequencer from '@jest/test-sequencer';

/** Path parts of files that are slow but small. Jest sorts files of unknown duration by size. */
const LONG = [
  'distributed/fault',
  'distributed/tracing',
  'kafka/replay',
  'kafka/kafka-bus',
  'distributed/services',
  'distributed/stack.stack',
  'hostile/values',
  'embedded/backup',
  'embedded/move-to-deployment',
  'statistics/overview-filters',
  'embedded/tracing',
  'embedded-postgres.int',
  'embedded/first-visit',
  'system/import',
  'console/test-visits',
  'identification/reidentification.int',
  'console/access-matrix',
];

/** End-to-end tests alternate with integration tests, so that two systems rarely compete for the CPU. */
const ROUNDS = { stack: 0, nightly: 0, e2e: 0, int: 0, property: 1, unit: 2 };

export default class TestSequencer extends Sequencer {
  sort(tests) {
    const counts = new Map();
    const isLong = ({ path }) => LONG.some((part) => path.includes(part));
    return super
      .sort(tests)
      .toSorted((one, other) => isLong(other) - isLong(one))
      .map((test) => {
        const tier = test.context.config.displayName.name;
        const number = counts.get(tier) ?? 0;
        counts.set(tier, number + 1);
        return { test, round: ROUNDS[tier], number };
      })
      .toSorted((one, other) => one.round - other.round || one.number - other.number)
      .map(({ test }) => test);
  }
}

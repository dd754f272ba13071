/**
 * Runs slow test files first, so no worker is idle while the last file runs. Jest itself only knows the duration of
 * files that it has run before.
 */
import Sequencer from '@jest/test-sequencer';

/** Path fragments of small but slow test files. Jest sorts files by size if it doesn't know their duration. */
const SLOW_FILES = [
  'distributed/fault',
  'distributed/visit-store-faults',
  'distributed/tracing',
  'kafka/replay',
  'kafka/kafka-bus',
  'distributed/services',
  'distributed/stack.stack',
  'rules/server-config',
  'rules/parsers',
  'hostile/',
  'visit-store/src/move',
  'embedded/backup',
  'statistics/overview-filters',
  'embedded-postgres.int',
  'embedded/first-visit',
  'system/import',
  'console/test-visits',
  'identification/reidentification.int',
  'console/access-matrix',
];

/**
 * Order in which the test tiers run. Tiers in the same round alternate, so two end-to-end tests rarely compete for the
 * CPU.
 */
const ROUNDS = { stack: 0, nightly: 0, e2e: 0, int: 0, property: 1, unit: 2 };

export default class TestSequencer extends Sequencer {
  sort(tests) {
    const counts = new Map();
    const isSlow = ({ path }) => SLOW_FILES.some((part) => path.includes(part));
    return super
      .sort(tests)
      .toSorted((one, other) => isSlow(other) - isSlow(one))
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

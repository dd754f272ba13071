/**
 * Begins with what takes long: with one long file at the end, the other workers would have nothing to do. Jest knows how
 * long files took only where it ran them before.
 */
import Sequencer from '@jest/test-sequencer';

/** Parts of the paths of what takes long though it is short, by which files go that Jest doesn't know yet. */
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

/** End-to-end tests take turns with integration tests, so that two systems rarely share the processor. */
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

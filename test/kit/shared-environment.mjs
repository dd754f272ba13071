/** Gives each test file the globals of its worker, and leaves them as it found them. Goes with shared-runtime.mjs. */
import { createRequire } from 'node:module';

const require = createRequire(createRequire(import.meta.url).resolve('jest-environment-node'));
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });
const TIMER_METHODS = ['useRealTimers', 'advanceTimersByTime', 'advanceTimersByTimeAsync', 'getTimerCount'];

/** The `jest` of the tests: as much of it as they use. */
const JEST = Symbol.for('agent-traffic.jest');
globalThis[JEST] = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
  // Node's streams take the nextTick of the process.
  useFakeTimers: (options) => timers.useFakeTimers({ doNotFake: ['nextTick'], ...options }),
  ...Object.fromEntries(TIMER_METHODS.map((name) => [name, timers[name].bind(timers)])),
};

/** Address of what `@jest/globals` is for the tests. */
export const JEST_GLOBALS = `data:text/javascript,
  export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = globalThis;
  export const jest = globalThis[Symbol.for('${JEST.description}')];`.replaceAll(/\s+/g, ' ');

export default class SharedEnvironment {
  global = globalThis;
  #env = { ...process.env };
  #exit = process.exit;
  #exitCode = process.exitCode;
  #globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis));

  /** There is none: modules are Node's. */
  getVmContext() {
    return null;
  }

  async setup() {}

  async teardown() {
    mocker.restoreAllMocks();
    timers.useRealTimers();
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
    process.exit = this.#exit;
    process.exitCode = this.#exitCode;
    // What shared modules add stays theirs; what a test replaced is put back.
    for (const [name, descriptor] of this.#globals) Object.defineProperty(globalThis, name, descriptor);
  }
}

/** Runs each test file with the worker's globals and restores them afterwards. Used with shared-runtime.mjs. */
import { createRequire } from 'node:module';

const require = createRequire(createRequire(import.meta.url).resolve('jest-environment-node'));
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });
const TIMER_METHODS = ['useRealTimers', 'advanceTimersByTime', 'advanceTimersByTimeAsync', 'getTimerCount'];

/** Key of the global `jest` object. It provides only the functions that our tests use. */
const JEST = Symbol.for('agent-traffic.jest');
globalThis[JEST] = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
  // Node's streams need the real `nextTick`.
  useFakeTimers: (options) => timers.useFakeTimers({ doNotFake: ['nextTick'], ...options }),
  ...Object.fromEntries(TIMER_METHODS.map((name) => [name, timers[name].bind(timers)])),
};

/** URL of the module that replaces `@jest/globals`. */
export const JEST_GLOBALS = `data:text/javascript,
  export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = globalThis;
  export const jest = globalThis[Symbol.for('${JEST.description}')];`.replaceAll(/\s+/g, ' ');

export default class SharedEnvironment {
  global = globalThis;
  #env = { ...process.env };
  #exit = process.exit;
  #exitCode = process.exitCode;
  #globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis));

  /** Returns null, because Node's loader doesn't use VM contexts. */
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
    // Restore the globals that tests replaced. Globals added by shared modules remain.
    for (const [name, descriptor] of this.#globals) Object.defineProperty(globalThis, name, descriptor);
  }
}

/**
 * Jest's part that loads modules, replaced by Node's own loader: the test files of a worker share what they import, so
 * that it is loaded and compiled once for a worker rather than once for each file. See docs/decisions/shared-modules-in-tests.md.
 */
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { JEST_GLOBALS } from './shared-environment.mjs';

const require = createRequire(import.meta.url);
const AS_ESM = { supportsStaticESM: true, supportsDynamicImport: true, supportsTopLevelAwait: true };
/** Path of each compiled module's source map, by the address that stack traces have. */
const sourceMaps = new Map();
/** How many files this worker has begun. Modules that register tests are loaded anew for each. */
let files = 0;
/** Compiles TypeScript as .jest.config.mjs says, and keeps the result on disk. */
let transformer;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals')
      return { url: `${JEST_GLOBALS}//${files}`, format: 'module', shortCircuit: true };
    if (!isOurs(context.parentURL)) return next(specifier, context);
    // Sources import each other as `.js`, which is what they become.
    if (/^\.{1,2}\/.*\.js$/.test(specifier)) return next(`${specifier.slice(0, -3)}.ts`, context);
    return next(specifier, { ...context, conditions: [...context.conditions, 'agent-traffic-source'] });
  },
  load(url, context, next) {
    if (!isOurs(url)) return next(url, context);
    const { code, sourceMapPath } = transformer.transform(fileURLToPath(url), AS_ESM);
    sourceMaps.set(url, sourceMapPath);
    return { source: code, format: 'module', shortCircuit: true };
  },
});

function isOurs(url) {
  return url !== undefined && /^file:.*\.ts(\?\d+)?$/.test(url) && !url.includes('/node_modules/');
}

/** What jest-runner and jest-circus ask of a runtime. */
export default class SharedRuntime {
  constructor(_config, _environment, _resolver, scriptTransformer) {
    transformer = scriptTransformer;
    files += 1;
  }

  /** Loads jest-circus, whose state is that of one file. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return require(path);
  }

  unstable_importModule(path) {
    return import(`${pathToFileURL(path)}?${files}`);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  requireModule(path) {
    return require(path);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}
  getAllCoverageInfoCopy() {}
  teardown() {}
}

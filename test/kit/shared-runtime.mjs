/**
 * Jest runtime that loads modules with Node's loader. The test files of a worker share imported modules, so each module
 * is only loaded once per worker. See docs/decisions/shared-modules-in-tests.md.
 */
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { JEST_GLOBALS } from './shared-environment.mjs';

const require = createRequire(import.meta.url);
const AS_ESM = { supportsStaticESM: true, supportsDynamicImport: true, supportsTopLevelAwait: true };
/** Paths of source maps by the module URL that stack traces contain. */
const sourceMaps = new Map();
/** Number of test files started by this worker. Modules that register tests are loaded again for each file. */
let files = 0;
/** Compiles TypeScript as configured in .jest.config.mjs, and caches the result on disk. */
let transformer;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals')
      return { url: `${JEST_GLOBALS}//${files}`, format: 'module', shortCircuit: true };
    if (!isOurs(context.parentURL)) return next(specifier, context);
    // Sources import each other by the `.js` extension that they have after compilation.
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

/** The part of Jest's runtime interface that jest-runner and jest-circus use. */
export default class SharedRuntime {
  constructor(_config, _environment, _resolver, scriptTransformer) {
    transformer = scriptTransformer;
    files += 1;
  }

  /** Loads a fresh copy of jest-circus, because its state belongs to one file. */
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

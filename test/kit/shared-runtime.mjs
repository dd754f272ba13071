/**
 * Jest runtime that uses Node's module loader. Test files in the same worker share modules, so each module is loaded
 * only once per worker. See docs/decisions/shared-modules-in-tests.md.
 */
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { JEST_GLOBALS } from './shared-environment.mjs';

const require = createRequire(import.meta.url);
const TRANSFORM_OPTIONS = { supportsStaticESM: true, supportsDynamicImport: true, supportsTopLevelAwait: true };
/** Source map paths, keyed by the module URL that appears in stack traces. */
const sourceMaps = new Map();
/** Number of test files started by this worker. It's part of module URLs, so test files are loaded each time. */
let fileCount = 0;
/** Compiles TypeScript as configured in .jest.config.mjs and caches the result on disk. */
let transformer;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals')
      return { url: `${JEST_GLOBALS}//${fileCount}`, format: 'module', shortCircuit: true };
    if (!isOwnSource(context.parentURL)) return next(specifier, context);
    // TypeScript files import each other with the `.js` extension that they have after compilation.
    if (/^\.{1,2}\/.*\.js$/.test(specifier)) return next(`${specifier.slice(0, -3)}.ts`, context);
    return next(specifier, { ...context, conditions: [...context.conditions, 'agent-traffic-source'] });
  },
  load(url, context, next) {
    if (!isOwnSource(url)) return next(url, context);
    const { code, sourceMapPath } = transformer.transform(fileURLToPath(url), TRANSFORM_OPTIONS);
    sourceMaps.set(url, sourceMapPath);
    return { source: code, format: 'module', shortCircuit: true };
  },
});

function isOwnSource(url) {
  return url !== undefined && /^file:.*\.ts(\?\d+)?$/.test(url) && !url.includes('/node_modules/');
}

/** Implements the part of Jest's runtime interface that jest-runner and jest-circus use. */
export default class SharedRuntime {
  constructor(_config, _environment, _resolver, scriptTransformer) {
    transformer = scriptTransformer;
    fileCount += 1;
  }

  /** Reloads the module, because jest-circus stores state that belongs to a single test file. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return require(path);
  }

  unstable_importModule(path) {
    return import(`${pathToFileURL(path)}?${fileCount}`);
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

/** Test tiers by file name, as described in CONTRIBUTING.md. */
// Log times without a zone are read as local time, so samples need a fixed zone.
process.env.TZ = 'UTC';

const base = {
  rootDir: import.meta.dirname,
  // Keeps modules loaded between files. See docs/decisions/shared-modules-in-tests.md.
  runtime: '<rootDir>/test/kit/shared-runtime.mjs',
  testEnvironment: '<rootDir>/test/kit/shared-environment.mjs',
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2024',
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
};

const database = {
  globalSetup: '<rootDir>/test/kit/shared-postgres.mjs',
  globalTeardown: '<rootDir>/test/kit/shared-postgres-end.mjs',
};
const disposing = { setupFilesAfterEnv: ['<rootDir>/test/kit/dispose-left-overs.ts'] };

export default {
  // Jest only supports this globally. Servers take time to start, and a slow machine must not fail a test.
  testTimeout: 180_000,
  workerIdleMemoryLimit: '1.5GB',
  testSequencer: '<rootDir>/test/kit/test-sequencer.mjs',
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,libs,test}/**/*.spec.ts'],
      testPathIgnorePatterns: ['\\.(property|int|e2e|stack|nightly)\\.spec\\.ts$'],
    },
    { ...base, displayName: 'property', testMatch: ['<rootDir>/{apps,libs,test}/**/*.property.spec.ts'] },
    {
      ...base,
      displayName: 'int',
      testMatch: ['<rootDir>/{apps,libs,test}/**/*.int.spec.ts'],
      ...disposing,
      ...database,
    },
    {
      ...base,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e.spec.ts'],
      ...disposing,
      globalSetup: '<rootDir>/test/kit/shared-instance.mjs',
      globalTeardown: '<rootDir>/test/kit/shared-instance-end.mjs',
    },
    { ...base, displayName: 'nightly', testMatch: ['<rootDir>/test/**/*.nightly.spec.ts'], ...disposing },
    {
      ...base,
      displayName: 'stack',
      testMatch: ['<rootDir>/{apps,libs,test}/**/*.stack.spec.ts'],
      ...disposing,
      globalSetup: '<rootDir>/test/kit/shared-folder.mjs',
      globalTeardown: '<rootDir>/test/kit/shared-folder-end.mjs',
    },
  ],
};

/** Defines a Jest project for each test tier. A test's file name determines its tier. See CONTRIBUTING.md. */
// Log timestamps without a time zone are parsed as local time, so results depend on the zone.
process.env.TZ = 'UTC';

const base = {
  rootDir: import.meta.dirname,
  // Loads each module once per worker instead of once per test file. See docs/decisions/shared-modules-in-tests.md.
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
  globalTeardown: '<rootDir>/test/kit/shared-postgres-teardown.mjs',
};
const disposal = { setupFilesAfterEnv: ['<rootDir>/test/kit/dispose-all.ts'] };

export default {
  // Jest supports this option only at the top level. Starting servers can take minutes on a slow machine.
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
      ...disposal,
      ...database,
    },
    {
      ...base,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e.spec.ts'],
      ...disposal,
      globalSetup: '<rootDir>/test/kit/shared-instance.mjs',
      globalTeardown: '<rootDir>/test/kit/shared-instance-teardown.mjs',
    },
    { ...base, displayName: 'nightly', testMatch: ['<rootDir>/test/**/*.nightly.spec.ts'], ...disposal },
    {
      ...base,
      displayName: 'stack',
      testMatch: ['<rootDir>/{apps,libs,test}/**/*.stack.spec.ts'],
      ...disposal,
      globalSetup: '<rootDir>/test/kit/shared-folder.mjs',
      globalTeardown: '<rootDir>/test/kit/shared-folder-teardown.mjs',
    },
  ],
};

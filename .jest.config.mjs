/**
 * Tiers by file suffix: `.spec.ts` pure, `.int.spec.ts` against a real PostgreSQL, `.e2e.spec.ts` the system from
 * outside. These run anywhere; `.stack.spec.ts` takes a real Kafka, Redis or more, which `npm run stack` brings.
 */
const base = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
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

/** One PostgreSQL for all files of a run. */
const database = {
  globalSetup: '<rootDir>/test/kit/shared-postgres.mjs',
  globalTeardown: '<rootDir>/test/kit/shared-postgres-end.mjs',
};
const disposing = { setupFilesAfterEnv: ['<rootDir>/test/kit/dispose-left-overs.ts'] };

export default {
  // Not an option of a project: servers take time to start, and a slow machine must not fail a test.
  testTimeout: 180_000,
  // Modules of files that are through stay in memory.
  workerIdleMemoryLimit: '1.5GB',
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,libs,test}/**/*.spec.ts'],
      testPathIgnorePatterns: ['\\.(int|e2e|stack)\\.spec\\.ts$'],
    },
    {
      ...base,
      displayName: 'int',
      testMatch: ['<rootDir>/{apps,libs,test}/**/*.int.spec.ts'],
      ...disposing,
      ...database,
    },
    { ...base, displayName: 'e2e', testMatch: ['<rootDir>/test/**/*.e2e.spec.ts'], ...disposing },
    { ...base, displayName: 'stack', testMatch: ['<rootDir>/{apps,libs,test}/**/*.stack.spec.ts'], ...disposing },
  ],
};

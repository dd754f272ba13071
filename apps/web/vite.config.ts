import { join } from 'node:path';
import { defineConfig, loadEnv } from 'vite';
import { apiReference } from './build/api-reference.js';
import { compressed } from './build/compressed.js';
import { evaluated } from './build/evaluated.js';
import { firstLoad } from './build/first-load.js';

const ROOT = join(import.meta.dirname, '../..');
/** Maximum size in bytes of the gzipped JavaScript that a first page needs. */
const MAX_FIRST_LOAD_BYTES = 200_000;

/** Modules that are replaced with their values, because the contracts they import are too large for the bundle. */
const FROM_CONTRACTS = ['constants.ts', 'timeline-filters.ts'].map((name) =>
  join(import.meta.dirname, 'src/api', name),
);

/** Minimum number of pages and components that must share a module for it to go into the base chunk. */
const BASE_PAGES = 42;

export default defineConfig(({ mode }) => {
  // `npm run dev:web` forwards all requests that aren't for the dashboard to this instance.
  const { DEV_TARGET: target = 'http://127.0.0.1:3000' } = loadEnv(mode, ROOT, 'DEV_');
  return {
    root: import.meta.dirname,
    // Libraries are bundled from source, like the dashboard.
    resolve: {
      alias: [
        { find: '#libs/agents/vocabulary', replacement: join(ROOT, 'libs/agents/src/vocabulary.ts') },
        { find: /^#libs\/contracts\/(agent-record|span-text)$/, replacement: join(ROOT, 'libs/contracts/src/$1.ts') },
        { find: /^#libs\/([\w-]+)$/, replacement: join(ROOT, 'libs/$1/src/index.ts') },
      ],
    },
    html: { cspNonce: 'CSP_NONCE' },
    build: {
      outDir: join(ROOT, 'dist/apps/web'),
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // Packages contain `use client` directives, which are irrelevant here.
      rolldownOptions: {
        checks: { moduleLevelDirective: false },
        // One chunk for modules that nearly every page needs: browsers fetch only six files at a time.
        output: { codeSplitting: { groups: [{ name: 'base', minShareCount: BASE_PAGES }] } },
      },
    },
    plugins: [
      evaluated(...FROM_CONTRACTS),
      firstLoad(MAX_FIRST_LOAD_BYTES),
      compressed(),
      apiReference('docs/scalar.js.gz'),
    ],
    server: { proxy: Object.fromEntries(['/api', '/docs', '/visits'].map((path) => [path, target])) },
  };
});

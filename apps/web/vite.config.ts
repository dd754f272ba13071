import { join } from 'node:path';
import { defineConfig, loadEnv } from 'vite';
import { apiReference } from './build/api-reference.js';
import { compressed } from './build/compressed.js';
import { evaluated } from './build/evaluated.js';
import { firstLoad } from './build/first-load.js';

const ROOT = join(import.meta.dirname, '../..');
/** Bytes of JavaScript, as gzip, before the first page works. */
const MAX_FIRST_LOAD_BYTES = 200_000;

/** Modules with values of the contracts, which are too large to be loaded. */
const FROM_CONTRACTS = ['constants.ts', 'timeline-filters.ts'].map((name) =>
  join(import.meta.dirname, 'src/api', name),
);

/** Pages and parts that share a module, for it to be loaded with the first of them. */
const BASE_PAGES = 42;

export default defineConfig(({ mode }) => {
  // For `npm run dev:web`: an instance that runs elsewhere answers what is not the dashboard's.
  const { DEV_TARGET: target = 'http://127.0.0.1:3000' } = loadEnv(mode, ROOT, 'DEV_');
  return {
    root: import.meta.dirname,
    // From their sources, as all of the dashboard.
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
      // Libraries mark what is for clients, which here is everything.
      rolldownOptions: {
        checks: { moduleLevelDirective: false },
        // What nearly every page needs, in one file: browsers fetch six at a time.
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

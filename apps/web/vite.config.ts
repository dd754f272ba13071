import { join } from 'node:path';
import { defineConfig, loadEnv } from 'vite';
import { apiReference } from './build/api-reference.js';
import { precompress } from './build/precompress.js';
import { inlineExports } from './build/inline-exports.js';
import { limitFirstLoad } from './build/first-load.js';

const ROOT = join(import.meta.dirname, '../..');
/** Maximum gzipped size in bytes of the JavaScript that the first page needs. */
const MAX_FIRST_LOAD_BYTES = 200_000;

/** Modules whose exported values are inlined, because the contracts that they import are too large for the bundle. */
const INLINED_MODULES = ['constants.ts', 'timeline-filters.ts'].map((name) =>
  join(import.meta.dirname, 'src/api', name),
);

/** A module is added to the base chunk if at least this many pages and components share it. */
const MIN_BASE_SHARE_COUNT = 40;

export default defineConfig(({ mode }) => {
  // `npm run dev:web` proxies requests that aren't for the dashboard to this instance.
  const { DEV_TARGET: target = 'http://127.0.0.1:3000' } = loadEnv(mode, ROOT, 'DEV_');
  return {
    root: import.meta.dirname,
    // Libraries are bundled from source, like the dashboard.
    resolve: {
      alias: [
        { find: '#libs/agents/vocabulary', replacement: join(ROOT, 'libs/agents/src/vocabulary.ts') },
        {
          find: /^#libs\/contracts\/(agent-record|change|change-causes|crawl-ratio|duration|load-cost|time-span)$/,
          replacement: join(ROOT, 'libs/contracts/src/$1.ts'),
        },
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
        // Libraries only export values, so a page doesn't load modules of a library that it doesn't use.
        treeshake: { moduleSideEffects: [{ test: /\/libs\//, sideEffects: false }] },
        output: {
          codeSplitting: {
            // Browsers fetch only six files at a time, and few large files compress better than many small ones.
            groups: [
              { name: 'shell', tags: ['$initial'] },
              { name: 'base', minShareCount: MIN_BASE_SHARE_COUNT },
            ],
          },
        },
      },
    },
    plugins: [
      inlineExports(...INLINED_MODULES),
      limitFirstLoad(MAX_FIRST_LOAD_BYTES),
      precompress(),
      apiReference('docs/scalar.js.gz'),
    ],
    server: { proxy: Object.fromEntries(['/api', '/docs', '/visits'].map((path) => [path, target])) },
  };
});

// oxlint-disable-next-line no-restricted-imports -- Blocking is fine during a build.
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/**
 * Fails the build if the first load of any page exceeds a JavaScript budget.
 *
 * @param maxBytes Maximum size in bytes, gzipped.
 */
export function limitFirstLoad(maxBytes: number): Plugin {
  return {
    name: 'limit-first-load',
    apply: 'build',
    generateBundle: {
      // Vite adds its table of files to preload to the entry late.
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const bytes = firstLoadBytes(chunks);
        this.info(`First load: ${bytes} bytes of gzipped JavaScript (limit: ${maxBytes})`);
        if (bytes > maxBytes)
          this.error(
            `The first load is ${bytes} bytes of gzipped JavaScript; the limit is ${maxBytes}. Load more code lazily.`,
          );
      },
    },
  };
}

type Chunk = Pick<Rolldown.OutputChunk, 'fileName' | 'isEntry' | 'imports' | 'dynamicImports' | 'code'>;

/** Returns the gzipped size, in bytes, of the largest first load: the entry, a page, and their static imports. */
export function firstLoadBytes(chunks: readonly Chunk[]): number {
  const chunksByName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const sizesByName = new Map(chunks.map(({ fileName, code }) => [fileName, gzipSync(code).length]));
  const firstLoads = chunks
    .filter(({ isEntry }) => isEntry)
    .flatMap(({ fileName, dynamicImports }) => [[fileName], ...dynamicImports.map((page) => [fileName, page])]);
  return Math.max(
    ...firstLoads.map((names) => {
      const loadedFiles = new Set(names);
      // A set's iterator also visits names added during the loop.
      for (const name of loadedFiles) for (const next of chunksByName.get(name)?.imports ?? []) loadedFiles.add(next);
      return [...loadedFiles].reduce((bytes, name) => bytes + (sizesByName.get(name) ?? 0), 0);
    }),
  );
}

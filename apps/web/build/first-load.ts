// oxlint-disable-next-line no-restricted-imports -- A build has nothing else to do.
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/**
 * Fails the build if the first load of a page needs more JavaScript than this.
 *
 * @param most maximum number of bytes, gzipped.
 */
export function firstLoad(most: number): Plugin {
  return {
    name: 'first-load',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const bytes = firstLoadBytes(chunks);
      this.info(`the first load is ${bytes} bytes of JavaScript (gzip), of ${most}`);
      if (bytes > most) this.error(`the first load is ${bytes} bytes of JavaScript (gzip); it may be ${most}`);
    },
  };
}

type Chunk = Pick<Rolldown.OutputChunk, 'fileName' | 'isEntry' | 'imports' | 'dynamicImports' | 'code'>;

/** Returns the gzipped size of the heaviest first load in bytes: the entry, a page, and all their static imports. */
export function firstLoadBytes(chunks: readonly Chunk[]): number {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const sizes = new Map(chunks.map(({ fileName, code }) => [fileName, gzipSync(code).length]));
  const loads = chunks
    .filter(({ isEntry }) => isEntry)
    .flatMap(({ fileName, dynamicImports }) => [[fileName], ...dynamicImports.map((page) => [fileName, page])]);
  return Math.max(
    ...loads.map((names) => {
      const needed = new Set(names);
      // Iteration includes names that are added in the loop.
      for (const name of needed) for (const next of byName.get(name)?.imports ?? []) needed.add(next);
      return [...needed].reduce((bytes, name) => bytes + (sizes.get(name) ?? 0), 0);
    }),
  );
}

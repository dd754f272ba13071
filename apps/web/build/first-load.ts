// oxlint-disable-next-line no-restricted-imports -- A build has nothing else to do.
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** Fails the build when the page needs more JavaScript, as gzip, than this many bytes before it works. */
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

/** Bytes, as gzip, of the entry, the page that it opens, and everything these import at once: of the heaviest page. */
export function firstLoadBytes(chunks: readonly Chunk[]): number {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const sizes = new Map(chunks.map(({ fileName, code }) => [fileName, gzipSync(code).length]));
  const loads = chunks
    .filter(({ isEntry }) => isEntry)
    .flatMap(({ fileName, dynamicImports }) => [[fileName], ...dynamicImports.map((page) => [fileName, page])]);
  return Math.max(
    ...loads.map((names) => {
      const needed = new Set(names);
      // A set goes on with what is added meanwhile.
      for (const name of needed) for (const next of byName.get(name)?.imports ?? []) needed.add(next);
      return [...needed].reduce((bytes, name) => bytes + (sizes.get(name) ?? 0), 0);
    }),
  );
}

/**
 * Bundles each app (`dist/apps/NAME/src/main.js`) with its imports and overwrites the compiler's output. See
 * docs/decisions/bundled-programs.md.
 */
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { build } from 'rolldown';

const ROOT = join(import.meta.dirname, '..');

/** Packages that can't be bundled: they read files from their own folder, are patched, or are only loaded on demand. */
const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

// Nest contains imports of optional packages, which might not be installed.
const isInstalled = (name) => existsSync(join(ROOT, 'node_modules', name));

function isExternal(id) {
  if (/^[./#\0]/.test(id) || isBuiltin(id)) return false;
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(id);
  return Object.hasOwn(dependencies, name) || !isInstalled(name);
}

/** Fails the build if a chunk uses its own path, because chunks are in a different folder than the source. */
const rejectModulePaths = {
  name: 'reject-module-paths',
  renderChunk(code, { fileName, isEntry }) {
    if (!isEntry && /import\.meta\.(dirname|filename)/.test(code))
      this.error(
        `${fileName} uses import.meta.dirname or import.meta.filename, which are different in a bundle. Read them in main.ts and pass them as arguments.`,
      );
  },
};

rmSync(join(ROOT, 'dist/chunks'), { recursive: true, force: true });

const { output } = await build({
  input: Object.fromEntries(
    globSync('dist/apps/*/src/main.js', { cwd: ROOT }).map((file) => [
      file.slice('dist/'.length, -'.js'.length),
      join(ROOT, file),
    ]),
  ),
  platform: 'node',
  tsconfig: false,
  logLevel: 'warn',
  external: isExternal,
  plugins: [rejectModulePaths],
  output: {
    dir: join(ROOT, 'dist'),
    format: 'esm',
    // Nest uses class names at runtime, and stack traces contain function names.
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
});

/** Folders of the bundled packages. The software bill of materials (SBOM) is generated from this list. */
const bundled = output.flatMap(({ moduleIds = [] }) =>
  moduleIds.flatMap((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(ROOT, id)) ?? []),
);
writeFileSync(join(ROOT, 'dist/bundled-packages.json'), JSON.stringify([...new Set(bundled)].toSorted(), null, 2));

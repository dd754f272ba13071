/**
 * Bundles each program (`dist/apps/NAME/src/main.js`) and the modules it imports into few files. The bundle replaces the
 * compiler's output. See docs/decisions/bundled-programs.md.
 */
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { build } from 'rolldown';

const ROOT = join(import.meta.dirname, '..');

/** Packages that aren't bundled. They load their own files, are patched, or are only loaded on demand. */
const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Nest imports some optional packages that aren't installed. */
const isInstalled = (name) => existsSync(join(ROOT, 'node_modules', name));

function isExternal(id) {
  if (/^[./#\0]/.test(id) || isBuiltin(id)) return false;
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(id);
  return Object.hasOwn(dependencies, name) || !isInstalled(name);
}

/** Rejects `import.meta.dirname` and `import.meta.filename` in chunks, whose folder isn't that of the source. */
const namesNoFolder = {
  name: 'names-no-folder',
  renderChunk(code, { fileName, isEntry }) {
    if (!isEntry && /import\.meta\.(dirname|filename)/.test(code))
      this.error(`${fileName} has import.meta.dirname: name the folder in a main.ts and hand it over`);
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
  plugins: [namesNoFolder],
  output: {
    dir: join(ROOT, 'dist'),
    format: 'esm',
    // Nest uses class names, and people read function names in stack traces.
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
});

/** Folders of bundled packages, for the bill of materials (SBOM). */
const bundled = output.flatMap(({ moduleIds = [] }) =>
  moduleIds.flatMap((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(ROOT, id)) ?? []),
);
writeFileSync(join(ROOT, 'dist/bundled-packages.json'), JSON.stringify([...new Set(bundled)].toSorted(), null, 2));

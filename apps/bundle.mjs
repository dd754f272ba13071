/**
 * Puts each program, `dist/apps/NAME/src/main.js`, and what it needs into few files, in the place of what the compiler wrote:
 * docs/decisions/bundled-programs.md.
 */
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { build } from 'rolldown';

const ROOT = join(import.meta.dirname, '..');

/** Packages that are installed with the programs: they need their own files, are patched, or load only on demand. */
const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Nest asks for packages that are not installed where nobody wants them. */
const isInstalled = (name) => existsSync(join(ROOT, 'node_modules', name));

function isExternal(id) {
  if (/^[./#\0]/.test(id) || isBuiltin(id)) return false;
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(id);
  return Object.hasOwn(dependencies, name) || !isInstalled(name);
}

/** A folder that code names from where it lies is another one in a chunk. */
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
    // Nest finds providers by their classes, and people read the names in stack traces.
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
});

/** Folders of packages whose code is in the chunks, for the bill of materials. */
const bundled = output.flatMap(({ moduleIds = [] }) =>
  moduleIds.flatMap((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(ROOT, id)) ?? []),
);
writeFileSync(join(ROOT, 'dist/bundled-packages.json'), JSON.stringify([...new Set(bundled)].toSorted(), null, 2));

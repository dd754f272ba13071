/** Bundles the engine with its imports, so the package has no dependencies and runs in every JavaScript runtime. */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { build } from 'rolldown';
import typescript from 'typescript';

const ROOT = join(import.meta.dirname, '../..');
const DIST = join(import.meta.dirname, 'dist');
const HOST = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => ROOT, getNewLine: () => '\n' };

rmSync(DIST, { recursive: true, force: true });
const { output } = await build({
  input: join(import.meta.dirname, 'src/package.ts'),
  cwd: ROOT,
  platform: 'neutral',
  tsconfig: false,
  logLevel: 'warn',
  // Modules for servers only are dropped, because the engine doesn't use their exports.
  treeshake: { moduleSideEffects: false },
  external: isBuiltin,
  resolve: { conditionNames: ['agent-traffic-source', 'browser', 'import', 'default'], mainFields: ['module', 'main'] },
  output: { file: join(DIST, 'index.js'), format: 'esm', keepNames: true },
});
const [{ imports, moduleIds }] = output;
if (imports.length > 0) throw new Error(`The engine must not import other modules: ${imports.join(', ')}`);

/** License texts of the bundled packages. */
const packages = new Set(
  moduleIds.flatMap((id) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(ROOT, id))?.[0] ?? []),
);
const notices = [...packages].toSorted().map((folder) => {
  const [license] = globSync('LICEN[CS]E*', { cwd: join(ROOT, folder) });
  return `${folder.slice('node_modules/'.length)}\n\n${readFileSync(join(ROOT, folder, license), 'utf8').trim()}\n`;
});
writeFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), notices.join(`\n${'-'.repeat(72)}\n\n`));

// The public types only refer to each other, so each file can be converted on its own.
for (const name of ['package', 'engine', 'snapshot-error', 'types']) {
  const source = readFileSync(join(import.meta.dirname, `src/${name}.ts`), 'utf8');
  const { outputText, diagnostics } = typescript.transpileDeclaration(source, {
    compilerOptions: {},
    reportDiagnostics: true,
  });
  if (diagnostics.length > 0) throw new Error(typescript.formatDiagnostics(diagnostics, HOST));
  writeFileSync(join(DIST, `${name}.d.ts`), outputText);
}

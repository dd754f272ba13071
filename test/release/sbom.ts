/**
 * Writes the CycloneDX 1.5 SBOM of a release. It lists all packages that production installs or bundles. Requires a
 * build and `npm ci --prefix test/tools`:
 *
 *   npm run sbom -- agent-traffic-0.1.0.cdx.json
 *
 * `npm sbom --omit=dev` also omits production packages that a development dependency uses (npm 11). To avoid this, npm
 * gets a copy of the lock file without development dependencies.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { TOOLS } from '../kit/tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const SCHEMAS = join(TOOLS, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');

type Versions = Record<string, string>;
interface LockedPackage {
  version?: string;
  dev?: boolean;
  dependencies?: Versions;
  devDependencies?: Versions;
  peerDependencies?: Versions;
}
interface LockFile {
  packages: Record<string, LockedPackage>;
}
interface Manifest {
  name: string;
  dependencies?: Versions;
  devDependencies?: Versions;
}
interface Bill {
  components: { name: string; version: string }[];
}

/**
 * Reduces the lock file to packages that production installs or bundles. Bundled packages become production
 * dependencies, and keep only dependencies that are also installed or bundled.
 *
 * @param bundled lock file paths of the bundled packages
 */
export function productionOf(lock: LockFile, bundled: readonly string[]): LockFile {
  const kept = Object.entries(lock.packages).filter(
    ([path, { dev }]) => path !== '' && (dev !== true || bundled.includes(path)),
  );
  const names = new Set(kept.map(([path]) => nameOf(path)));
  const keptOf = (versions: Versions = {}): Versions =>
    Object.fromEntries(Object.entries(versions).filter(([name]) => names.has(name)));
  const packages = kept.map(([path, { dev, ...rest }]): [string, LockedPackage] =>
    dev === true
      ? [path, { ...rest, dependencies: keptOf(rest.dependencies), peerDependencies: keptOf(rest.peerDependencies) }]
      : [path, rest],
  );
  const { devDependencies: _, ...root } = lock.packages['']!;
  const bundledVersions = kept
    .filter(([path, { dev }]) => dev === true && path === `node_modules/${nameOf(path)}`)
    .map(([path, { version }]): [string, string] => [nameOf(path), version!]);
  const dependencies = { ...root.dependencies, ...Object.fromEntries(bundledVersions) };
  return { ...lock, packages: { '': { ...root, dependencies }, ...Object.fromEntries(packages) } };
}

function nameOf(path: string): string {
  return path.split('node_modules/').at(-1)!;
}

/** Returns the packages of a lock file that are missing from the SBOM, as `name@version`. */
export function missingFrom({ components }: Bill, { packages }: LockFile): string[] {
  const named = new Set(components.map(({ name, version }) => `${name}@${version}`));
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version }]) => `${nameOf(path)}@${version}`)
    .filter((name) => !named.has(name));
}

/**
 * Validates a document against the CycloneDX 1.5 schema.
 *
 * @returns the errors as text, or null if the document is valid
 */
export async function schemaFaults(bill: unknown): Promise<string | null> {
  const ajv = new Ajv({ strict: false });
  const read = async (name: string): Promise<object> => JSON.parse(await readFile(join(SCHEMAS, name), 'utf8'));
  // IDs that the main schema uses in its references.
  for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json']) {
    ajv.addSchema(await read(name), `http://cyclonedx.org/schema/${name}`);
  }
  addFormats.default(ajv);
  // JSON Schema 2019-09 formats that ajv-formats lacks. Any value passes.
  for (const format of ['idn-email', 'iri-reference']) ajv.addFormat(format, true);
  return ajv.validate(await read('bom-1.5.SNAPSHOT.schema.json'), bill) ? null : ajv.errorsText();
}

async function makeBill(lock: LockFile): Promise<string> {
  const { devDependencies: _, ...manifest } = JSON.parse(
    await readFile(join(ROOT, 'package.json'), 'utf8'),
  ) as Manifest;
  const temporary = await mkdtemp(join(tmpdir(), 'sbom-'));
  // npm uses the folder's name as the name of the product.
  const folder = join(temporary, manifest.name);
  try {
    await mkdir(folder);
    const { dependencies } = lock.packages['']!;
    await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, dependencies }));
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
    const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
    const { stdout } = await promisify(execFile)('npm', args, { cwd: folder, maxBuffer: 2 ** 26 });
    return stdout;
  } finally {
    await rm(temporary, { recursive: true });
  }
}

async function main(path: string): Promise<void> {
  const read = async <T>(file: string): Promise<T> => JSON.parse(await readFile(join(ROOT, file), 'utf8')) as T;
  const bundled = await read<string[]>('dist/bundled-packages.json');
  const lock = productionOf(await read<LockFile>('package-lock.json'), bundled);
  const text = await makeBill(lock);
  const bill = JSON.parse(text) as Bill;
  const faults = await schemaFaults(bill);
  if (faults !== null) throw new Error(`The bill of materials is not CycloneDX 1.5: ${faults}`);
  const missing = missingFrom(bill, lock);
  if (missing.length > 0) throw new Error(`The bill of materials leaves out ${missing.join(', ')}`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  process.stdout.write(`${path}: ${bill.components.length} packages\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(process.argv[2] ?? join(ROOT, 'dist/sbom.cdx.json'));
}

/**
 * Writes a release's CycloneDX 1.5 SBOM, which lists all packages that production installs or bundles. Requires a build
 * and `npm ci --prefix test/tools`:
 *
 *   npm run sbom -- agent-traffic-0.1.0.cdx.json
 *
 * In npm 11, `npm sbom --omit=dev` also omits production packages that a development dependency uses. To avoid this, npm
 * reads a copy of the lock file without development dependencies.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { TOOLS_FOLDER } from '../kit/tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const SCHEMAS = join(TOOLS_FOLDER, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');

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
interface Sbom {
  components: { name: string; version: string }[];
}

/**
 * Reduces a lock file to packages that production installs or bundles. Bundled packages become production dependencies.
 * Their own dependencies are removed unless they are also installed or bundled.
 *
 * @param bundled Lock file paths of the bundled packages.
 */
export function selectProductionPackages(lock: LockFile, bundled: readonly string[]): LockFile {
  const productionPackages = Object.entries(lock.packages).filter(
    ([path, { dev }]) => path !== '' && (dev !== true || bundled.includes(path)),
  );
  const names = new Set(productionPackages.map(([path]) => getPackageName(path)));
  const filterVersions = (versions: Versions = {}): Versions =>
    Object.fromEntries(Object.entries(versions).filter(([name]) => names.has(name)));
  const packages = productionPackages.map(([path, { dev, ...rest }]): [string, LockedPackage] =>
    dev === true
      ? [
          path,
          {
            ...rest,
            dependencies: filterVersions(rest.dependencies),
            peerDependencies: filterVersions(rest.peerDependencies),
          },
        ]
      : [path, rest],
  );
  const { devDependencies: _, ...root } = lock.packages['']!;
  const bundledVersions = productionPackages
    .filter(([path, { dev }]) => dev === true && path === `node_modules/${getPackageName(path)}`)
    .map(([path, { version }]): [string, string] => [getPackageName(path), version!]);
  const dependencies = { ...root.dependencies, ...Object.fromEntries(bundledVersions) };
  return { ...lock, packages: { '': { ...root, dependencies }, ...Object.fromEntries(packages) } };
}

function getPackageName(path: string): string {
  return path.split('node_modules/').at(-1)!;
}

/** Returns the packages in a lock file that are missing from the SBOM, as `name@version`. */
export function findMissingPackages({ components }: Sbom, { packages }: LockFile): string[] {
  const listedPackages = new Set(components.map(({ name, version }) => `${name}@${version}`));
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version }]) => `${getPackageName(path)}@${version}`)
    .filter((name) => !listedPackages.has(name));
}

/**
 * Validates a document against the CycloneDX 1.5 schema.
 *
 * @returns The errors as text, or null if the document is valid.
 */
export async function findSchemaErrors(sbom: unknown): Promise<string | null> {
  const ajv = new Ajv({ strict: false });
  const read = async (name: string): Promise<object> => JSON.parse(await readFile(join(SCHEMAS, name), 'utf8'));
  // The main schema refers to these schemas by their IDs, so they must be added.
  for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json']) {
    ajv.addSchema(await read(name), `http://cyclonedx.org/schema/${name}`);
  }
  addFormats.default(ajv);
  // ajv-formats doesn't know these formats of JSON Schema 2019-09, so values in these formats aren't checked.
  for (const format of ['idn-email', 'iri-reference']) ajv.addFormat(format, true);
  return ajv.validate(await read('bom-1.5.SNAPSHOT.schema.json'), sbom) ? null : ajv.errorsText();
}

async function generateSbom(lock: LockFile): Promise<string> {
  const { devDependencies: _, ...manifest } = JSON.parse(
    await readFile(join(ROOT, 'package.json'), 'utf8'),
  ) as Manifest;
  const temporary = await mkdtemp(join(tmpdir(), 'sbom-'));
  // npm uses the name of the folder as the product name, so the folder must have the package's name.
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
  const lock = selectProductionPackages(await read<LockFile>('package-lock.json'), bundled);
  const text = await generateSbom(lock);
  const sbom = JSON.parse(text) as Sbom;
  const schemaErrors = await findSchemaErrors(sbom);
  if (schemaErrors !== null) throw new Error(`The SBOM is not valid CycloneDX 1.5: ${schemaErrors}`);
  const missing = findMissingPackages(sbom, lock);
  if (missing.length > 0) throw new Error(`The SBOM is missing packages: ${missing.join(', ')}`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  process.stdout.write(`${path}: ${sbom.components.length} packages\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(process.argv[2] ?? join(ROOT, 'dist/sbom.cdx.json'));
}

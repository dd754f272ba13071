/**
 * Builds images with podman when no registry is available. Base images are built from Debian packages and tagged with
 * the official names.
 */
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { kafkaClassPath } from '../stack/kafka-files.ts';
import { ensureCommands } from '../stack/packages.ts';
import { podman, ROOT, run } from './podman.ts';

const STAND_IN_FOLDER = join(import.meta.dirname, 'stand-in');
const BASE_IMAGE = 'docker.io/library/node:24-slim';
/** Official images in docker-compose.yml. A single stand-in image is tagged with all of these names. */
const OFFICIAL_IMAGES = [
  'docker.io/library/postgres:18-alpine',
  'docker.io/apache/kafka:4.1.0',
  'docker.io/library/redis:7.4-alpine',
  'docker.io/library/nginx:1.29-alpine',
];
/** This machine's CA certificates and npm settings. Builds need them to reach the npm registry through a proxy. */
const CA_CERTIFICATES_PATH = '/etc/ssl/certs/ca-certificates.crt';
const NPM_SETTINGS: Record<string, string> = {
  '/etc/npmrc': '/etc/npmrc',
  [join(process.env['HOME'] ?? '/root', '.npmrc')]: '/root/.npmrc',
};

/** Maximum image size in bytes, excluding the base image. */
const MAX_IMAGE_BYTES = 120_000_000;

/**
 * Builds all images in docker-compose.yml. Base images are built only once per machine. @returns a summary for the log
 */
export async function buildImages(): Promise<string> {
  await ensureCommands({
    podman: 'podman',
    runc: 'runc',
    buildah: 'buildah',
    debootstrap: 'debootstrap',
    iptables: 'iptables',
    catatonit: 'catatonit',
  });
  await ensureCommands({ '/usr/lib/podman/netavark': 'netavark', '/usr/lib/podman/aardvark-dns': 'aardvark-dns' });
  if (!(await exists(OFFICIAL_IMAGES.at(-1)!))) await buildBaseImages();
  const mounts = (await filterReadable(Object.keys(NPM_SETTINGS))).flatMap((path) => [
    '-v',
    `${path}:${NPM_SETTINGS[path]}:ro`,
  ]);
  await build(['--network=host', ...mounts, '-f', join(ROOT, 'deploy/Dockerfile'), '-t', 'agent-traffic', ROOT]);
  return 'Built the image from deploy/Dockerfile';
}

/**
 * Checks the image's size and user.
 *
 * @returns a summary for the log
 * @throws {Error} if the image is too large or runs as root
 */
export async function checkImage(): Promise<string> {
  const [user, size] = (
    await podman('image', 'inspect', '--format', '{{.Config.User}} {{.Size}}', 'agent-traffic')
  ).split(' ');
  const base = Number(await podman('image', 'inspect', '--format', '{{.Size}}', BASE_IMAGE));
  const bytes = Number(size) - base;
  if (user !== 'node') throw new Error(`The image runs as ${user}. Expected node.`);
  if (bytes > MAX_IMAGE_BYTES)
    throw new Error(`The image adds ${bytes} bytes to its base. The limit is ${MAX_IMAGE_BYTES}.`);
  return `The image adds ${Math.round(bytes / 1e6)} MB to its base of ${Math.round(base / 1e6)} MB`;
}

async function buildBaseImages(): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'agent-traffic-images-'));
  try {
    const root = join(work, 'root');
    await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', root]);
    await cp(CA_CERTIFICATES_PATH, join(root, CA_CERTIFICATES_PATH));
    await addNode(root);
    await importImage(root, BASE_IMAGE);
    await buildStandIn(join(work, 'context'));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Adds this machine's Node.js and npm, and creates the official image's user. */
async function addNode(root: string): Promise<void> {
  const lib = join(root, 'usr/local/lib/node_modules');
  const { stdout: npm } = await run('sh', ['-c', 'readlink -f "$(command -v npm)"']);
  await mkdir(lib, { recursive: true });
  await cp(join(ROOT, 'node_modules/node/bin/node'), join(root, 'usr/local/bin/node'));
  await cp(join(dirname(npm), '..'), join(lib, 'npm'), { recursive: true, verbatimSymlinks: true });
  const script =
    'ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && groupadd -g 1000 node && useradd -m -u 1000 -g node node';
  await run('chroot', [root, 'sh', '-c', `${script} && rm -rf /var/lib/apt/lists/* /var/cache/apt/archives/*.deb`]);
}

async function importImage(root: string, name: string): Promise<void> {
  const environment = [
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    `NODE_EXTRA_CA_CERTS=${CA_CERTIFICATES_PATH}`,
  ];
  const changes = environment.map((variable) => `--change 'ENV ${variable}'`).join(' ');
  await run('bash', [
    '-c',
    `set -o pipefail; tar -C "$1" -c . | podman import -q ${changes} - "$2"`,
    'import',
    root,
    name,
  ]);
}

async function buildStandIn(context: string): Promise<void> {
  const version = OFFICIAL_IMAGES.find((name) => name.includes('kafka'))!.split(':')[1]!;
  await cp(STAND_IN_FOLDER, context, { recursive: true });
  await cp(dirname(await kafkaClassPath(version)), join(context, 'kafka-libs'), { recursive: true });
  await build(['--network=host', ...OFFICIAL_IMAGES.flatMap((name) => ['-t', name]), context]);
}

const build = (args: string[]) =>
  run('buildah', ['build', '--pull-never', '--isolation=chroot', ...args], { cwd: ROOT });

const exists = (image: string): Promise<boolean> =>
  podman('image', 'exists', image).then(
    () => true,
    () => false,
  );

async function filterReadable(paths: string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      readFile(path).then(
        () => [path],
        () => [],
      ),
    ),
  );
  return found.flat();
}

/**
 * Builds images with podman when no registry is available. The base images contain Debian packages and get the official
 * names.
 */
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { kafkaClassPath } from '../stack/kafka-files.ts';
import { ensureCommands } from '../stack/packages.ts';
import { podman, ROOT, run } from './podman.ts';

const STAND_IN = join(import.meta.dirname, 'stand-in');
const BASE = 'docker.io/library/node:24-slim';
/** Official images of docker-compose.yml. All are names of a single stand-in image. */
const OFFICIAL = [
  'docker.io/library/postgres:18-alpine',
  'docker.io/apache/kafka:4.1.0',
  'docker.io/library/redis:7.4-alpine',
  'docker.io/library/nginx:1.29-alpine',
];
/** CA certificates and npm settings of this machine. A build needs them to reach the npm registry through a proxy. */
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
const NPM_SETTINGS: Record<string, string> = {
  '/etc/npmrc': '/etc/npmrc',
  [join(process.env['HOME'] ?? '/root', '.npmrc')]: '/root/.npmrc',
};

/** Maximum size of the image in bytes, without its base. */
const MAX_IMAGE_BYTES = 120_000_000;

/** Builds all images of docker-compose.yml. Base images are only built once per machine. @returns a summary. */
export async function makeImages(): Promise<string> {
  await ensureCommands({
    podman: 'podman',
    runc: 'runc',
    buildah: 'buildah',
    debootstrap: 'debootstrap',
    iptables: 'iptables',
    catatonit: 'catatonit',
  });
  await ensureCommands({ '/usr/lib/podman/netavark': 'netavark', '/usr/lib/podman/aardvark-dns': 'aardvark-dns' });
  if (!(await isThere(OFFICIAL.at(-1)!))) await makeBases();
  const mounts = (await readable(Object.keys(NPM_SETTINGS))).flatMap((path) => [
    '-v',
    `${path}:${NPM_SETTINGS[path]}:ro`,
  ]);
  await build(['--network=host', ...mounts, '-f', join(ROOT, 'deploy/Dockerfile'), '-t', 'agent-traffic', ROOT]);
  return 'the image of deploy/Dockerfile is built';
}

/** @returns the image size as text. @throws if the image is too large or runs as root. */
export async function checkImage(): Promise<string> {
  const [user, size] = (
    await podman('image', 'inspect', '--format', '{{.Config.User}} {{.Size}}', 'agent-traffic')
  ).split(' ');
  const base = Number(await podman('image', 'inspect', '--format', '{{.Size}}', BASE));
  const bytes = Number(size) - base;
  if (user !== 'node') throw new Error(`the image runs as ${user}`);
  if (bytes > MAX_IMAGE_BYTES)
    throw new Error(`the image takes ${bytes} bytes over its base, at most ${MAX_IMAGE_BYTES} are wanted`);
  return `it takes ${Math.round(bytes / 1e6)} MB over its base of ${Math.round(base / 1e6)} MB`;
}

async function makeBases(): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'agent-traffic-images-'));
  try {
    const root = join(work, 'root');
    await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', root]);
    await cp(AUTHORITIES, join(root, AUTHORITIES));
    await addNode(root);
    await importImage(root, BASE);
    await makeStandIn(join(work, 'context'));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Adds this machine's Node.js and npm, and the user of the official image. */
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
    `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`,
  ];
  const changes = environment.map((each) => `--change 'ENV ${each}'`).join(' ');
  await run('bash', [
    '-c',
    `set -o pipefail; tar -C "$1" -c . | podman import -q ${changes} - "$2"`,
    'import',
    root,
    name,
  ]);
}

async function makeStandIn(context: string): Promise<void> {
  const version = OFFICIAL.find((name) => name.includes('kafka'))!.split(':')[1]!;
  await cp(STAND_IN, context, { recursive: true });
  await cp(dirname(await kafkaClassPath(version)), join(context, 'kafka-libs'), { recursive: true });
  await build(['--network=host', ...OFFICIAL.flatMap((name) => ['-t', name]), context]);
}

const build = (args: string[]) =>
  run('buildah', ['build', '--pull-never', '--isolation=chroot', ...args], { cwd: ROOT });

const isThere = (image: string): Promise<boolean> =>
  podman('image', 'exists', image).then(
    () => true,
    () => false,
  );

async function readable(paths: string[]): Promise<string[]> {
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

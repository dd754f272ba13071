/**
 * Checks that a release pins its images by digest, or updates the digests:
 *
 *   node test/release/images.ts                    lists images without a digest, and fails if there are any
 *   node test/release/images.ts --pin              fetches all digests from the registries (requires docker)
 *   node test/release/images.ts --chart DIGEST             sets our own image's digest in the Helm chart values
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
/** Matches `image:` in Compose files and `FROM` in Dockerfiles, except for the image built from this repository. */
const IMAGE_REFERENCE = /^( *image: |FROM (?:--\S+ )?)(?!agent-traffic$)([^\s@]+)(@sha256:[0-9a-f]{64})?(?=\s|$)/gm;
const FILES = ['docker-compose.yml', 'deploy/Dockerfile'];
const VALUES_FILE = 'deploy/helm/values.yaml';
const CHART_DIGEST = /^( {2}digest: ).*$/m;
const DIGEST_PATTERN = /^sha256:[0-9a-f]{64}$/;

export const findUnpinnedImages = (text: string): string[] =>
  [...text.matchAll(IMAGE_REFERENCE)].flatMap(([, , image, digest]) => (digest === undefined ? [image!] : []));

/** Pins every image in a text to its current digest. Replaces older digests. */
export async function pinImages(text: string, fetchDigest: (image: string) => Promise<string>): Promise<string> {
  const images = new Set([...text.matchAll(IMAGE_REFERENCE)].map(([, , image]) => image!));
  const digests = new Map<string, string>();
  for (const image of images) digests.set(image, requireDigest(await fetchDigest(image), image));
  return text.replaceAll(
    IMAGE_REFERENCE,
    (_, start: string, image: string) => `${start}${image}@${digests.get(image)}`,
  );
}

export function setChartDigest(values: string, digest: string): string {
  if (!CHART_DIGEST.test(values)) throw new Error(`${VALUES_FILE} doesn't contain image.digest.`);
  return values.replace(CHART_DIGEST, `$1${requireDigest(digest, 'the image')}`);
}

function requireDigest(digest: string, image: string): string {
  if (!DIGEST_PATTERN.test(digest))
    throw new Error(`The digest of ${image} must be sha256: and 64 hex digits (got "${digest}").`);
  return digest;
}

/** Fetches the digest of an image's multi-platform index from its registry. */
async function fetchRegistryDigest(image: string): Promise<string> {
  const args = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'];
  return (await run('docker', args)).stdout.trim();
}

async function updateFile(file: string, update: (text: string) => Promise<string> | string): Promise<void> {
  const path = join(ROOT, file);
  await writeFile(path, await update(await readFile(path, 'utf8')));
}

async function main([option, digest = '']: readonly string[]): Promise<void> {
  if (option === '--chart') return updateFile(VALUES_FILE, (text) => setChartDigest(text, digest));
  if (option === '--pin') {
    for (const file of FILES) await updateFile(file, (text) => pinImages(text, fetchRegistryDigest));
    return;
  }
  const unpinnedReferences: string[] = [];
  for (const file of FILES) {
    for (const image of findUnpinnedImages(await readFile(join(ROOT, file), 'utf8')))
      unpinnedReferences.push(`${file}: ${image}`);
  }
  if (unpinnedReferences.length === 0) return;
  console.error(`Pin these images with \`node test/release/images.ts --pin\`:\n${unpinnedReferences.join('\n')}`);
  process.exitCode = 1;
}

if (import.meta.main) await main(process.argv.slice(2));

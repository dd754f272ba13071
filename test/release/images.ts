/**
 * Checks that a release pins its images by digest, or updates the digests:
 *
 *   node test/release/images.ts                    lists images without a digest, and fails if there are any
 *   node test/release/images.ts --pin              fetches all digests from the registries (requires docker)
 *   node test/release/images.ts --chart DIGEST     sets the digest of our own image in the values of the Helm chart
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
/** Matches `image:` in Compose files and `FROM` in Dockerfiles, except for the image built from this repository. */
const REFERENCE = /^( *image: |FROM (?:--\S+ )?)(?!agent-traffic$)([^\s@]+)(@sha256:[0-9a-f]{64})?(?=\s|$)/gm;
const FILES = ['docker-compose.yml', 'deploy/Dockerfile'];
const VALUES = 'deploy/helm/values.yaml';
const CHART_DIGEST = /^( {2}digest: ).*$/m;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

export const unpinned = (text: string): string[] =>
  [...text.matchAll(REFERENCE)].flatMap(([, , image, digest]) => (digest === undefined ? [image!] : []));

/** Returns the text with the current digest of every image, replacing older digests. */
export async function pinned(text: string, digestOf: (image: string) => Promise<string>): Promise<string> {
  const images = new Set([...text.matchAll(REFERENCE)].map(([, , image]) => image!));
  const digests = new Map<string, string>();
  for (const image of images) digests.set(image, requireDigest(await digestOf(image), image));
  return text.replaceAll(REFERENCE, (_, start: string, image: string) => `${start}${image}@${digests.get(image)}`);
}

export function withChartDigest(values: string, digest: string): string {
  if (!CHART_DIGEST.test(values)) throw new Error(`${VALUES} has no image.digest.`);
  return values.replace(CHART_DIGEST, `$1${requireDigest(digest, 'the image')}`);
}

function requireDigest(digest: string, image: string): string {
  if (!DIGEST.test(digest))
    throw new Error(`The digest of ${image} must be sha256: and 64 hex digits (got "${digest}").`);
  return digest;
}

/** Fetches the digest of the multi-platform index from the registry. */
async function askRegistry(image: string): Promise<string> {
  const args = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'];
  return (await run('docker', args)).stdout.trim();
}

async function change(file: string, changed: (text: string) => Promise<string> | string): Promise<void> {
  const path = join(ROOT, file);
  await writeFile(path, await changed(await readFile(path, 'utf8')));
}

async function main([option, digest = '']: readonly string[]): Promise<void> {
  if (option === '--chart') return change(VALUES, (text) => withChartDigest(text, digest));
  if (option === '--pin') {
    for (const file of FILES) await change(file, (text) => pinned(text, askRegistry));
    return;
  }
  const found: string[] = [];
  for (const file of FILES) {
    for (const image of unpinned(await readFile(join(ROOT, file), 'utf8'))) found.push(`${file}: ${image}`);
  }
  if (found.length === 0) return;
  console.error(`Pin these images with \`node test/release/images.ts --pin\`:\n${found.join('\n')}`);
  process.exitCode = 1;
}

if (import.meta.main) await main(process.argv.slice(2));

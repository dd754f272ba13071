import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinImages, findUnpinnedImages, setChartDigest } from './images.js';

const readRepositoryFile = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const createDigest = (digit: number): string => `sha256:${String(digit).repeat(64)}`;
const removeDigests = (text: string): string => text.replaceAll(/@sha256:[0-9a-f]{64}/g, '');

it.each([
  [
    'docker-compose.yml',
    [
      'postgres',
      'apache/kafka',
      'redis',
      'nginx',
      'clickhouse/clickhouse-server',
      'prom/prometheus',
      'grafana/grafana',
    ],
  ],
  ['deploy/Dockerfile', ['node', 'node']],
])('pins every third-party image in %s', async (file, names) => {
  const text = removeDigests(readRepositoryFile(file));
  const unpinnedImages = findUnpinnedImages(text);
  expect(unpinnedImages.map((image) => image.split(':')[0])).toEqual(names);
  const result = await pinImages(text, () => Promise.resolve(createDigest(1)));
  expect(findUnpinnedImages(result)).toEqual([]);
  expect(removeDigests(result)).toBe(text);
  expect(result.match(/@sha256:1{64}/g)).toHaveLength(names.length);
});

it('replaces outdated digests without changing stages, comments or our own image', async () => {
  const text = [
    `FROM --platform=$BUILDPLATFORM node:24-slim@${createDigest(2)} AS build`,
    'FROM node:24-slim',
    '    image: redis:7 # the last one',
    '  image: agent-traffic',
  ].join('\n');
  expect(findUnpinnedImages(text)).toEqual(['node:24-slim', 'redis:7']);
  expect(await pinImages(text, (image) => Promise.resolve(createDigest(image === 'redis:7' ? 3 : 4)))).toBe(
    [
      `FROM --platform=$BUILDPLATFORM node:24-slim@${createDigest(4)} AS build`,
      `FROM node:24-slim@${createDigest(4)}`,
      `    image: redis:7@${createDigest(3)} # the last one`,
      '  image: agent-traffic',
    ].join('\n'),
  );
});

it('rejects invalid digests', async () => {
  await expect(pinImages('FROM node:24', () => Promise.resolve('latest'))).rejects.toThrow(
    'The digest of node:24 must be',
  );
  expect(() => setChartDigest(readRepositoryFile('deploy/helm/values.yaml'), '')).toThrow('must be sha256:');
});

it("writes our image's digest into the chart values", () => {
  const values = setChartDigest(readRepositoryFile('deploy/helm/values.yaml'), createDigest(5));
  expect(values).toContain(`  digest: ${createDigest(5)}\n`);
  expect(values.split('\n')).toHaveLength(readRepositoryFile('deploy/helm/values.yaml').split('\n').length);
});

it('runs the image script before the image is built and before the chart is packaged', () => {
  const workflow = readRepositoryFile('.github/workflows/docker.yml');
  const stepOffsets = [
    'node test/release/images.ts\n',
    'docker/build-push-action@',
    'node test/release/images.ts --chart "${{ steps.build.outputs.digest }}"',
    'helm package deploy/helm',
    'helm push',
  ].map((step) => workflow.indexOf(step));
  expect(stepOffsets).toEqual(stepOffsets.toSorted((one, other) => one - other));
  expect(stepOffsets).not.toContain(-1);
});

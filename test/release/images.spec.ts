import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinned, unpinned, withChartDigest } from './images.js';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const digestOf = (digit: number): string => `sha256:${String(digit).repeat(64)}`;
const withoutDigests = (text: string): string => text.replaceAll(/@sha256:[0-9a-f]{64}/g, '');

it.each([
  ['docker-compose.yml', ['postgres', 'apache/kafka', 'redis', 'nginx', 'prom/prometheus', 'grafana/grafana']],
  ['deploy/Dockerfile', ['node', 'node']],
])('pins every third-party image of %s', async (file, names) => {
  const text = withoutDigests(read(file));
  const found = unpinned(text);
  expect(found.map((image) => image.split(':')[0])).toEqual(names);
  const result = await pinned(text, () => Promise.resolve(digestOf(1)));
  expect(unpinned(result)).toEqual([]);
  expect(withoutDigests(result)).toBe(text);
  expect(result.match(/@sha256:1{64}/g)).toHaveLength(names.length);
});

it('replaces an older digest, and leaves stages, comments and our image unchanged', async () => {
  const text = [
    `FROM --platform=$BUILDPLATFORM node:24-slim@${digestOf(2)} AS build`,
    'FROM node:24-slim',
    '    image: redis:7 # the last one',
    '  image: agent-traffic',
  ].join('\n');
  expect(unpinned(text)).toEqual(['node:24-slim', 'redis:7']);
  expect(await pinned(text, (image) => Promise.resolve(digestOf(image === 'redis:7' ? 3 : 4)))).toBe(
    [
      `FROM --platform=$BUILDPLATFORM node:24-slim@${digestOf(4)} AS build`,
      `FROM node:24-slim@${digestOf(4)}`,
      `    image: redis:7@${digestOf(3)} # the last one`,
      '  image: agent-traffic',
    ].join('\n'),
  );
});

it('rejects anything that is not a digest', async () => {
  await expect(pinned('FROM node:24', () => Promise.resolve('latest'))).rejects.toThrow(
    'The digest of node:24 must be',
  );
  expect(() => withChartDigest(read('deploy/helm/values.yaml'), '')).toThrow('must be sha256:');
});

it("writes our image's digest into the chart values", () => {
  const values = withChartDigest(read('deploy/helm/values.yaml'), digestOf(5));
  expect(values).toContain(`  digest: ${digestOf(5)}\n`);
  expect(values.split('\n')).toHaveLength(read('deploy/helm/values.yaml').split('\n').length);
});

it('runs before the image build and before the chart is packaged', () => {
  const workflow = read('.github/workflows/docker.yml');
  const places = [
    'node test/release/images.ts\n',
    'docker/build-push-action@',
    'node test/release/images.ts --chart "${{ steps.build.outputs.digest }}"',
    'helm package deploy/helm',
    'helm push',
  ].map((step) => workflow.indexOf(step));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
});

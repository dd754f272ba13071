import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Sources of COPY that come from the repository. */
const sources = [...read('deploy/Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) =>
  paths!.split(' '),
);

it('copies what is there, and what .dockerignore lets through', () => {
  expect(sources).toEqual(expect.arrayContaining(['package.json', 'libs', 'apps', 'apps/cli/bin']));
  const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path);
  for (const source of sources) {
    expect([source, existsSync(join(ROOT, source))]).toEqual([source, true]);
    expect(allowed).toContain(source.split('/')[0]);
  }
});

it('builds with every file of the compiler', () => {
  for (const file of ['tsconfig.build.json', JSON.parse(read('tsconfig.build.json')).extends as string]) {
    expect(sources).toContain(file.replace(/^\.\//, ''));
  }
});

it('runs as another user than root, who owns what the volumes of secrets start with', () => {
  const [, image] = read('deploy/Dockerfile').split(/^FROM .*$(?![^]*^FROM )/m);
  expect(image).toMatch(/^USER node$/m);
  const [, names] = /for service in ([a-z ]+); do/.exec(image!)!;
  const mounted = [...read('docker-compose.yml').matchAll(/-secrets:\/run\/agent-traffic\/([a-z]+)$/gm)];
  expect(names!.split(' ')).toEqual(expect.arrayContaining(mounted.map(([, name]) => name)));
});

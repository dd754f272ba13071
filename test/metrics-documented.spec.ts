import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

it('documents every metric, and none that does not exist', async () => {
  const declared: string[] = [];
  for await (const file of glob('{apps,libs}/**/*.ts', { cwd: ROOT, exclude: (name) => name === 'node_modules' })) {
    if (file.endsWith('.spec.ts')) continue;
    const text = await readFile(join(ROOT, file), 'utf8');
    declared.push(...[...text.matchAll(/name: '(agent_traffic_\w+)'/g)].map(([, name]) => name!));
  }
  const page = await readFile(join(ROOT, 'docs/metrics.md'), 'utf8');
  const documented = [...page.matchAll(/^\| `(agent_traffic_\w+)`/gm)].map(([, name]) => name!);
  expect(declared.length).toBeGreaterThan(30);
  expect(documented.toSorted()).toEqual(declared.toSorted());
});

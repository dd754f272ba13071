import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const DATA = join(import.meta.dirname, '../data');

it('documents every source code of the data exactly once', async () => {
  const files = ['agents', 'assistants', 'proxies', 'data-centers'].map(async (name) => {
    const entries = JSON.parse(await readFile(join(DATA, `${name}.json`), 'utf8')) as { sources?: string[] }[];
    return entries.flatMap(({ sources = [] }) => sources);
  });
  const usedCodes = new Set((await Promise.all(files)).flat());
  const [, table = ''] = (await readFile(join(DATA, 'README.md'), 'utf8')).split('## Sources');
  const documentedCodes = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, code]) => code);
  expect(documentedCodes.toSorted()).toEqual([...usedCodes].toSorted());
});

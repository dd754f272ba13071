import { randomBytes } from 'node:crypto';
import { firstLoadBytes } from './first-load.js';

const chunk = (fileName: string, imports: string[] = [], dynamicImports: string[] = []) => ({
  fileName,
  imports,
  dynamicImports,
  isEntry: fileName === 'main.js',
  code: randomBytes(1_000).toString('latin1'),
});

it('counts the entry, its largest page and their static imports once, without lazy chunks', () => {
  const chunks = [
    chunk('main.js', ['react.js'], ['small-page.js', 'page.js']),
    chunk('react.js', ['shared.js']),
    chunk('shared.js', ['main.js']),
    chunk('small-page.js'),
    chunk('page.js', ['shared.js', 'table.js'], ['chart.js']),
    chunk('table.js'),
    chunk('chart.js'),
  ];
  const chunkBytes = (name: string): number => {
    const { code } = chunks.find(({ fileName }) => fileName === name)!;
    return firstLoadBytes([{ ...chunk('main.js'), code }]);
  };
  const countedSizes = ['main.js', 'react.js', 'shared.js', 'page.js', 'table.js'].map(chunkBytes);
  expect(firstLoadBytes(chunks)).toBe(countedSizes.reduce((sum, bytes) => sum + bytes, 0));
});

import { randomBytes } from 'node:crypto';
import { firstLoadBytes } from './first-load.js';

const chunk = (fileName: string, imports: string[] = [], dynamicImports: string[] = []) => ({
  fileName,
  imports,
  dynamicImports,
  isEntry: fileName === 'main.js',
  code: randomBytes(1_000).toString('latin1'),
});

it('counts the entry, its heaviest page and their imports once, but no lazy chunks', () => {
  const chunks = [
    chunk('main.js', ['react.js'], ['small-page.js', 'page.js']),
    chunk('react.js', ['shared.js']),
    chunk('shared.js', ['main.js']),
    chunk('small-page.js'),
    chunk('page.js', ['shared.js', 'table.js'], ['chart.js']),
    chunk('table.js'),
    chunk('chart.js'),
  ];
  const alone = (name: string): number => {
    const { code } = chunks.find(({ fileName }) => fileName === name)!;
    return firstLoadBytes([{ ...chunk('main.js'), code }]);
  };
  const counted = ['main.js', 'react.js', 'shared.js', 'page.js', 'table.js'].map(alone);
  expect(firstLoadBytes(chunks)).toBe(counted.reduce((sum, bytes) => sum + bytes, 0));
});

import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const STYLES = join(import.meta.dirname, '../../../node_modules/@mantine/core/styles');

const COMMON_STYLES = readFileSync(join(import.meta.dirname, 'mantine.css'), 'utf8');

it('includes the styles of all Mantine components in use', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname });
  const missing = files.flatMap((file) => {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8');
    return [...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)]
      .flatMap(([, names]) => names!.split(','))
      .map((name) => `/${name.trim()}.css`)
      .filter((style) => existsSync(join(STYLES, style)))
      .filter((style) => ![COMMON_STYLES, source].some((text) => text.includes(`styles${style}'`)))
      .map((style) => `${file}: ${style}`);
  });
  expect(missing).toEqual([]);
});

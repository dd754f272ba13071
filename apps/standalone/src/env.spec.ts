import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readSettings } from './env.js';

const deploy = join(import.meta.dirname, '../../../deploy');
const read = (name: string) => parseEnv(readFileSync(join(deploy, name), 'utf8'));

describe('settings', () => {
  it('have defaults, which the reference states', () => {
    const minimal = readSettings(read('minimal.env'));
    expect(readSettings(read('reference.env'))).toEqual(minimal);
    expect(minimal).toMatchObject({ PORT: 3000, HOST: '127.0.0.1', DATA_DIR: './data', visitRate: null });
  });

  it('are all in the reference and in the README', () => {
    const readme = readFileSync(join(deploy, '../README.md'), 'utf8');
    const names = Object.keys(read('reference.env'));
    expect(names.toSorted()).toEqual([...readme.matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name]) => name).toSorted());
    // An unknown value is refused by each, so each of them is read.
    const faults = (): unknown =>
      readSettings(Object.fromEntries(names.filter((name) => name !== 'DATA_DIR').map((name) => [name, '\u0000 x'])));
    for (const name of ['PORT', 'HOST', 'SECRET_KEY', 'API_KEY', 'RETENTION_DAYS', 'LOG_LEVEL', 'LOG_FORMAT']) {
      expect(faults).toThrow(name);
    }
  });

  it('give a rate its burst', () => {
    expect(readSettings({ RATE_LIMIT_VISITS_PER_SECOND: '50' }).visitRate).toEqual({ perSecond: 50, burst: 500 });
    expect(readSettings({ RATE_LIMIT_VISITS_PER_SECOND: '50', RATE_LIMIT_BURST: '60' }).visitRate).toEqual({
      perSecond: 50,
      burst: 60,
    });
  });
});

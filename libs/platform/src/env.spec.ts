import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError, integer, readEnvironment, secret, str, words } from './env.js';

const specification = {
  PORT: integer({ min: 0, max: 65_535 })({ default: 3000 }),
  NAME: str(),
  KEY: secret(20)({ default: undefined }),
  WORDS: words({ default: [] }),
};

describe('readEnvironment', () => {
  it('reads values and treats blank values as unset', () => {
    expect(readEnvironment(specification, { PORT: ' ', NAME: ' x ', WORDS: 'a, b,,c' })).toMatchObject({
      PORT: 3000,
      NAME: 'x',
      KEY: undefined,
      WORDS: ['a', 'b', 'c'],
    });
  });

  it('reports all invalid values at once and hides secrets', () => {
    const read = () => readEnvironment(specification, { PORT: '70000', KEY: 'too-short', KEY_FILE: '/nowhere' });
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(/PORT: must be an integer from 0 to 65535 \(got "70000"\)/);
    expect(read).toThrow(/NAME: /);
    expect(read).toThrow(/KEY: must have at least 20 characters/);
    expect(read).toThrow(/KEY and KEY_FILE are both set/);
    expect(read).not.toThrow(/too-short/);
  });

  it('reads a value from the file named by NAME_FILE', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'env-')), 'key');
    writeFileSync(file, 'a-secret-of-enough-characters\n');
    expect(readEnvironment(specification, { NAME: 'x', KEY_FILE: file }).KEY).toBe('a-secret-of-enough-characters');
    expect(() => readEnvironment(specification, { NAME: 'x', KEY_FILE: `${file}.gone` })).toThrow(/KEY_FILE: ENOENT/);
  });
});

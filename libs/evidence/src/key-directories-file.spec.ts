import { generateKeyPairSync } from 'node:crypto';
import { parseKeySet } from '#libs/agents';
import { readKeyDirectoriesFile } from './key-directories-file.js';

const jwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
const read = (value: unknown) => readKeyDirectoriesFile(JSON.stringify(value));
const WELL_KNOWN = '/.well-known/http-message-signatures-directory';

it('accepts key sets by origin, host or URL and returns them by normalized URL', () => {
  const directories = read({
    'https://Agent.example': { keys: [jwk], purpose: 'ai' },
    'other.example': jwk,
    'https://third.example/keys.json': JSON.stringify({ keys: [jwk] }),
  });
  expect([...directories.keys()]).toEqual([
    `https://agent.example${WELL_KNOWN}`,
    `https://other.example${WELL_KNOWN}`,
    'https://third.example/keys.json',
  ]);
  expect([...directories.values()].map((json) => parseKeySet(json).size)).toEqual([1, 1, 1]);
  expect(JSON.parse(directories.get(`https://agent.example${WELL_KNOWN}`)!)).toEqual({ keys: [jwk], purpose: 'ai' });
});

it.each([
  [{ 'http://a.example': jwk }, 'not an https URL: http://a.example'],
  [{ 'https://a.example': 7 }, 'https://a.example: A key set must be a JSON object'],
  [{ 'https://a.example': { keys: [] } }, 'https://a.example: it contains no usable keys'],
  [
    { 'https://a.example': jwk, 'a.example': jwk },
    `a.example: https://a.example${WELL_KNOWN} is listed more than once`,
  ],
  ['x', 'key directories: not a JSON object'],
])('rejects the pinned key directories %j', (value, message) => {
  expect(() => read(value)).toThrow(message);
});

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AGENT_TYPES } from '#libs/contracts';
import { App } from '../kit/app.js';

/** Folder with files rendered from the bundled agents. `UPDATE_GOLDEN=1` regenerates them. */
const FOLDER = join(import.meta.dirname, 'golden');
const ARCHIVERS = { agent_types: ['Archiver'] };
const SIGNALS = {
  content_signal: { search: true, ai_input: false, ai_train: false },
  content_usage: { train_ai: false, search: true },
  license: 'https://shop.example/license.xml',
};

let app: App;
beforeAll(async () => {
  app = await App.start();
});
afterAll(() => app?.dispose());

async function expectGolden(name: string, path: string, body: object): Promise<void> {
  const { status, text } = await app.post(path, body);
  expect(status).toBe(200);
  const file = join(FOLDER, name);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    await mkdir(FOLDER, { recursive: true });
    await writeFile(file, text);
  }
  expect(existsSync(file)).toBe(true);
  // Compares bytes, because Jest's diff could have thousands of lines.
  if (!(await readFile(file)).equals(Buffer.from(text)))
    throw new Error(`The response from ${path} differs from ${name}`);
}

it.each<[string, object]>([
  ['one-type.txt', ARCHIVERS],
  ['all-types.txt', { agent_types: AGENT_TYPES }],
  ['old-type-name.txt', { agent_types: ['Headless Agent'] }],
  ['without-tokens.txt', { ...ARCHIVERS, excluded_agent_tokens: ['ArchiveBot', 'TurnitinBot'] }],
  ['without-operators.txt', { ...ARCHIVERS, excluded_operator_names: ['Internet Archive'] }],
  // This combines the two exclusions above. Tokens and names are case-insensitive.
  [
    'without-either.txt',
    {
      ...ARCHIVERS,
      excluded_agent_tokens: ['ARCHIVEBOT', 'turnitinbot', 'nobody'],
      excluded_operator_names: ['INTERNET archive'],
    },
  ],
  ['path.txt', { agent_types: ['AI Coding Agent'], disallow: '/private/*.pdf$' }],
  ['empty-path.txt', { agent_types: ['AI Coding Agent'], disallow: '' }],
  ['no-types.txt', { agent_types: [] }],
  ['grouped.txt', { ...ARCHIVERS, format: 'grouped' }],
  ['grouped.txt', { ...ARCHIVERS, format: 'grouped', content_signal: null, content_usage: {}, license: null }],
  ['signals.txt', { ...ARCHIVERS, ...SIGNALS, disallow: '/private/' }],
  ['signals-grouped.txt', { ...ARCHIVERS, ...SIGNALS, disallow: '/private/', format: 'grouped' }],
  ['signals-everything.txt', { ...ARCHIVERS, ...SIGNALS }],
  ['signals-alone.txt', { agent_types: [], ...SIGNALS }],
])('renders the golden file %s', async (name, body) => {
  await expectGolden(name, '/robots-txts', body);
});

it.each<[string, object]>([
  ['tokens.json', ARCHIVERS],
  ['tokens.txt', { ...ARCHIVERS, format: 'text' }],
  ['no-tokens.json', { agent_types: [] }],
])('returns the golden file %s', async (name, body) => {
  await expectGolden(name, '/user-agent-token-lists', body);
});

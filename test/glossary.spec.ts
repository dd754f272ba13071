import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const SKIPPED_NAMES = new Set([
  'node_modules',
  'dist',
  '.git',
  'images',
  'data',
  'coverage',
  'venv',
  '.schemathesis',
  'glossary.spec.ts',
]);
const TEXT_EXTENSIONS = new Set([
  '',
  '.ts',
  '.tsx',
  '.mjs',
  '.cjs',
  '.py',
  '.php',
  '.toml',
  '.go',
  '.md',
  '.css',
  '.html',
  '.yml',
  '.sh',
  '.env',
  '.template',
]);

/**
 * Words to avoid and their replacements. Patterns also match parts of names, such as `stopPatience`. `but` lists the
 * files where the word is allowed, each with a reason.
 */
const WORDS_TO_AVOID: { word: RegExp; write: string; but?: [file: RegExp, reason: string][] }[] = [
  { word: /\bcan not\b/i, write: 'cannot' },
  { word: /(?<!\b(?:there|here) )\b(?:is|are) no (?!longer\b|more\b)\[?[a-z]/i, write: 'is not a' },
  { word: /\b(?:that|which) (?:is|are) none\b/i, write: 'is not a, or invalid' },
  { word: /\bwhoever\b/i, write: 'anyone who, the person who, the caller' },
  { word: /catalogue/i, write: 'catalog' },
  { word: /\b(?:behaviour|colour|favour|neighbour|honour|labelled|licence|grey)/i, write: 'American spelling' },
  {
    word: /\b(?:analys|authoris|initialis|optimis|recognis|summaris)(?:e|ing)/i,
    write: 'American spelling: -ize, -yze',
  },
  { word: /\bMOST(?:_|\b)|\bmost(?:Rank|States|Values|Bytes|Ms)\b/, write: 'MAX_, max' },
  { word: /patience/i, write: '…_TIMEOUT_MS, timeoutMs' },
  { word: /LOOK_EVERY|EVERY_MS|(?:look|refresh|poll)Every/, write: '…_INTERVAL_MS, …IntervalMs' },
  { word: /_AGO\b/, write: 'a name that says what is measured, with its unit' },
  { word: /absurdity/i, write: 'sanity' },
  { word: /sample-?rivals/i, write: 'competing-patterns' },
  { word: /\bdice\b/i, write: 'seeded-random' },
  { word: /storable/i, write: 'postgres-text' },
  { word: /\bgot over\b/, write: 'recovered from' },
  { word: /\bclass \w*(?:Lane|Rounds|Turns|Tally)\b/, write: 'HandlerQueue, PeriodicTask, Semaphore, what is counted' },
  { word: /\bclass (?:\w*Viewer|\w*VisitTail)\b/, write: 'SseConnection, VisitFeed' },
  { word: /LabelJudge|ReadingRepository/, write: 'SignatureVerifier, SnapshotReader' },
  {
    word: /piecesOf|rowsWithin|[aA]tHand|forgetOld/,
    write: 'splitByRollup, rollup SQL, cachedOnly, deleteExpired',
  },
  {
    word: /\b(?:class|interface|type) Places?\b|[a-z]Places?(?![a-z])|\bplaces?[A-Z]/,
    write: 'position, offset, location, cursor',
  },
];

async function* findTextFiles(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (SKIPPED_NAMES.has(entry.name)) continue;
    if (entry.isDirectory()) yield* findTextFiles(path);
    // Skip symbolic links, because their targets are checked anyway.
    else if (entry.isFile() && TEXT_EXTENSIONS.has(extname(entry.name))) yield path;
  }
}

/** Returns a message such as `docs/a.md:7: "whoever": write …` for each occurrence of a word to avoid. */
function findWordsToAvoid(file: string, text: string): string[] {
  const words = WORDS_TO_AVOID.filter(
    ({ word, but }) => word.test(text) && !but?.some(([exempt]) => exempt.test(file)),
  );
  return words.flatMap(({ word, write }) =>
    text.split('\n').flatMap((line, index) => {
      const found = word.exec(line)?.[0];
      return found === undefined ? [] : [`${file}:${index + 1}: "${found}": write ${write}`];
    }),
  );
}

it('finds no words to avoid in any file', async () => {
  const faults: string[] = [];
  let files = 0;
  for await (const path of findTextFiles(ROOT)) {
    const file = relative(ROOT, path);
    files++;
    faults.push(...findWordsToAvoid(file, await readFile(path, 'utf8')));
  }
  expect(faults).toEqual([]);
  expect(files).toBeGreaterThan(1_000);
});

it('reports the file, line, word, and replacement', () => {
  expect(
    findWordsToAvoid('docs/a.md', 'Whoever reads\nthis is no visit, and there is no other; it can not be'),
  ).toEqual([
    'docs/a.md:2: "can not": write cannot',
    'docs/a.md:2: "is no v": write is not a',
    'docs/a.md:1: "Whoever": write anyone who, the person who, the caller',
  ]);
  expect(findWordsToAvoid('libs/a.ts', 'stopPatience: keyPlace, isPlaceholder')).toEqual([
    'libs/a.ts:1: "Patience": write …_TIMEOUT_MS, timeoutMs',
    'libs/a.ts:1: "yPlace": write position, offset, location, cursor',
  ]);
});

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..');
const DOCS = '{*.md,{.github,apps,deploy,docs,libs}/**/*.md}';
const EXCLUDED = ['**/node_modules/**', '**/dist/**', '**/*.d.ts', 'CHANGELOG.md', 'test/prose.spec.ts'];

/** Constructions that often read like a translation. Some uses are correct, so {@link KINDS} allows a few of them. */
const CONSTRUCTIONS: readonly [name: string, pattern: RegExp][] = [
  ['fragment', /^(?:Of |The same\b|Whether (?:it|they|there) |Those |These |That |What |Which |Where |Its |Their )/],
  [
    'clause instead of a noun',
    /\bwhat (?:is|are|was|were|has|have|it|they|there|this|that|comes|goes|waits|others)\b/i,
  ],
  ['missing noun', /\b(?:those|that|ones?) (?:that|which|who)\b|\bof (?:which|whom)\b/i],
  [
    'translated word',
    /\b(?:alone|beside|unless given|at hand|anew|once more|made-up|in place of|goes? on|wherever)\b/i,
  ],
  ['modal verb', /\b(?:may|need) not\b|\b(?:is|are) to (?:[ac-z]|b[^e])/i],
  ['personification', /\b(?:says|tells|told of|speaks of|knows of)\b/i],
];

/** First words that make a docstring a fragment. "Like {@link other}, but …" is complete. */
const FRAGMENT =
  /^(?:Also|As|At|By|Every|For|From|How|If|In|It|Its|Most|Not|Of|On|Only|Same|That|The same|Their|These|They|This|Those|To|Used|What|When|Where|Whether|Which|Who|With|Without) /;

interface Kind {
  /** Maximum percentage of texts with such a construction. */
  limit: number;
  texts(): Iterable<[file: string, text: string]>;
}

const KINDS: Readonly<Record<string, Kind>> = {
  comments: { limit: 3, texts: comments },
  'API descriptions': { limit: 2, texts: descriptions },
  'test names': { limit: 3, texts: testNames },
  'dashboard strings': { limit: 6, texts: dashboardStrings },
  'docs sentences': { limit: 6, texts: sentences },
};

function* sources(pattern: string): Generator<[file: string, text: string]> {
  for (const file of globSync(pattern, { cwd: ROOT, exclude: EXCLUDED })) {
    yield [file, readFileSync(join(ROOT, file), 'utf8')];
  }
}

/** Yields each text that `find` extracts from a syntax node, with its file. */
function* extractTexts(pattern: string, find: (node: ts.Node) => string | undefined): Generator<[string, string]> {
  for (const [file, source] of sources(pattern)) {
    const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    const pendingNodes: ts.Node[] = [ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false, kind)];
    for (let node = pendingNodes.pop(); node !== undefined; node = pendingNodes.pop()) {
      const text = find(node)?.replace(/\s+/g, ' ').trim();
      if (text !== undefined && /[a-z]{2} [a-z]/i.test(text)) yield [file, text];
      ts.forEachChild(node, (child) => void pendingNodes.push(child));
    }
  }
}

function* comments(): Generator<[string, string]> {
  for (const [file, source] of sources('{apps,libs,test}/**/*.{ts,tsx,mjs}')) {
    for (const [block] of source.matchAll(/^[ \t]*(?:\/\/.*(?:\n[ \t]*\/\/.*)*|\/\*\*(?:[^*]|\*[^/])*\*\/)/gm)) {
      const text = block.replace(/^[ \t]*(?:\/\*\*|\*\/|\*|\/\/)/gm, '').replace(/\s+/g, ' ');
      if (/[a-z]{3} [a-z]/i.test(text)) yield [file, text.trim()];
    }
  }
}

function* docstrings(): Generator<[string, string]> {
  for (const [file, source] of sources('{apps,libs,test}/**/*.{ts,tsx}')) {
    for (const node of ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true).statements) {
      if (!ts.canHaveModifiers(node) || !ts.getModifiers(node)?.some(isExport)) continue;
      const docstring = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc);
      const text = ts.getTextOfJSDocComment(docstring?.comment);
      if (text !== undefined) yield [file, text];
    }
  }
}

const isExport = ({ kind }: ts.Node): boolean => kind === ts.SyntaxKind.ExportKeyword;

const getStringValue = (node: ts.Node | undefined): string | undefined =>
  node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;

function descriptions(): Iterable<[string, string]> {
  return extractTexts('{libs/contracts,apps/console}/**/*.ts', (node) =>
    ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && /^(?:description|summary)$/.test(node.name.text)
      ? getStringValue(node.initializer)
      : undefined,
  );
}

function testNames(): Iterable<[string, string]> {
  return extractTexts('{apps,libs,test}/**/*.{spec.ts,browser.ts}', (node) => {
    if (!ts.isCallExpression(node)) return undefined;
    let callee: ts.Expression = node.expression;
    while (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) callee = callee.expression;
    return ts.isIdentifier(callee) && /^(?:it|test|describe)$/.test(callee.text)
      ? getStringValue(node.arguments[0])
      : undefined;
  });
}

function dashboardStrings(): Iterable<[string, string]> {
  return extractTexts('apps/web/src/**/*.tsx', (node) => (ts.isJsxText(node) ? node.text : undefined));
}

function* sentences(): Generator<[string, string]> {
  for (const [file, source] of sources(DOCS)) {
    const prose = source.replace(/```[^`]*```/g, '').split(/\n\s*\n/);
    for (const sentence of prose.flatMap((text) => text.replace(/\s+/g, ' ').split(/(?<=[.!?]) (?=[A-Z])/))) {
      if (/[a-z]+ [a-z]+ [a-z]+/.test(sentence) && !sentence.startsWith('|')) yield [file, sentence];
    }
  }
}

it.each(Object.entries(KINDS))('limits translated constructions in %s', (_name, { limit, texts }) => {
  let count = 0;
  const matches: string[] = [];
  for (const [file, text] of texts()) {
    count += 1;
    const names = CONSTRUCTIONS.filter(([, pattern]) => pattern.test(text)).map(([name]) => name);
    if (names.length > 0) matches.push(`${file} (${names.join(', ')}): ${text.slice(0, 200)}`);
  }
  expect(count).toBeGreaterThan(100);
  const allowed = Math.floor((count * limit) / 100);
  // Lists all of them, because only a person can decide which ones are correct.
  expect(matches.length > allowed ? matches : []).toEqual([]);
});

it('starts the docstrings of exported symbols with a verb or a noun', () => {
  const texts = [...docstrings()];
  expect(texts.length).toBeGreaterThan(1_000);
  expect(texts.filter(([, text]) => FRAGMENT.test(text))).toEqual([]);
});

it('mentions only files and tests that exist in the docs', () => {
  const tests = globSync('{apps,libs,test}/**/*.spec.ts', { cwd: ROOT, exclude: EXCLUDED.slice(0, 2) });
  const missing: string[] = [];
  for (const [file, source] of sources(DOCS)) {
    const links = [...source.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, link]) => link!);
    const names = [...source.matchAll(/`(\w[\w./-]*\.spec\.ts)`/g)].map(([, name]) => name!);
    missing.push(
      ...links.filter((link) => !existsSync(join(ROOT, dirname(file), link))).map((link) => `${file}: ${link}`),
      ...names
        .filter((name) => !tests.some((path) => `/${path}`.endsWith(`/${name}`)))
        .map((name) => `${file}: ${name}`),
    );
  }
  expect(missing).toEqual([]);
});

it('detects each construction', () => {
  const examples = [
    'Of the message in the batch',
    'Stores what is refused',
    'Returns those that are new',
    'Depends on it alone',
    'Clients need not retry',
    'The page says so',
  ];
  for (const [index, [, pattern]] of CONSTRUCTIONS.entries()) expect(examples[index]).toMatch(pattern);
});

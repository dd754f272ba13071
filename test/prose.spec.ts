import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..');
const EXCLUDED = ['**/node_modules/**', '**/dist/**', '**/*.d.ts', 'CHANGELOG.md', 'test/prose.spec.ts'];

/** Constructions that read as translated English. Each can be right now and then, so {@link KINDS} has limits. */
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
  ['speaking thing', /\b(?:says|tells|told of|speaks of|knows of)\b/i],
];

interface Kind {
  /** Maximum number of texts with such a construction, per 100. */
  limit: number;
  texts(): Iterable<[file: string, text: string]>;
}

const KINDS: Readonly<Record<string, Kind>> = {
  comments: { limit: 3, texts: comments },
  'API descriptions': { limit: 2, texts: descriptions },
  'test names': { limit: 3, texts: testNames },
  'strings of the dashboard': { limit: 6, texts: dashboardStrings },
  'sentences of the docs': { limit: 6, texts: sentences },
};

function* sources(pattern: string): Generator<[file: string, text: string]> {
  for (const file of globSync(pattern, { cwd: ROOT, exclude: EXCLUDED })) {
    yield [file, readFileSync(join(ROOT, file), 'utf8')];
  }
}

/** Returns the texts that `find` returns for the syntax nodes of files. */
function* textsOf(pattern: string, find: (node: ts.Node) => string | undefined): Generator<[string, string]> {
  for (const [file, source] of sources(pattern)) {
    const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    const open: ts.Node[] = [ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false, kind)];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const text = find(node)?.replace(/\s+/g, ' ').trim();
      if (text !== undefined && /[a-z]{2} [a-z]/i.test(text)) yield [file, text];
      ts.forEachChild(node, (child) => void open.push(child));
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

const stringOf = (node: ts.Node | undefined): string | undefined =>
  node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;

function descriptions(): Iterable<[string, string]> {
  return textsOf('{libs/contracts,apps/console}/**/*.ts', (node) =>
    ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && /^(?:description|summary)$/.test(node.name.text)
      ? stringOf(node.initializer)
      : undefined,
  );
}

function testNames(): Iterable<[string, string]> {
  return textsOf('{apps,libs,test}/**/*.{spec.ts,browser.ts}', (node) => {
    if (!ts.isCallExpression(node)) return undefined;
    let callee: ts.Expression = node.expression;
    while (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) callee = callee.expression;
    return ts.isIdentifier(callee) && /^(?:it|test|describe)$/.test(callee.text)
      ? stringOf(node.arguments[0])
      : undefined;
  });
}

function dashboardStrings(): Iterable<[string, string]> {
  return textsOf('apps/web/src/**/*.tsx', (node) => (ts.isJsxText(node) ? node.text : undefined));
}

function* sentences(): Generator<[string, string]> {
  for (const [file, source] of sources('{*.md,{.github,apps,deploy,docs,libs}/**/*.md}')) {
    const prose = source.replace(/```[^`]*```/g, '').split(/\n\s*\n/);
    for (const sentence of prose.flatMap((text) => text.replace(/\s+/g, ' ').split(/(?<=[.!?]) (?=[A-Z])/))) {
      if (/[a-z]+ [a-z]+ [a-z]+/.test(sentence) && !sentence.startsWith('|')) yield [file, sentence];
    }
  }
}

it.each(Object.entries(KINDS))('limits translated constructions in %s', (_name, { limit, texts }) => {
  let count = 0;
  const found: string[] = [];
  for (const [file, text] of texts()) {
    count += 1;
    const names = CONSTRUCTIONS.filter(([, pattern]) => pattern.test(text)).map(([name]) => name);
    if (names.length > 0) found.push(`${file} (${names.join(', ')}): ${text.slice(0, 200)}`);
  }
  expect(count).toBeGreaterThan(100);
  const allowed = Math.floor((count * limit) / 100);
  // All are listed: which of them are right is for a reader to decide.
  expect(found.length > allowed ? found : []).toEqual([]);
});

it('finds each construction', () => {
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

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { list } from 'isbot';
import ts from 'typescript';
import * as contracts from '#libs/contracts';
import { isFull } from './kit/faults.js';
import { provenTimes, type Expression } from './kit/recheck.js';

const ROOT = join(import.meta.dirname, '..');

/**
 * What recheck has proven linear. What isn't in it is proven; with `FAULTS=full`, and after an update of recheck, all are.
 * `UPDATE_PROOFS=true` writes it anew.
 */
const PROOFS = join(import.meta.dirname, 'proven-expressions.json');
/** To prove all of them takes a minute on a machine of its own, several on a busy one. */
const PROOF_TIMEOUT_MS = 900_000;

/** Expressions made of what is not known before the program runs, by file and what they are made of. */
const MADE_AT_RUN_TIME: Record<string, string> = {
  'apps/console/src/web/web.routes.ts `^/(?:api|docs|':
    'alternatives of fixed texts, paths of the interface, behind the start of the text',
  'libs/enrichment/src/reduced-visit.ts `[?&]${TEST_VISIT_PARAMETER}':
    'fixed lengths behind the name of a parameter, a literal of libs/contracts',
  'apps/rules/src/server-config/competing-patterns.ts source':
    'a pattern of the catalog; patternFault proves those linear',
  'apps/web/src/filters/filter-set.ts form.pattern':
    'the form of a filter, a literal of timeline-filters.ts in libs/contracts, which is checked there',
  'libs/agents/src/agent.matcher.ts source': 'a pattern of the catalog; patternFault proves those linear',
  'libs/catalog/src/agents-file-matches.ts pattern': 'a pattern of the catalog; patternFault proves those linear',
  'libs/catalog/src/agents-file-samples.ts pattern': 'a pattern of the catalog; patternFault proves those linear',
  'libs/platform/src/env.ts pattern': "EMAIL_PATTERN, which the schemas' test proves linear",
};

/** recheck doesn't read them. A fixed length costs no more for a longer text. */
const LOOKAROUNDS = /\(\?<?!(?:[^()]|\([^()]*\))*\)/g;

const { version: RECHECK_VERSION } = createRequire(import.meta.url)('recheck/package.json') as { version: string };

const found: (Expression & { place: string })[] = [];
const madeAtRunTime: string[] = [];
for (const path of globSync('{apps,libs}/**/*.{ts,tsx}', { cwd: ROOT }).sort()) {
  if (/\.spec\.tsx?$|\.d\.ts$/.test(path)) continue;
  const file = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);
  look(file, path);
}
lookInSchemas(contracts, 'libs/contracts', new Set());

it('finds literals, schemas and what is made at run time', () => {
  const places = found.map(({ place }) => place);
  expect(places).toContain('libs/contracts/src/timestamp.ts');
  expect(found.map(({ source }) => source)).toContain(contracts.EMAIL_PATTERN);
  expect(found.length).toBeGreaterThan(200);
});

/** isbot's list, which meets what visitors send. */
it('leaves out of isbot only what looks ahead or behind, and has a fixed length', () => {
  expect(list.flatMap((source) => source.match(LOOKAROUNDS) ?? []).filter((look) => /[*+{]/.test(look))).toEqual([]);
});

it(
  'proves every expression linear',
  async () => {
    const ofIsbot = list.map((source) => ({ source: source.replaceAll(LOOKAROUNDS, ''), flags: 'i', place: 'isbot' }));
    const distinct = new Map([...found, ...ofIsbot].map((each) => [`/${each.source}/${each.flags}`, each]));
    const proofs = { recheck: RECHECK_VERSION, linear: [...distinct.keys()].toSorted() };
    const known = JSON.parse(readFileSync(PROOFS, 'utf8')) as typeof proofs;
    const proven = new Set(isFull || known.recheck !== RECHECK_VERSION ? [] : known.linear);
    const unproven = [...distinct].filter(([key]) => !proven.has(key)).map(([, each]) => each);
    const times = await provenTimes(unproven);
    const faults = unproven.flatMap(({ place, source }, index) =>
      times[index] === 'safe' ? [] : `${place}: ${source} is ${times[index]}`,
    );
    expect(faults).toEqual([]);
    if (process.env['UPDATE_PROOFS'] === 'true') writeFileSync(PROOFS, `${JSON.stringify(proofs, null, 2)}\n`);
    else expect(known).toEqual(proofs);
  },
  PROOF_TIMEOUT_MS,
);

it('would find others', async () => {
  const sources = ['(a*)*$', '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$', 'x+$', 'a(?=b*c)'];
  expect(await provenTimes(sources.map((source) => ({ source, flags: 'u' })))).toEqual([
    'exponential',
    'polynomial',
    'polynomial',
    expect.stringContaining('unsupported'),
  ]);
});

it('knows why what is made at run time is safe', () => {
  const known = Object.keys(MADE_AT_RUN_TIME);
  const isKnown = (made: string) => known.some((start) => made.startsWith(start));
  expect(madeAtRunTime.filter((made) => !isKnown(made))).toEqual([]);
  expect(known.filter((start) => !madeAtRunTime.some((made) => made.startsWith(start)))).toEqual([]);
});

function look(node: ts.Node, path: string): void {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    add(path, node.text.slice(1, end), node.text.slice(end + 1));
  }
  if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
    const [source, flags] = node.arguments ?? [];
    const text = textOf(source);
    if (text === null) madeAtRunTime.push(`${path} ${source?.getText().replaceAll(/\s+/g, ' ')}`);
    else add(path, text, textOf(flags) ?? '');
  }
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'pattern' && ts.isStringLiteralLike(node.initializer)) {
    add(path, node.initializer.text, 'u');
  }
  ts.forEachChild(node, (child) => look(child, path));
}

/** Returns what a literal, or literals that are joined, say; null for what is not known before the program runs. */
function textOf(node: ts.Node | undefined): string | null {
  if (node === undefined) return null;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTaggedTemplateExpression(node)) {
    const { tag, template } = node;
    return tag.getText() === 'String.raw' && !ts.isTemplateExpression(template)
      ? template.getText().slice(1, -1)
      : null;
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
  const { expression: list, name } = node.expression;
  const separator = textOf(node.arguments[0]);
  if (name.text !== 'join' || !ts.isArrayLiteralExpression(list) || separator === null) return null;
  const parts = list.elements.map(textOf);
  return parts.includes(null) ? null : parts.join(separator);
}

/** Patterns of schemas, as Ajv compiles them. */
function lookInSchemas(value: unknown, place: string, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  for (const [name, member] of Object.entries(value)) {
    if (name === 'pattern' && typeof member === 'string') add(place, member, 'u');
    lookInSchemas(member, `${place}.${name}`, seen);
  }
}

function add(place: string, source: string, flags: string): void {
  found.push({ place, source, flags });
}

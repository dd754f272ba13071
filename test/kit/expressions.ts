import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { list } from 'isbot';
import ts from 'typescript';
import * as contracts from '#libs/contracts';
import type { Expression } from './recheck.js';

interface PlacedExpression extends Expression {
  place: string;
}

const ROOT = join(import.meta.dirname, '../..');

/** Negative lookarounds of fixed length, which recheck can't parse. They only add constant time. */
export const LOOKAROUNDS = /\(\?<?!(?:[^()]|\([^()]*\))*\)/g;

/** Regular expressions in the source code and in schemas. */
export const found: PlacedExpression[] = [];
/** `RegExp` calls whose pattern is only known at run time, each with its file. */
export const madeAtRunTime: string[] = [];
for (const path of globSync('{apps,libs}/**/*.{ts,tsx}', { cwd: ROOT }).sort()) {
  if (/\.spec\.tsx?$|\.d\.ts$/.test(path)) continue;
  const file = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);
  look(file, path);
}
lookInSchemas(contracts, 'libs/contracts', new Set());

/** Returns each distinct expression by its literal, including isbot's. */
export function distinctExpressions(): Map<string, PlacedExpression> {
  const ofIsbot = list.map((source) => ({ source: source.replaceAll(LOOKAROUNDS, ''), flags: 'i', place: 'isbot' }));
  return new Map([...found, ...ofIsbot].map((each) => [`/${each.source}/${each.flags}`, each]));
}

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

/** Returns the text of a literal or of joined literals, or null if it's only known at run time. */
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

/** Collects the patterns of schemas, with the flag that Ajv compiles them with. */
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

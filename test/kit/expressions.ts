import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { list } from 'isbot';
import ts from 'typescript';
import * as contracts from '#libs/contracts';
import type { Expression } from './recheck.js';

interface LocatedExpression extends Expression {
  place: string;
}

const ROOT = join(import.meta.dirname, '../..');

/** Fixed-length negative lookarounds, which recheck can't parse. They only add constant time. */
export const LOOKAROUNDS = /\(\?<?!(?:[^()]|\([^()]*\))*\)/g;

/** Regular expressions in source code and JSON schemas. */
export const sourceExpressions: LocatedExpression[] = [];
/** `RegExp` calls whose pattern is only known at run time, each preceded by its file path. */
export const dynamicExpressions: string[] = [];
for (const path of globSync('{apps,libs}/**/*.{ts,tsx}', { cwd: ROOT }).sort()) {
  if (/\.spec\.tsx?$|\.d\.ts$/.test(path)) continue;
  const file = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);
  collectFromNode(file, path);
}
collectFromSchema(contracts, 'libs/contracts', new Set());

/** Returns all distinct expressions, including isbot's, keyed by literal. */
export function distinctExpressions(): Map<string, LocatedExpression> {
  const isbotExpressions = list.map((source) => ({
    source: source.replaceAll(LOOKAROUNDS, ''),
    flags: 'i',
    place: 'isbot',
  }));
  return new Map(
    [...sourceExpressions, ...isbotExpressions].map((expression) => [
      `/${expression.source}/${expression.flags}`,
      expression,
    ]),
  );
}

function collectFromNode(node: ts.Node, path: string): void {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    addExpression(path, node.text.slice(1, end), node.text.slice(end + 1));
  }
  if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
    const [source, flags] = node.arguments ?? [];
    const text = getStaticText(source);
    if (text === null) dynamicExpressions.push(`${path} ${source?.getText().replaceAll(/\s+/g, ' ')}`);
    else addExpression(path, text, getStaticText(flags) ?? '');
  }
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'pattern' && ts.isStringLiteralLike(node.initializer)) {
    addExpression(path, node.initializer.text, 'u');
  }
  ts.forEachChild(node, (child) => collectFromNode(child, path));
}

/** Returns the text of a string literal or of joined literals, or null if the text is only known at run time. */
function getStaticText(node: ts.Node | undefined): string | null {
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
  const separator = getStaticText(node.arguments[0]);
  if (name.text !== 'join' || !ts.isArrayLiteralExpression(list) || separator === null) return null;
  const parts = list.elements.map(getStaticText);
  return parts.includes(null) ? null : parts.join(separator);
}

/** Collects the patterns in JSON schemas, with the flag that Ajv compiles them with. */
function collectFromSchema(value: unknown, place: string, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  for (const [name, member] of Object.entries(value)) {
    if (name === 'pattern' && typeof member === 'string') addExpression(place, member, 'u');
    collectFromSchema(member, `${place}.${name}`, seen);
  }
}

function addExpression(place: string, source: string, flags: string): void {
  sourceExpressions.push({ place, source, flags });
}

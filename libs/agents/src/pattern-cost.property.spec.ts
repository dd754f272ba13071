import * as fc from 'fast-check';
import { stepsPerCharacter } from './pattern-cost.js';
import { parsePattern, type PatternNode } from './pattern.js';

/** With only a few distinct characters, patterns overlap with themselves and each other. */
const letter = fc.constantFrom('a', 'b', '\\/', '1', '[ab]', '\\d', '.', '[^a]', '\\w');
const repetition = fc
  .tuple(letter, fc.constantFrom('?', '{0,3}', '{2}', '{1,9}', '{0,40}', '*', '+', '{2,}'))
  .map(([character, quantifier]) => character + quantifier);
const text = fc.array(letter, { minLength: 1, maxLength: 6 }).map((letters) => letters.join(''));
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 3, arbitrary: repetition },
    fc.constantFrom('\\b', '^', '$', '\\B'),
    fc.tuple(tie('pattern'), fc.constantFrom('', '?')).map(([inner, quantifier]) => `(?:${inner})${quantifier}`),
    fc.tuple(tie('pattern'), tie('pattern')).map((options) => `(?:${options.join('|')})`),
  ),
  pattern: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
}));

/** Long, repetitive texts of the kind that attackers send to slow down matching. */
const hostile = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', '/', '1', 'ab', 'x'), { minLength: 1, maxLength: 8 }), fc.nat(8))
  .map(([pieces, prefixLength]) =>
    (pieces.slice(0, prefixLength).join('') + pieces.join('').repeat(200)).slice(0, 200),
  );

it('stepsPerCharacter never underestimates the cost of backtracking', () => {
  let boundedCount = 0;
  fc.assert(
    fc.property(pattern, fc.array(hostile, { minLength: 2, maxLength: 2 }), (source, texts) => {
      const tree = parsePattern(source);
      const maxSteps = tree === null ? Infinity : stepsPerCharacter(tree);
      if (tree === null || typeof maxSteps !== 'number' || maxSteps > 300) return;
      boundedCount++;
      for (const hostileText of texts)
        expect(countSteps(tree, hostileText)).toBeLessThanOrEqual(maxSteps * (hostileText.length + 50));
    }),
    { numRuns: 2_000 },
  );
  expect(boundedCount).toBeGreaterThan(500);
});

it.each([
  ['secx.{0,1000}z', 'secx', 3],
  ['aab.{0,100}b1', 'aab', 3],
  ['abab.{0,60}1', 'ab', 3],
  ['aaaa.{0,60}1', 'a', 3],
  ['a\\/\\d+;', `a/${'1'.repeat(10)}`, 3],
  ['\\/.{0,20}\\d+;', '/'.repeat(21) + '1'.repeat(200), 30],
  ['(?:a|[ab]|\\w)(?:b|.)\\/\\d+;', `ab/${'1'.repeat(100)}`, 3],
  ['(?:a?1?)\\d{0,9}1;', '1', 5],
])('stepsPerCharacter estimates the cost of %s closely', (source, piece, maxRatio) => {
  const tree = parsePattern(source)!;
  const text = piece.repeat(Math.ceil(3_000 / piece.length));
  const actualSteps = countSteps(tree, text) / text.length;
  expect(stepsPerCharacter(tree)).toBeGreaterThanOrEqual(Math.floor(actualSteps));
  expect(stepsPerCharacter(tree)).toBeLessThan(maxRatio * actualSteps);
});

/** Counts the steps of an exhaustive search in V8's backtracking order. */
function countSteps(tree: PatternNode, text: string): number {
  let steps = 0;
  const isWord = (index: number) => /\w/.test(text[index] ?? ' ');
  const isAtEdge = { start: (at: number) => at === 0, end: (at: number) => at === text.length };
  const atWordEdge = (at: number) => isWord(at - 1) !== isWord(at);
  type Continuation = (at: number) => boolean;

  function run(node: PatternNode, at: number, step: 1 | -1, continuation: Continuation): boolean {
    switch (node.kind) {
      case 'set': {
        steps++;
        const code = text.toLowerCase().charCodeAt(step === 1 ? at : at - 1);
        return node.codes.has(code) && continuation(at + step);
      }
      case 'edge':
        steps++;
        if (node.at === 'start' || node.at === 'end') return isAtEdge[node.at](at) && continuation(at);
        return atWordEdge(at) === (node.at === 'word') && continuation(at);
      case 'sequence': {
        const parts = step === 1 ? node.parts : node.parts.toReversed();
        const next = (index: number, from: number): boolean =>
          index === parts.length ? continuation(from) : run(parts[index]!, from, step, (to) => next(index + 1, to));
        return next(0, at);
      }
      case 'choice':
        return node.options.some((option) => run(option, at, step, continuation));
      case 'repeat': {
        const repeat = (count: number, from: number): boolean =>
          (count < node.most && run(node.part, from, step, (to) => to !== from && repeat(count + 1, to))) ||
          (count >= node.least && continuation(from));
        return repeat(0, at);
      }
    }
  }

  for (let at = 0; at <= text.length; at++) if (run(tree, at, 1, () => true)) break;
  return steps;
}

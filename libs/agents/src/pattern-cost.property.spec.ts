import * as fc from 'fast-check';
import { stepsPerCharacter } from './pattern-cost.js';
import { parsePattern, type PatternNode } from './pattern.js';

/** Few distinct characters, so patterns overlap with themselves and each other. */
const letter = fc.constantFrom('a', 'b', '\\/', '1', '[ab]', '\\d', '.', '[^a]', '\\w');
const repeated = fc
  .tuple(letter, fc.constantFrom('?', '{0,3}', '{2}', '{1,9}', '{0,40}', '*', '+', '{2,}'))
  .map(([one, often]) => one + often);
const text = fc.array(letter, { minLength: 1, maxLength: 6 }).map((letters) => letters.join(''));
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 3, arbitrary: repeated },
    fc.constantFrom('\\b', '^', '$', '\\B'),
    fc.tuple(tie('pattern'), fc.constantFrom('', '?')).map(([inner, often]) => `(?:${inner})${often}`),
    fc.tuple(tie('pattern'), tie('pattern')).map((options) => `(?:${options.join('|')})`),
  ),
  pattern: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
}));

/** Long, repetitive texts, like those an attacker would send to slow down matching. */
const hostile = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', '/', '1', 'ab', 'x'), { minLength: 1, maxLength: 8 }), fc.nat(8))
  .map(([pieces, kept]) => (pieces.slice(0, kept).join('') + pieces.join('').repeat(200)).slice(0, 200));

it('never underestimates the steps of a backtracking engine', () => {
  let bounded = 0;
  fc.assert(
    fc.property(pattern, fc.array(hostile, { minLength: 2, maxLength: 2 }), (source, texts) => {
      const tree = parsePattern(source);
      const most = tree === null ? Infinity : stepsPerCharacter(tree);
      if (tree === null || typeof most !== 'number' || most > 300) return;
      bounded++;
      for (const each of texts) expect(stepsOf(tree, each)).toBeLessThanOrEqual(most * (each.length + 50));
    }),
    { numRuns: 2_000 },
  );
  expect(bounded).toBeGreaterThan(500);
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
])('estimates the cost of %s closely', (source, piece, within) => {
  const tree = parsePattern(source)!;
  const text = piece.repeat(Math.ceil(3_000 / piece.length));
  const taken = stepsOf(tree, text) / text.length;
  expect(stepsPerCharacter(tree)).toBeGreaterThanOrEqual(Math.floor(taken));
  expect(stepsPerCharacter(tree)).toBeLessThan(within * taken);
});

/** Counts the steps of an exhaustive search, in the order in which V8 backtracks. */
function stepsOf(tree: PatternNode, text: string): number {
  let steps = 0;
  const isWord = (index: number) => /\w/.test(text[index] ?? ' ');
  const holds = { start: (at: number) => at === 0, end: (at: number) => at === text.length };
  const atWordEdge = (at: number) => isWord(at - 1) !== isWord(at);
  type Then = (at: number) => boolean;

  function run(node: PatternNode, at: number, step: 1 | -1, then: Then): boolean {
    switch (node.kind) {
      case 'set': {
        steps++;
        const code = text.toLowerCase().charCodeAt(step === 1 ? at : at - 1);
        return node.codes.has(code) && then(at + step);
      }
      case 'edge':
        steps++;
        if (node.at === 'start' || node.at === 'end') return holds[node.at](at) && then(at);
        return atWordEdge(at) === (node.at === 'word') && then(at);
      case 'sequence': {
        const parts = step === 1 ? node.parts : node.parts.toReversed();
        const next = (index: number, from: number): boolean =>
          index === parts.length ? then(from) : run(parts[index]!, from, step, (to) => next(index + 1, to));
        return next(0, at);
      }
      case 'choice':
        return node.options.some((option) => run(option, at, step, then));
      case 'repeat': {
        const again = (count: number, from: number): boolean =>
          (count < node.most && run(node.part, from, step, (to) => to !== from && again(count + 1, to))) ||
          (count >= node.least && then(from));
        return again(0, at);
      }
    }
  }

  for (let at = 0; at <= text.length; at++) if (run(tree, at, 1, () => true)) break;
  return steps;
}

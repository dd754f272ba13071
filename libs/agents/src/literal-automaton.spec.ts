import { buildAutomaton } from './literal-automaton.js';

/** Returns all occurrences as `[text, end]`. */
function findWithAutomaton(texts: string[], input: string): [string, number][] {
  const { transitions, shift, classes, firstOutput, outputs } = buildAutomaton(texts);
  const found: [string, number][] = [];
  let state = 0;
  for (let index = 0; index < input.length; index++) {
    const code = input.charCodeAt(index);
    state = code < 128 ? transitions[(state << shift) | classes[code]!]! : 0;
    for (const text of outputs[state - firstOutput] ?? []) found.push([texts[text]!, index + 1]);
  }
  return found;
}

function findNaively(texts: string[], input: string): [string, number][] {
  const lower = input.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const ends = Array.from(input, (_, index) => index + 1);
  return ends.flatMap((end) =>
    texts.filter((text) => lower.slice(0, end).endsWith(text)).map((text): [string, number] => [text, end]),
  );
}

describe('buildAutomaton', () => {
  it.each<[string[], string]>([
    [['he', 'she', 'his', 'hers'], 'uSHErs, his HERs'],
    [['a', 'aa', 'aaa'], 'aaaaba'],
    [['bot', 'googlebot', 'googlebot-image', 'image'], 'Googlebot-Imagebot'],
    [['abcd', 'bc'], 'abcabcd'],
    [['x/1'], 'x\u00e9/1x/1\u2028x/1'],
    [['ki'], '\u212Ai KI \u0130'],
    [[], 'anything'],
  ])('finds all occurrences of %j in %j', (texts, input) => {
    const sorted = (found: [string, number][]) => found.map(String).toSorted();
    expect(sorted(findWithAutomaton(texts, input))).toEqual(sorted(findNaively(texts, input)));
  });

  it('supports more than 65,536 states', () => {
    const texts = Array.from(
      { length: 7_000 },
      (_, index) => `${index}`.padStart(5, '0').split('').toReversed().join('-') + 'abcdefgh',
    );
    expect(buildAutomaton(texts).transitions).toBeInstanceOf(Uint32Array);
    expect(findWithAutomaton(texts, `x${texts[6_999]}`).map(([text]) => text)).toEqual([texts[6_999]]);
  });
});

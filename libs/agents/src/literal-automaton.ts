/**
 * An Aho-Corasick automaton (1975) as one transition table: finds every occurrence of many texts, ignoring the case of
 * ASCII letters, in one pass with one look-up a character.
 *
 * States are numbered so that those which end a text come last: one comparison tells whether there is something to do.
 */
export interface LiteralAutomaton {
  /** `transitions[(state << shift) | classes[code]]` is the next state; a code past ASCII leads to state 0. */
  transitions: Uint16Array | Uint32Array;
  shift: number;
  /** ASCII code → character class; 0 is "in no text". */
  classes: Uint8Array;
  /** From this state on, `outputs[state - firstOutput]` lists the texts (by index) that end here. */
  firstOutput: number;
  outputs: Uint32Array[];
}

interface Trie {
  /** `children[(state << shift) | class]`, 0 where there is none. One table: with one for each state most time is theirs. */
  children: Int32Array;
  shift: number;
  /** The texts that end in a state. */
  ends: number[][];
}

/** Builds the automaton of lower-case ASCII texts, none of them empty. */
export function buildAutomaton(texts: readonly string[]): LiteralAutomaton {
  const { classes, count } = classesOf(texts);
  const shift = Math.ceil(Math.log2(count));
  const trie = trieOf(texts, classes, shift);
  const order = linkFailures(trie);

  const quiet = order.filter((state) => trie.ends[state]!.length === 0);
  const loud = order.filter((state) => trie.ends[state]!.length > 0);
  const renumbered = [...quiet, ...loud];
  const numbers = new Uint32Array(renumbered.length);
  for (const [number, state] of renumbered.entries()) numbers[state] = number;

  // Half the memory is twice the states in the processor's cache.
  const Table = renumbered.length <= 0x1_00_00 ? Uint16Array : Uint32Array;
  const transitions = new Table(renumbered.length << shift);
  for (const [number, state] of renumbered.entries()) {
    for (let index = 0; index < 1 << shift; index++) {
      transitions[(number << shift) | index] = numbers[trie.children[(state << shift) | index]!]!;
    }
  }
  const outputs = loud.map((state) => Uint32Array.from(trie.ends[state]!));
  return { transitions, shift, classes, firstOutput: quiet.length, outputs };
}

function classesOf(texts: readonly string[]): { classes: Uint8Array; count: number } {
  const classes = new Uint8Array(128);
  let count = 1;
  for (const text of texts) {
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (classes[code] === 0) classes[code] = count++;
    }
  }
  for (let code = 0x41; code <= 0x5a; code++) classes[code] = classes[code + 0x20]!;
  return { classes, count };
}

function trieOf(texts: readonly string[], classes: Uint8Array, shift: number): Trie {
  const maxStates = texts.reduce((sum, { length }) => sum + length, 1);
  const children = new Int32Array(maxStates << shift);
  const ends: number[][] = [[]];
  for (const [number, text] of texts.entries()) {
    let state = 0;
    for (let index = 0; index < text.length; index++) {
      const child = (state << shift) | classes[text.charCodeAt(index)]!;
      if (children[child] === 0) children[child] = ends.push([]) - 1;
      state = children[child]!;
    }
    ends[state]!.push(number);
  }
  return { children, shift, ends };
}

/** Completes the trie to an automaton, breadth first; returns the states in that order. */
function linkFailures({ children, shift, ends }: Trie): number[] {
  const fallbacks = new Int32Array(ends.length);
  const order = [0];
  for (let index = 0; index < order.length; index++) {
    const state = order[index]!;
    const fallback = fallbacks[state]!;
    if (state !== 0) ends[state]!.push(...ends[fallback]!);
    for (let symbol = 0; symbol < 1 << shift; symbol++) {
      const child = children[(state << shift) | symbol]!;
      const elsewhere = state === 0 ? 0 : children[(fallback << shift) | symbol]!;
      if (child === 0) children[(state << shift) | symbol] = elsewhere;
      else {
        fallbacks[child] = elsewhere;
        order.push(child);
      }
    }
  }
  return order;
}

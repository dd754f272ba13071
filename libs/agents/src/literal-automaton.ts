/**
 * Aho-Corasick automaton (1975) as a single transition table. Finds all occurrences of many texts in one pass, with one
 * lookup per character. Ignores the case of ASCII letters.
 *
 * States at which a text ends have the highest numbers, so a single comparison detects matches.
 */
export interface LiteralAutomaton {
  /** `transitions[(state << shift) | classes[code]]` is the next state. Non-ASCII characters lead to state 0. */
  transitions: Uint16Array | Uint32Array;
  shift: number;
  /** Character classes by ASCII code. Class 0 is for characters that aren't in any text. */
  classes: Uint8Array;
  /** First state at which a text ends. `outputs[state - firstOutput]` lists the indices of the texts that end there. */
  firstOutput: number;
  outputs: Uint32Array[];
}

/** States with their children as linked lists. 0 ends a list, because the root is nobody's child. */
interface Trie {
  firstChild: Int32Array;
  nextSibling: Int32Array;
  /** Class of the character that leads to each state. */
  symbols: Uint8Array;
  /** Indices of the texts that end at a state. */
  ends: Map<number, number[]>;
}

/** Builds the automaton from non-empty, lowercase ASCII texts. */
export function buildAutomaton(texts: readonly string[]): LiteralAutomaton {
  const { classes, count } = classesOf(texts);
  const shift = Math.ceil(Math.log2(count));
  const trie = trieOf(texts, classes);
  const { firstChild, nextSibling, symbols, ends } = trie;
  const { order, fallbacks } = linkFailures(trie);

  const quiet = order.filter((state) => !ends.has(state));
  const loud = order.filter((state) => ends.has(state));
  const numbers = new Uint32Array(order.length);
  quiet.forEach((state, index) => (numbers[state] = index));
  loud.forEach((state, index) => (numbers[state] = quiet.length + index));

  // With half the memory per entry, twice as many states fit into the CPU cache.
  const Table = order.length <= 0x1_00_00 ? Uint16Array : Uint32Array;
  const transitions = new Table(order.length << shift);
  for (const state of order) {
    const row = numbers[state]! << shift;
    // Thanks to the breadth-first order, the row of the fallback is already complete.
    const fallback = numbers[fallbacks[state]!]! << shift;
    transitions.copyWithin(row, fallback, fallback + (1 << shift));
    for (let child = firstChild[state]!; child !== 0; child = nextSibling[child]!) {
      transitions[row | symbols[child]!] = numbers[child]!;
    }
  }
  const outputs = loud.map((state) => Uint32Array.from(ends.get(state)!));
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

function trieOf(texts: readonly string[], classes: Uint8Array): Trie {
  const maxStates = texts.reduce((sum, { length }) => sum + length, 1);
  const firstChild = new Int32Array(maxStates);
  const nextSibling = new Int32Array(maxStates);
  const symbols = new Uint8Array(maxStates);
  const ends = new Map<number, number[]>();
  let states = 1;
  const trie = { firstChild, nextSibling, symbols, ends };
  for (const [number, text] of texts.entries()) {
    let state = 0;
    for (let index = 0; index < text.length; index++) {
      const symbol = classes[text.charCodeAt(index)]!;
      let child = childBy(trie, state, symbol);
      if (child === 0) {
        child = states++;
        symbols[child] = symbol;
        nextSibling[child] = firstChild[state]!;
        firstChild[state] = child;
      }
      state = child;
    }
    ends.set(state, [...(ends.get(state) ?? []), number]);
  }
  return trie;
}

/** Returns the child for a character class, or 0 if none exists. */
function childBy({ firstChild, nextSibling, symbols }: Trie, state: number, symbol: number): number {
  let child = firstChild[state]!;
  while (child !== 0 && symbols[child] !== symbol) child = nextSibling[child]!;
  return child;
}

/** Finds the fallback of each state, and adds the fallback's texts to it. Returns all states in breadth-first order. */
function linkFailures(trie: Trie): { order: number[]; fallbacks: Int32Array } {
  const { firstChild, nextSibling, symbols, ends } = trie;
  const fallbacks = new Int32Array(symbols.length);
  const order = [0];
  // The array grows during the loop.
  for (const state of order) {
    const inherited = ends.get(fallbacks[state]!);
    if (inherited !== undefined) ends.set(state, [...(ends.get(state) ?? []), ...inherited]);
    for (let child = firstChild[state]!; child !== 0; child = nextSibling[child]!) {
      order.push(child);
      if (state === 0) continue;
      let fallback = fallbacks[state]!;
      while (fallback !== 0 && childBy(trie, fallback, symbols[child]!) === 0) fallback = fallbacks[fallback]!;
      fallbacks[child] = childBy(trie, fallback, symbols[child]!);
    }
  }
  return { order, fallbacks };
}

/**
 * Aho-Corasick automaton in a single transition table. Finds all occurrences of many texts in one pass, with one lookup
 * per character. Ignores the case of ASCII letters.
 *
 * States with outputs have the highest numbers, so a single comparison detects a match.
 */
export interface LiteralAutomaton {
  /** Next states: `transitions[(state << shift) | classes[code]]`. Non-ASCII characters reset the state to 0. */
  transitions: Uint16Array | Uint32Array;
  shift: number;
  /** Character class for each ASCII code. Characters that don't occur in any text are in class 0. */
  classes: Uint8Array;
  /** First state with outputs. `outputs[state - firstOutput]` contains the indices of the texts that end there. */
  firstOutput: number;
  outputs: Uint32Array[];
}

/** Trie whose child lists are linked lists. 0 terminates a list, because the root is never a child. */
interface Trie {
  firstChild: Int32Array;
  nextSibling: Int32Array;
  /** Character class of the transition to each state. */
  symbols: Uint8Array;
  /** Indices of the texts that end at each state. */
  ends: Map<number, number[]>;
}

/** @param texts Non-empty, lowercase ASCII texts. */
export function buildAutomaton(texts: readonly string[]): LiteralAutomaton {
  const { classes, count } = assignClasses(texts);
  const shift = Math.ceil(Math.log2(count));
  const trie = buildTrie(texts, classes);
  const { firstChild, nextSibling, symbols, ends } = trie;
  const { order, fallbacks } = linkFailures(trie);

  const statesWithoutOutput = order.filter((state) => !ends.has(state));
  const statesWithOutput = order.filter((state) => ends.has(state));
  const stateNumbers = new Uint32Array(order.length);
  statesWithoutOutput.forEach((state, index) => (stateNumbers[state] = index));
  statesWithOutput.forEach((state, index) => (stateNumbers[state] = statesWithoutOutput.length + index));

  // Smaller entries let twice as many states fit into the CPU cache.
  const Table = order.length <= 0x1_00_00 ? Uint16Array : Uint32Array;
  const transitions = new Table(order.length << shift);
  for (const state of order) {
    const row = stateNumbers[state]! << shift;
    // In breadth-first order, the fallback's row is already complete.
    const fallback = stateNumbers[fallbacks[state]!]! << shift;
    transitions.copyWithin(row, fallback, fallback + (1 << shift));
    for (let child = firstChild[state]!; child !== 0; child = nextSibling[child]!) {
      transitions[row | symbols[child]!] = stateNumbers[child]!;
    }
  }
  const outputs = statesWithOutput.map((state) => Uint32Array.from(ends.get(state)!));
  return { transitions, shift, classes, firstOutput: statesWithoutOutput.length, outputs };
}

function assignClasses(texts: readonly string[]): { classes: Uint8Array; count: number } {
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

function buildTrie(texts: readonly string[], classes: Uint8Array): Trie {
  const maxStates = texts.reduce((sum, { length }) => sum + length, 1);
  const firstChild = new Int32Array(maxStates);
  const nextSibling = new Int32Array(maxStates);
  const symbols = new Uint8Array(maxStates);
  const ends = new Map<number, number[]>();
  let stateCount = 1;
  const trie = { firstChild, nextSibling, symbols, ends };
  for (const [textIndex, text] of texts.entries()) {
    let state = 0;
    for (let index = 0; index < text.length; index++) {
      const symbol = classes[text.charCodeAt(index)]!;
      let child = findChild(trie, state, symbol);
      if (child === 0) {
        child = stateCount++;
        symbols[child] = symbol;
        nextSibling[child] = firstChild[state]!;
        firstChild[state] = child;
      }
      state = child;
    }
    ends.set(state, [...(ends.get(state) ?? []), textIndex]);
  }
  return trie;
}

/** Returns the child state for a character class, or 0 if there is none. */
function findChild({ firstChild, nextSibling, symbols }: Trie, state: number, symbol: number): number {
  let child = firstChild[state]!;
  while (child !== 0 && symbols[child] !== symbol) child = nextSibling[child]!;
  return child;
}

/** Links each state to its fallback and adds the fallback's outputs to it. Returns all states in breadth-first order. */
function linkFailures(trie: Trie): { order: number[]; fallbacks: Int32Array } {
  const { firstChild, nextSibling, symbols, ends } = trie;
  const fallbacks = new Int32Array(symbols.length);
  const order = [0];
  // The array is also the queue, so it grows during the loop.
  for (const state of order) {
    const inherited = ends.get(fallbacks[state]!);
    if (inherited !== undefined) ends.set(state, [...(ends.get(state) ?? []), ...inherited]);
    for (let child = firstChild[state]!; child !== 0; child = nextSibling[child]!) {
      order.push(child);
      if (state === 0) continue;
      let fallback = fallbacks[state]!;
      while (fallback !== 0 && findChild(trie, fallback, symbols[child]!) === 0) fallback = fallbacks[fallback]!;
      fallbacks[child] = findChild(trie, fallback, symbols[child]!);
    }
  }
  return { order, fallbacks };
}

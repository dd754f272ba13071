/** Comment lines that enclose the generated section of a robots.txt file. */
export const SECTION_BEGIN = '# agent-traffic begin';
export const SECTION_END = '# agent-traffic end';

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** Thrown if a file doesn't contain exactly one pair of section lines, in the right order. */
export class RobotsSectionError extends Error {
  constructor() {
    super(`The file must contain exactly one "${SECTION_BEGIN}" line, followed by one "${SECTION_END}" line.`);
  }
}

interface SplitRobots {
  /** Lines before and after the section, with their line endings. */
  before: Uint8Array[];
  after: Uint8Array[];
  /** Lines in the section, or null if the file has none. */
  section: Uint8Array[] | null;
}

/** Separates a file's section from the site's own lines. Bytes are compared because files can be in any encoding. */
export function splitAtSection(bytes: Uint8Array): SplitRobots {
  const lines = splitLines(bytes);
  const find = (marker: string): number[] => lines.flatMap((line, index) => (isMarker(line, marker) ? [index] : []));
  const [begins, ends] = [find(SECTION_BEGIN), find(SECTION_END)];
  const [begin, end] = [begins[0], ends[0]];
  if (begin === undefined && end === undefined) return { before: lines, after: [], section: null };
  if (begin === undefined || end === undefined || begins.length + ends.length > 2 || begin > end) {
    throw new RobotsSectionError();
  }
  return { before: lines.slice(0, begin), after: lines.slice(end + 1), section: lines.slice(begin, end + 1) };
}

const isMarker = (line: Uint8Array, marker: string): boolean =>
  line.length >= marker.length &&
  line.length <= marker.length + 80 &&
  new TextDecoder().decode(line).trimEnd() === marker;

/** Splits a file into lines. Each one includes its line ending. */
function splitLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte !== LINE_FEED && (byte !== CARRIAGE_RETURN || bytes[index + 1] === LINE_FEED)) continue;
    lines.push(bytes.subarray(start, index + 1));
    start = index + 1;
  }
  return start < bytes.length ? [...lines, bytes.subarray(start)] : lines;
}

export const trimLineEnding = (line: Uint8Array): Uint8Array =>
  line.subarray(0, line.findLastIndex((byte) => byte !== LINE_FEED && byte !== CARRIAGE_RETURN) + 1);

/** Returns the line ending of the first line. Default: LF. */
export function getLineEnding([first]: readonly Uint8Array[]): string {
  if (first?.at(-1) === CARRIAGE_RETURN) return '\r';
  return first?.at(-2) === CARRIAGE_RETURN && first.at(-1) === LINE_FEED ? '\r\n' : '\n';
}

/** Returns the number of line endings needed for a blank line after the given lines. */
export function getGap(lines: readonly Uint8Array[], eol: string): number {
  const last = lines.at(-1);
  if (last === undefined) return 0;
  const end = last.at(-1);
  // LF after CR would be the same line ending.
  if ((end !== LINE_FEED && end !== CARRIAGE_RETURN) || (end === CARRIAGE_RETURN && eol === '\n')) return 2;
  return last.every((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN) ? 0 : 1;
}

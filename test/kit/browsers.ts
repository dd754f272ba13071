import topUserAgents from 'top-user-agents';

/** What a browser's User-Agent tells of its version, and of its system's. */
const VERSION = /(?<=\b(?:Chrome|CriOS|Edg|Electron|Firefox|OPR|rv|SamsungBrowser|Version|YaBrowser)[/:])\d+/g;
const SYSTEM = /(?<=\b(?:Android |iPhone OS |Windows NT |Mac OS X ))\d+/g;
const SHIFTS = [0, 1, 2, 5, 10, 20, 30];

/** The hundred most common ones, and the same of earlier versions: the package has no more than a hundred. */
export function browsers(): string[] {
  const earlier = (text: string, by: number): string =>
    [VERSION, SYSTEM].reduce(
      (result, part, index) => result.replaceAll(part, (number) => String(Math.max(1, Number(number) - (by >> index)))),
      text,
    );
  return [...new Set(SHIFTS.flatMap((by) => topUserAgents.map((userAgent) => earlier(userAgent, by))))];
}

const HEIGHT = 20;
/** Approximate width of an 11 px character. `textLength` stretches the text to fit. */
const CHARACTER_WIDTH = 6.5;
const PADDING = 6;

/** Returns an SVG badge with a label and a value, such as "agent visits | 12,345 this month". Does not escape them. */
export function badge(label: string, value: string): string {
  const textWidth = (text: string): number => Math.round(text.length * CHARACTER_WIDTH);
  const [left, right] = [textWidth(label) + 2 * PADDING, textWidth(value) + 2 * PADDING];
  const width = left + right;
  const title = `${label}: ${value}`;
  const text = (content: string, x: number): string =>
    `<text x="${x}" y="14" textLength="${textWidth(content)}" lengthAdjust="spacingAndGlyphs">${content}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><path fill="#3a3f45" d="M0 0h${left}v${HEIGHT}H0z"/>`,
    `<path fill="#0b6e69" d="M${left} 0h${right}v${HEIGHT}H${left}z"/></g>`,
    `<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">`,
    text(label, PADDING),
    text(value, left + PADDING),
    `</g></svg>`,
  ].join('');
}

const HEIGHT_PX = 20;
/** Approximate width of an 11 px character in px. `textLength` stretches the text to fit. */
const CHARACTER_WIDTH_PX = 6.5;
const PADDING_PX = 6;

/** Renders an SVG badge, such as "agent visits | 12,345 this month". The label and value aren't escaped. */
export function renderBadge(label: string, value: string): string {
  const textWidth = (text: string): number => Math.round(text.length * CHARACTER_WIDTH_PX);
  const [left, right] = [textWidth(label) + 2 * PADDING_PX, textWidth(value) + 2 * PADDING_PX];
  const width = left + right;
  const title = `${label}: ${value}`;
  const text = (content: string, x: number): string =>
    `<text x="${x}" y="14" textLength="${textWidth(content)}" lengthAdjust="spacingAndGlyphs">${content}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT_PX}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<clipPath id="r"><rect width="${width}" height="${HEIGHT_PX}" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><path fill="#3a3f45" d="M0 0h${left}v${HEIGHT_PX}H0z"/>`,
    `<path fill="#0b6e69" d="M${left} 0h${right}v${HEIGHT_PX}H${left}z"/></g>`,
    `<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">`,
    text(label, PADDING_PX),
    text(value, left + PADDING_PX),
    `</g></svg>`,
  ].join('');
}

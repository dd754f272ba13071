import { AGENT_TYPES } from './agent-types.js';
import { getOperatorColor, NO_OPERATOR_COLOR, OPERATOR_COLORS, OPERATOR_PALETTE } from './operator-colors.js';
import { REST_COLORS, TYPE_COLORS } from './type-colors.js';
import { VERDICT_COLORS } from './verdict-colors.js';

type Triple = [number, number, number];

/** Simulations of color vision deficiencies in linear sRGB (Machado, Oliveira and Fernandes 2009, severity 1). */
const VISION_MATRICES: Record<string, Triple[]> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
/** Minimum distances in OKLab, where colors about 0.02 apart are barely distinguishable. */
const MIN_DISTANCE = { all: 0.06, protanopia: 0.06, deuteranopia: 0.06, tritanopia: 0.04 };
/** Minimum distance between the few verdict colors, which are stacked next to each other. */
const MIN_VERDICT_DISTANCE = 0.1;
const MAX_HUE_DIFFERENCE_DEGREES = 40;
const CARD_BACKGROUNDS = { light: '#ffffff', dark: '#1b1d21' };

const multiply = (matrix: readonly Triple[], [x, y, z]: Triple): Triple =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as Triple;
const toLinear = (hex: string): Triple =>
  [1, 3, 5].map((start) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Triple;
const luminance = (hex: string): number => multiply([[0.2126, 0.7152, 0.0722]], toLinear(hex))[0];

function toOklab(color: Triple): Triple {
  const cones = multiply(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    color,
  ).map(Math.cbrt) as Triple;
  return multiply(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

function simulate(hex: string, vision: string): Triple {
  return toOklab(
    multiply(VISION_MATRICES[vision]!, toLinear(hex)).map((value) => Math.min(1, Math.max(0, value))) as Triple,
  );
}

function getContrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the pairs that are closer to each other than allowed for people with this color vision. */
const findSimilarPairs = (
  colors: readonly string[],
  vision: keyof typeof MIN_DISTANCE,
  minDistance = MIN_DISTANCE[vision],
): string[] =>
  colors.flatMap((one, index) =>
    colors.slice(0, index).flatMap((other) => {
      const distance = Math.hypot(
        ...simulate(one, vision).map((value, axis) => value - simulate(other, vision)[axis]!),
      );
      return distance < minDistance ? [`${one} ${other} ${distance.toFixed(3)}`] : [];
    }),
  );

const VISIONS = Object.keys(VISION_MATRICES) as (keyof typeof MIN_DISTANCE)[];

it('defines one color per type, in the same order as the types', () =>
  expect(Object.keys(TYPE_COLORS)).toEqual(AGENT_TYPES));

describe.each(['light', 'dark'] as const)('type colors in %s mode', (scheme) => {
  const colors = [TYPE_COLORS, REST_COLORS].flatMap(Object.values).map((color) => color[scheme] as string);

  it('have enough contrast with the card background (WCAG 2.2, 1.4.11)', () => {
    expect(Math.min(...colors.map((color) => getContrast(color, CARD_BACKGROUNDS[scheme])))).toBeGreaterThanOrEqual(3);
  });

  it.each(VISIONS)('are distinguishable from each other (%s)', (vision) =>
    expect(findSimilarPairs(colors, vision)).toEqual([]),
  );
});

describe.each(['light', 'dark'] as const)('verdict colors in %s mode', (scheme) => {
  const colors = Object.values(VERDICT_COLORS).map((color) => color[scheme]);

  it('have enough contrast with the card background (WCAG 2.2, 1.4.11)', () =>
    expect(colors.filter((color) => getContrast(color, CARD_BACKGROUNDS[scheme]) < 3)).toEqual([]));

  it.each(VISIONS)('are distinguishable from each other (%s)', (vision) =>
    expect(findSimilarPairs(colors, vision, MIN_VERDICT_DISTANCE)).toEqual([]),
  );
});

it.each(Object.entries(TYPE_COLORS))('uses a similar hue for %s in both modes', (_type, { light, dark }) => {
  const [one, other] = [light, dark].map((color) => {
    const [, a, b] = simulate(color, 'all');
    return (Math.atan2(b, a) * 180) / Math.PI;
  }) as [number, number];
  const difference = Math.abs(one - other);
  expect(Math.min(difference, 360 - difference)).toBeLessThanOrEqual(MAX_HUE_DIFFERENCE_DEGREES);
});

describe('operator colors', () => {
  const colors = [...Object.values(OPERATOR_COLORS), ...OPERATOR_PALETTE, NO_OPERATOR_COLOR];

  it('have enough contrast with white initials (WCAG 2.2, 1.4.3)', () =>
    expect(colors.filter((color) => getContrast(color, '#ffffff') < 4.5)).toEqual([]));

  it('are visible on dark cards', () =>
    expect(colors.filter((color) => getContrast(color, CARD_BACKGROUNDS.dark) < 1.6)).toEqual([]));

  it.each(VISIONS)('are distinguishable from each other in the palette (%s)', (vision) =>
    expect(findSimilarPairs(OPERATOR_PALETTE, vision)).toEqual([]),
  );

  it('belong to the operator, not to its position in a list', () => {
    expect(getOperatorColor('OpenAI')).toBe(OPERATOR_COLORS['OpenAI']);
    expect(getOperatorColor('Zyte')).toBe(getOperatorColor('Zyte'));
    expect(OPERATOR_PALETTE).toContain(getOperatorColor('Zyte'));
    expect(getOperatorColor(null)).toBe(NO_OPERATOR_COLOR);
  });
});

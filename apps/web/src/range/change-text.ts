/** How a number differs from an earlier one; shares, from 0 to 1, by points of a hundred. */
export function changeText(current: number, previous: number, isShare: boolean): string {
  if (isShare) {
    const points = Math.round(100 * current) - Math.round(100 * previous);
    return points === 0 ? 'unchanged' : `${signed(points)} ${Math.abs(points) === 1 ? 'point' : 'points'}`;
  }
  if (current === previous) return 'unchanged';
  if (previous === 0) return 'none before';
  const ratio = current / previous;
  if (ratio >= 10) return `${Math.round(ratio)} times as many`;
  const percent = Math.round(100 * (ratio - 1));
  return percent === 0 ? 'about the same' : `${signed(percent)} %`;
}

const signed = (value: number): string => (value < 0 ? `−${-value}` : `+${value}`);

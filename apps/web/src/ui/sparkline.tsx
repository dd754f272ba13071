interface SparklineProps {
  values: readonly number[];
  /** Description for screen readers. If omitted, the chart is hidden from them. */
  label?: string;
  width?: number;
  height?: number;
  color?: string | undefined;
  /** Stretches the chart to the width of its container. */
  isFullWidth?: boolean;
}

/** Maximum number of bars that are still wide enough to distinguish. */
const MAX_BARS = 32;

/** Small bar chart scaled to its highest value. */
export function Sparkline({
  values,
  label,
  width = 96,
  height: maxHeight = 22,
  color,
  isFullWidth = false,
}: SparklineProps) {
  const bars = mergeBars(values);
  const highest = Math.max(0, ...bars) || 1;
  const step = width / Math.max(1, bars.length);
  return (
    <svg
      width={isFullWidth ? '100%' : width}
      height={maxHeight}
      {...(isFullWidth && { viewBox: `0 0 ${width} ${maxHeight}`, preserveAspectRatio: 'none' })}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {bars.map((value, index) => {
        const height = value === 0 ? 1 : Math.max(2, (value / highest) * maxHeight);
        return (
          <rect
            // Bars have no identity other than their position. oxlint-disable-next-line react/no-array-index-key
            key={index}
            x={index * step}
            y={maxHeight - height}
            width={step - 1}
            height={height}
            fill={value === 0 ? 'var(--mantine-color-default-border)' : (color ?? 'var(--mantine-color-indigo-5)')}
          />
        );
      })}
    </svg>
  );
}

/** Merges neighboring values into at most {@link MAX_BARS} averages, so shares and incomplete groups aren't distorted. */
function mergeBars(values: readonly number[]): readonly number[] {
  const size = Math.ceil(values.length / MAX_BARS);
  if (size <= 1) return values;
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) => {
    const group = values.slice(index * size, (index + 1) * size);
    return group.reduce((sum, value) => sum + value, 0) / group.length;
  });
}

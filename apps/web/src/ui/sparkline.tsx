interface SparklineProps {
  values: readonly number[];
  /** Description for screen readers. */
  label: string;
}

const WIDTH = 96;
const HEIGHT = 28;
/** Maximum number of bars that are still wide enough to distinguish. */
const MAX_BARS = 32;

/** Small bar chart scaled to its highest value. */
export function Sparkline({ values, label }: SparklineProps) {
  const bars = mergeBars(values);
  const highest = Math.max(1, ...bars);
  const step = WIDTH / Math.max(1, bars.length);
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      {bars.map((value, index) => {
        const height = value === 0 ? 1 : Math.max(2, (value / highest) * HEIGHT);
        return (
          <rect
            // Bars have no identity other than their position. oxlint-disable-next-line react/no-array-index-key
            key={index}
            x={index * step}
            y={HEIGHT - height}
            width={step - 1}
            height={height}
            fill={value === 0 ? 'var(--mantine-color-default-border)' : 'var(--mantine-color-indigo-5)'}
          />
        );
      })}
    </svg>
  );
}

/** Merges neighboring values into at most {@link MAX_BARS} sums. The last sum may cover fewer values. */
function mergeBars(values: readonly number[]): readonly number[] {
  const size = Math.ceil(values.length / MAX_BARS);
  if (size <= 1) return values;
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size).reduce((sum, value) => sum + value, 0),
  );
}

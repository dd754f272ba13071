interface SparklineProps {
  values: readonly number[];
  /** What it shows, for those who do not see it. */
  label: string;
}

const WIDTH = 96;
const HEIGHT = 28;
/** More than these can't be told apart. */
const MAX_BARS = 32;

/** Bars from left to right, the highest at full height. */
export function Sparkline({ values, label }: SparklineProps) {
  const bars = joined(values);
  const most = Math.max(1, ...bars);
  const step = WIDTH / Math.max(1, bars.length);
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      {bars.map((value, index) => {
        const height = value === 0 ? 1 : Math.max(2, (value / most) * HEIGHT);
        return (
          <rect
            // Bars have no other identity than their place.
            // oxlint-disable-next-line react/no-array-index-key
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

/** Sums of as many neighbors as it takes for them to fit; the last one may be of fewer. */
function joined(values: readonly number[]): readonly number[] {
  const size = Math.ceil(values.length / MAX_BARS);
  if (size <= 1) return values;
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size).reduce((sum, value) => sum + value, 0),
  );
}

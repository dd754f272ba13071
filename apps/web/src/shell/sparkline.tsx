export interface SparklineProps {
  values: readonly number[];
  /** What it shows, for those who do not see it. */
  label: string;
}

const WIDTH = 96;
const HEIGHT = 28;

/** Bars from left to right, the highest at full height. */
export function Sparkline({ values, label }: SparklineProps) {
  const most = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length);
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      {values.map((value, index) => {
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

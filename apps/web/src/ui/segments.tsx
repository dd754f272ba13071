import { useId } from 'react';
import classes from './segments.module.css';

interface SegmentsProps<T extends string> {
  label: string;
  options: readonly { value: T; label: string }[];
  /** Selected value. If it's not an option, none is selected. */
  value: string;
  onChange: (value: T) => void;
}

/** Row of mutually exclusive options. */
export function Segments<T extends string>({ label, options, value, onChange }: SegmentsProps<T>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={classes['segments']}>
      {options.map((option) => (
        <label key={option.value} className={classes['segment']}>
          <input
            type="radio"
            className="unseen"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}

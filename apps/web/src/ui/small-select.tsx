import type { ComponentProps } from 'react';
import { Icon } from './icon.js';
import classes from './small-select.module.css';

interface SmallSelectProps extends Omit<ComponentProps<'select'>, 'onChange'> {
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** Native select for toolbars. Forms use Mantine's, which adds a label, a description and errors. */
export function SmallSelect({ options, onChange, ...props }: SmallSelectProps) {
  return (
    <span className={classes['field']}>
      <select {...props} className={classes['select']} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Icon name="chevron" size={14} />
    </span>
  );
}

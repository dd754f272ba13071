import type { ReactNode } from 'react';
import classes from './small-switch.module.css';

interface SmallSwitchProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  /** Label. */
  children: ReactNode;
}

/** Switch next to filters or a table's tools. */
export const SmallSwitch = ({ isOn, onChange, children }: SmallSwitchProps) => (
  <label className={classes['label']}>
    <input
      type="checkbox"
      role="switch"
      className={classes['switch']}
      checked={isOn}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    {children}
  </label>
);

import classes from './unknown-visitors-switch.module.css';

interface UnknownVisitorsSwitchProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** Switch next to a page's filters that includes visits by unknown visitors. */
export const UnknownVisitorsSwitch = ({ isOn, onChange }: UnknownVisitorsSwitchProps) => (
  <label className={classes['label']}>
    <input
      type="checkbox"
      role="switch"
      className={classes['switch']}
      checked={isOn}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    Include unknown visitors
  </label>
);

import { SmallSwitch } from '../ui/small-switch.js';

interface UnknownVisitorsSwitchProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** Switch next to a page's filters that includes visits by unknown visitors. */
export const UnknownVisitorsSwitch = (props: UnknownVisitorsSwitchProps) => (
  <SmallSwitch {...props}>Include unknown visitors</SmallSwitch>
);

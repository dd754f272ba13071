import { ActionIcon, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Icon, type IconName } from '../ui/icon.js';

interface Scheme {
  name: string;
  icon: IconName;
  next: MantineColorScheme;
}

const SCHEMES: Record<MantineColorScheme, Scheme> = {
  auto: { name: 'system', icon: 'auto', next: 'light' },
  light: { name: 'light', icon: 'sun', next: 'dark' },
  dark: { name: 'dark', icon: 'moon', next: 'auto' },
};

export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { name, icon, next } = SCHEMES[colorScheme];
  const label = `Color scheme: ${name}. Switch to ${SCHEMES[next].name}`;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="var(--mantine-color-text)"
      size="lg"
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(next)}
    >
      <Icon name={icon} />
    </ActionIcon>
  );
}

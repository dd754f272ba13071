import { ActionIcon, Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Icon, type IconName } from './icon.js';

const SCHEMES: Record<MantineColorScheme, [label: string, icon: IconName]> = {
  auto: ['As the system', 'system'],
  light: ['Light', 'sun'],
  dark: ['Dark', 'moon'],
};

export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [label, icon] = SCHEMES[colorScheme];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          size="lg"
          aria-label={`Colours: ${label}`}
        >
          <Icon name={icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(SCHEMES).map(([scheme, [name, symbol]]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon name={symbol} size={16} />}
            rightSection={scheme === colorScheme ? <Icon name="check" size={16} /> : null}
            onClick={() => setColorScheme(scheme as MantineColorScheme)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

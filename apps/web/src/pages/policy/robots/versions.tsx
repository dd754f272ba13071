import { Button, Group, Text } from '@mantine/core';
import type { RulesSelection, RulesVersion } from '../../../api/rules-queries.js';
import { AGENT_BEHAVIOR_NAMES } from '#libs/agents/vocabulary';
import { formatFullTime } from '../../../ui/relative-time.js';
import { Section } from '../../../ui/section.js';
import classes from '../../../ui/list.module.css';
import { FORMATS } from './formats.js';

type Version = Omit<RulesVersion, 'text'>;

interface VersionsProps {
  versions: readonly Version[];
  timeZone: string;
  onShow: (version: Version) => void;
}

export function Versions({ versions, timeZone, onShow }: VersionsProps) {
  return (
    <Section title="Saved versions" lead="The last 10 versions. The newest is the current one.">
      <ul className={classes['list']}>
        {versions.map((version) => {
          const { id, selection, saved_at: savedAt, saved_by: savedBy } = version;
          const time = formatFullTime(savedAt, timeZone);
          return (
            <li key={id} className={classes['item']}>
              <Group justify="space-between" gap="xs">
                <div>
                  <Text size="sm" fw={500}>
                    <time title={savedAt}>{time}</time>
                    {savedBy !== null && ` by ${savedBy}`}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {FORMATS[selection.format].label}; {agentsText(selection)}; catalog {version.catalog_version}
                  </Text>
                </div>
                <Button size="compact-sm" variant="default" onClick={() => onShow(version)}>
                  Show selection<span className="unseen"> of {time}</span>
                </Button>
              </Group>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function agentsText({ agent_types: types, agent_behaviors: behaviors = [] }: RulesSelection): string {
  const names = [...types, ...behaviors.map((behavior) => AGENT_BEHAVIOR_NAMES[behavior])];
  if (names.length === 0) return 'no types';
  return names.length <= 3 ? names.join(', ') : `${names.length} types and behaviors`;
}

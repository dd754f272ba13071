import { Badge, Group, Text } from '@mantine/core';
import type { HTMLAttributes } from 'react';
import type { PolicyRule, RuleCount } from '../../api/policy.js';
import { Icon } from '../../ui/icon.js';
import { RowMenu } from '../../ui/row-menu.js';
import { SmallSelect } from '../../ui/small-select.js';
import { TextLink } from '../../ui/text-link.js';
import classes from './policy.module.css';
import { describeCounts, describeRule, MODE_LABELS } from '../../rules/rule-text.js';

const MODES = Object.entries(MODE_LABELS).map(([value, label]) => ({ value, label }));

interface RuleItemProps {
  projectId: string;
  rule: PolicyRule;
  /** Index within the list, and the number of rules. */
  position: [index: number, count: number];
  counts: readonly RuleCount[];
  /** True if the rule was just added. */
  isNew: boolean;
  isPublished: boolean;
  isReader: boolean;
  isDragged: boolean;
  handle: HTMLAttributes<HTMLElement>;
  onMove: (to: number) => void;
  onMode: (mode: PolicyRule['mode']) => void;
  onEdit: () => void;
  onDelete: () => void;
}

export function RuleItem(props: RuleItemProps) {
  const {
    projectId,
    rule,
    position,
    counts,
    isNew,
    isPublished,
    isReader,
    isDragged,
    handle,
    onMove,
    onMode,
    onEdit,
    onDelete,
  } = props;
  const { id, name, mode, exceptions = [] } = rule;
  const [index, count] = position;
  const ids = [id, ...exceptions.map((exception) => exception.id)];
  return (
    <li className={classes['rule']} {...(isDragged && { 'data-dragged': true })}>
      {!isReader && (
        <span className={classes['handle']} title="Drag to reorder" aria-hidden="true" {...handle}>
          <Icon name="drag" />
        </span>
      )}
      <div className={classes['content']}>
        <Group gap="xs">
          <Text fw={500}>
            {index + 1}. {name}
          </Text>
          {isReader && (
            <Badge variant={mode === 'live' ? 'filled' : 'outline'} color="gray" tt="none">
              {MODE_LABELS[mode]}
            </Badge>
          )}
        </Group>
        <Text size="sm">{describeRule(rule)}</Text>
        {exceptions.length > 0 && (
          <ul className={classes['exceptions']} aria-label={`Exceptions to ${name}`}>
            {exceptions.map((exception) => (
              <li key={exception.id}>
                <Text size="sm">{describeRule(exception, 'These visitors')}</Text>
              </li>
            ))}
          </ul>
        )}
        <Text size="xs" c="dimmed" mt={2}>
          {describeCounts(counts, ids) || (isNew ? 'Just added' : 'No requests in the last 30 days')}
        </Text>
        {isPublished && (
          <TextLink to="/projects/$projectId/policy/rules/$ruleId" params={{ projectId, ruleId: id }} size="sm">
            See the effect<span className="unseen"> of {name}</span>
          </TextLink>
        )}
      </div>
      {!isReader && (
        <div className={classes['tools']}>
          <SmallSelect
            aria-label={`Mode of ${name}`}
            options={MODES}
            value={mode}
            onChange={(value) => onMode(value as PolicyRule['mode'])}
          />
          <RowMenu
            name={name}
            actions={[
              { label: 'Edit', onClick: onEdit },
              { label: 'Move up', onClick: () => onMove(index - 1), isDisabled: index === 0 },
              { label: 'Move down', onClick: () => onMove(index + 1), isDisabled: index === count - 1 },
              { label: 'Delete', onClick: onDelete, isDangerous: true },
            ]}
          />
        </div>
      )}
    </li>
  );
}
